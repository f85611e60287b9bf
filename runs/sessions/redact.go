package sessions

import (
	"encoding/json"

	"github.com/drover-go/drover/runs/browser"
)

// cleanEvent takes the values of variables out of an event, and masks what is secret
// by its name.
func (l *live) cleanEvent(e browser.Event) browser.Event {
	if l.secrets.Knows() && len(e.Params) > 0 {
		e.Params = l.secrets.RedactOutputJSON(e.Params)
		if e.Method == "Runtime.consoleAPICalled" {
			e.Params = l.cleanConsole(e.Params)
		}
	}
	e.Params = maskParams(e.Params)
	return e
}

// cleanConsole looks at the words of a message to the console as they are read,
// one behind the other: a value can be spread over them.
func (l *live) cleanConsole(params json.RawMessage) json.RawMessage {
	var said struct {
		Type string              `json:"type"`
		Args []map[string]string `json:"args"`
	}
	if json.Unmarshal(params, &said) != nil {
		return params
	}
	var words []string
	for _, arg := range said.Args {
		words = append(words, arg["value"], arg["description"])
	}
	clean := l.cleanAll(words)
	for i, name := range []string{"value", "description"} {
		for n, arg := range said.Args {
			if arg[name] != "" {
				arg[name] = clean[2*n+i]
			}
		}
	}
	out, err := json.Marshal(said)
	if err != nil {
		return params
	}
	return out
}

// clean takes the values of variables out of a text.
func (l *live) clean(text string) string {
	all := l.cleanAll([]string{text})
	return all[0]
}

// cleanAll takes them out of texts that are read one behind the other.
func (l *live) cleanAll(texts []string) []string {
	clean := make([]string, len(texts))
	if !l.secrets.Knows() {
		return texts
	}
	raw, err := json.Marshal(texts)
	if err != nil || json.Unmarshal(l.secrets.RedactOutputJSON(raw), &clean) != nil || len(clean) != len(texts) {
		return make([]string, len(texts)) // rather nothing than a secret
	}
	return clean
}
