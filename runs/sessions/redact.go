package sessions

import (
	"encoding/json"
	"sync"

	"github.com/drover-go/drover/runs/browser"
)

// redactions take the values of variables out of what a session tells: those of all
// who have driven it, since its pages may still show them.
type redactions struct {
	mu  sync.RWMutex
	all []func(json.RawMessage) json.RawMessage
	has map[string]bool // by what they take out, where that is known
}

// add keeps what takes something out; where same is not empty, one of those with
// the same.
func (s *redactions) add(redact func(json.RawMessage) json.RawMessage, same string) {
	if redact == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.has[same] {
		return
	}
	if same != "" {
		if s.has == nil {
			s.has = map[string]bool{}
		}
		s.has[same] = true
	}
	s.all = append(s.all, redact)
}

func (s *redactions) any() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.all) > 0
}

func (s *redactions) redact(raw json.RawMessage) json.RawMessage {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, redact := range s.all {
		raw = redact(raw)
	}
	return raw
}

// cleanEvent takes the values of variables out of an event, and masks what is secret
// by its name.
func (l *live) cleanEvent(e browser.Event) browser.Event {
	if l.secrets.any() && len(e.Params) > 0 {
		e.Params = l.secrets.redact(e.Params)
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
	if !l.secrets.any() {
		return texts
	}
	raw, err := json.Marshal(texts)
	if err != nil || json.Unmarshal(l.secrets.redact(raw), &clean) != nil || len(clean) != len(texts) {
		return make([]string, len(texts)) // rather nothing than a secret
	}
	return clean
}
