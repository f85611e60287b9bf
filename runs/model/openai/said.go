package openai

import (
	"errors"
	"fmt"
	"strings"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/fenced"
	"github.com/drover-go/drover/runs/model/internal/loosejson"
	"github.com/drover-go/drover/runs/model/internal/provider"
)

// said is what has come of an answer, in any dialect.
type said struct {
	id        string // of the answer
	any       bool   // something of it has come
	finished  bool   // its last words have; what it has used may follow
	done      bool   // its end has
	text      strings.Builder
	reasoning strings.Builder
	refusal   strings.Builder
	calls     []call
	length    bool // it has reached the limit of its length
	filtered  bool
	usage     *model.Usage
	replay    any // what is kept of it
}

// A call as the model wrote it.
type call struct{ id, name, arguments string }

// A problem is an answer that is none.
type problem struct {
	kind model.ErrorKind
	says string
}

func (p problem) Error() string { return p.says }

var errUnreadable = errors.New("openai: an event cannot be read")

func unreadable(err error) error { return fmt.Errorf("%w: %w", errUnreadable, err) }

// failed says why there is no answer, once nothing more comes.
func (s *said) failed() error {
	switch {
	case s.refusal.Len() > 0:
		return problem{model.ErrorRefused, fmt.Sprintf("refuses to answer: %.500s", s.refusal.String())}
	case s.filtered:
		return problem{model.ErrorRefused, "has its answer kept back by a content filter"}
	case !s.any && !s.done:
		return problem{model.ErrorMalformed, "sent no answer"}
	case !s.done:
		return problem{model.ErrorCut, "broke off its answer"}
	}
	return nil
}

// counts is what the exchange has used: what the server told last, else an
// estimate. A server that answered nothing but an error used nothing.
func (s *said) counts(q *question, err error) model.Usage {
	var fault provider.Fault
	switch {
	case s.usage != nil:
		return *s.usage
	case errors.As(err, &fault) && !s.any:
		return model.Usage{}
	}
	n := s.text.Len() + s.reasoning.Len() + s.refusal.Len()
	for _, c := range s.calls {
		n += len(c.name) + len(c.arguments)
	}
	return model.Estimate(q.size(), n)
}

// answer is all that was said, once its end has come. The finish goes by what has
// come, not by the server's word for it, where they differ. A call in whose middle
// the limit of the output was reached is none.
func (s *said) answer(m *Model, q *question, r *model.Response) {
	r.Replay = s.replay
	if s.reasoning.Len() > 0 {
		r.Content = append(r.Content, model.Reasoning(s.reasoning.String()))
	}
	if text := s.text.String(); text != "" {
		r.Content = append(r.Content, model.Text(text))
	}
	for i, c := range s.calls {
		input, whole := loosejson.Arguments(c.arguments)
		if !whole && s.length && i == len(s.calls)-1 {
			r.Replay = nil // it holds the call, too
			continue
		}
		if whole {
			input = q.tools.Undo(c.name, input)
		}
		r.Content = append(r.Content, model.Part{Type: model.ToolCallPart, ToolCallID: c.id, ToolName: c.name, Input: input})
	}
	switch {
	case s.length:
		r.Finish = model.FinishLength
	case len(s.calls) > 0:
		r.Finish = model.FinishCalls
	default:
		r.Finish = model.FinishStop
	}
	s.fromText(m, q, r)
}

// fromText reads what stands in the text: calls of models without tools, those
// that a server has left there, and thoughts. OpenAI itself leaves nothing there:
// what looks like it is a quotation, perhaps of a page.
func (s *said) fromText(m *Model, q *question, r *model.Response) {
	switch {
	case q.texts:
		*r = fenced.Response(*r, q.given)
		r.Replay = nil
	case m.server.openai:
	case len(q.given) > 0:
		calls := len(s.calls)
		*r = fenced.Markup(*r)
		if calls == 0 && r.Finish == model.FinishCalls {
			r.Replay = nil // it holds the markup, and no call
		}
	default:
		*r = fenced.Thoughts(*r)
	}
}
