package runs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/drover-go/drover/runs/model"
)

// completion has a language model asked for what is missing.
type completion struct {
	*activeRun
	end *ending // nil: it was not asked
	cut bool    // it was not shown all
}

// errNotSaid is that a model has not answered; why is in the completion.
var errNotSaid = errors.New("runs: the model has not answered")

func (c *completion) complete(_ context.Context, m Missing) (json.RawMessage, error) {
	names := namesFor(m.Unsatisfied)
	schema, err := names.rename(m.Schema)
	if err != nil {
		return nil, err
	}
	c.ResultSchema = schema
	if err := c.prepare(); err != nil {
		c.end = c.prepareFailed(err)
		return nil, errNotSaid
	}
	text := m.Text
	if content := string(bytes.TrimSpace(m.Content)); content != "{}" {
		text = "What is known of the page already: " + content + "\n\n" + text
	}
	shown, cut := c.tools.Quote(text)
	c.cut = cut
	end := c.answer(extractSystem, model.Call("page_1", "read", nil), shown)
	c.end = &end
	if end.status != Completed {
		return nil, errNotSaid
	}
	return names.back(end.result)
}

// outcome is what the model said of what it did not find, or why it could not be
// asked. That it found nothing is no error.
func (c *completion) outcome(caller context.Context) (remark string, err error) {
	if c.end == nil {
		return "", nil
	}
	e := c.cleanEnding(*c.end)
	if e.cause != nil && (e.cause.Code == CauseTaskFailed || e.cause.Code == CauseResultInvalid) {
		return e.cause.Message, nil
	}
	return "", e.err(caller)
}
