package dialect

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"sync"

	"github.com/drover-go/drover/runs/model"
)

// A Ladder is how a provider's tools are sent: in its first dialect, else the
// next, and last with the schemas in words. What a
// provider refused is remembered for as long as the ladder lives, for the same
// tools; where it does not know the dialect at all, for all. It is safe for use
// by several goroutines.
type Ladder struct {
	rungs []Dialect

	mu    sync.Mutex
	first int              // the rung that all tools begin with
	known map[[32]byte]int // of tools that were refused, the rung that was not
	made  map[[32]byte]*Schema
}

// maxKnown is how many sets of tools a ladder remembers. Those of further ones are
// refused and tried again, as the first time.
const maxKnown = 1_000

// maxMade is how many schemas a ladder keeps, so that one is not written anew for
// every step of a run.
const maxMade = 200

// NewLadder returns a ladder of these dialects.
func NewLadder(rungs ...Dialect) *Ladder {
	return &Ladder{rungs: rungs, known: map[[32]byte]int{}, made: map[[32]byte]*Schema{}}
}

// Tools are tools as they are sent.
type Tools struct {
	Sent []Tool
	// Dialect is the rung's. Words says that it is the one without schemas: they
	// stand in the descriptions.
	Dialect Dialect
	Words   bool

	rung    int
	key     [32]byte
	schemas map[string]*Schema
}

// Tool is a tool as it is sent.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage
	Strict            bool // the provider is to keep to the schema
}

// Tools writes the tools of a request. The error is a [*model.Error] that names
// the tool whose schema is none.
func (l *Ladder) Tools(all []model.Tool) (Tools, error) {
	t := Tools{schemas: map[string]*Schema{}, key: keyOf(all)}
	t.rung = l.rung(t.key)
	if t.Words = t.rung == len(l.rungs); !t.Words {
		t.Dialect = l.rungs[t.rung]
	}
	for _, tool := range all {
		s, err := l.schema(tool.Input, t.Dialect)
		if err != nil {
			return Tools{}, (&model.Error{Kind: model.ErrorRequest, Message: fmt.Sprintf("the tool %q has an input schema that cannot be sent", tool.Name)}).WithCause(err)
		}
		t.schemas[tool.Name] = s
		sent := Tool{Name: tool.Name, Description: tool.Description, Schema: s.Sent, Strict: s.Strict}
		if t.Words || s.Open {
			sent = inWords(tool)
		}
		t.Sent = append(t.Sent, sent)
	}
	return t, nil
}

func (l *Ladder) schema(raw json.RawMessage, d Dialect) (*Schema, error) {
	key := sha256.Sum256(append([]byte{byte(d)}, raw...))
	l.mu.Lock()
	s := l.made[key]
	l.mu.Unlock()
	if s != nil {
		return s, nil
	}
	s, err := Of(raw, d)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.made) >= maxMade {
		clear(l.made)
	}
	l.made[key] = s
	return s, nil
}

// inWords puts the schema of a tool into its description.
func inWords(t model.Tool) Tool {
	return Tool{
		Name: t.Name, Schema: json.RawMessage(`{"type":"object"}`),
		Description: fmt.Sprintf("%s\nThe input is an object that is valid by this JSON Schema: %s", t.Description, t.Input),
	}
}

// Undo takes the input of a call to the form of the tool's own schema.
func (t Tools) Undo(tool string, input json.RawMessage) json.RawMessage {
	if s := t.schemas[tool]; s != nil {
		return s.Undo(input)
	}
	return input
}

// Down takes tools that were refused a rung down, or all tools; false if there is
// none left.
func (l *Ladder) Down(t Tools, all bool) bool {
	if t.Words || len(t.Sent) == 0 {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case all:
		l.first = max(l.first, t.rung+1)
	case len(l.known) < maxKnown || l.known[t.key] > 0:
		l.known[t.key] = max(l.known[t.key], t.rung+1)
	default:
		clear(l.known)
		l.known[t.key] = t.rung + 1
	}
	return true
}

func (l *Ladder) rung(key [32]byte) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(l.first, l.known[key])
}

func keyOf(all []model.Tool) [32]byte {
	h := sha256.New()
	for _, t := range all {
		fmt.Fprintf(h, "%d %s %d %s ", len(t.Name), t.Name, len(t.Input), t.Input)
	}
	return [32]byte(h.Sum(nil))
}

// aboutSchemas is how providers name what is wrong with a schema.
var aboutSchemas = regexp.MustCompile(`(?i)schema|\bstrict\b|additional_?properties|function_?declarations|parameters_json|tools\.\d+|tools\[\d+\]|\$ref|\bgrammar\b`)

// Refuses reports whether a provider's refusal is about the schemas of tools.
func Refuses(e *model.Error) bool {
	return e.Kind == model.ErrorRequest && aboutSchemas.MatchString(e.Message)
}
