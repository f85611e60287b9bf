package tools

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/drover-go/drover/runs/model"
)

// Canonical is the input of a call as the tool reads it: the properties of its
// schema, each once and under its own name. Whoever looks at a call sees what will
// be done: a property that is there twice, or in other letters, is an error for the
// model. An unknown tool and what is no object stay as they are; the call says so.
func (s *Set) Canonical(call model.Part) (json.RawMessage, error) {
	t, ok := s.find(call.ToolName)
	var given map[string]json.RawMessage
	if !ok || json.Unmarshal(call.Input, &given) != nil {
		return call.Input, nil
	}
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Additional json.RawMessage            `json:"additionalProperties"`
	}
	if err := json.Unmarshal(t.Input, &schema); err != nil {
		return nil, err
	}
	if err := s.checkNames(call.Input, schema.Properties); err != nil {
		return nil, err
	}
	if t.own && string(schema.Additional) != "false" { // it may take others
		return call.Input, nil
	}
	for name := range given {
		if _, ok := schema.Properties[name]; !ok {
			delete(given, name)
		}
	}
	return json.Marshal(given)
}

// checkNames looks at the names of an object's members, one after the other.
func (s *Set) checkNames(raw json.RawMessage, known map[string]json.RawMessage) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		if _, ok := known[name]; !ok {
			for right := range known {
				if strings.EqualFold(right, name) {
					return badInput("the property is called %s, not %s", right, cut(s.clean(name), maxToolField))
				}
			}
		} else if seen[name] {
			return badInput("%s is there twice", name)
		}
		seen[name] = true
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
	}
	return nil
}

// maxToolField bounds a name that is quoted, in bytes.
const maxToolField = 100
