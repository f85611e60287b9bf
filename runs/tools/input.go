package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// inputError is an input that the tool does not take, in words for the model.
type inputError struct{ text string }

func (e *inputError) Error() string { return e.text }

func badInput(format string, args ...any) error {
	return &inputError{"input: " + fmt.Sprintf(format, args...)}
}

// decode reads the input of a call. Fields that are not known are ignored:
// models like to add some.
func decode[T any](raw json.RawMessage) (in T, err error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage(`{}`)
	}
	err = json.Unmarshal(raw, &in)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return in, badInput("%s must not be a %s", wrong.Field, wrong.Value)
	case err != nil:
		return in, badInput("must be a JSON object")
	}
	return in, nil
}

// object writes the JSON Schema of a tool's input: pairs of a property's name
// and its schema, the required ones first.
func object(required int, pairs ...string) json.RawMessage {
	var props, names []string
	for i := 0; i < len(pairs); i += 2 {
		props = append(props, fmt.Sprintf("%q:%s", pairs[i], pairs[i+1]))
		if i/2 < required {
			names = append(names, fmt.Sprintf("%q", pairs[i]))
		}
	}
	return json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s],"additionalProperties":false}`,
		strings.Join(props, ","), strings.Join(names, ",")))
}

// property writes the schema of a property.
func property(typ, description string) string {
	return fmt.Sprintf(`{"type":%q,"description":%q}`, typ, description)
}

// oneOf writes the schema of a property that is one of some words.
func oneOf(description string, words ...string) string {
	return fmt.Sprintf(`{"type":"string","enum":["%s"],"description":%q}`, strings.Join(words, `","`), description)
}

// listOf writes the schema of a list of texts.
func listOf(description string) string {
	return fmt.Sprintf(`{"type":"array","items":{"type":"string"},"description":%q}`, description)
}
