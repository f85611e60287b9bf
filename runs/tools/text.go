package tools

import (
	"context"
	"errors"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/shorten"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/internal/secrets"
)

// clean makes text from outside fit for a model: without values of variables,
// without characters that nobody sees, and without the mark around pages, which a
// page can have learned from what was typed into it.
func (s *Set) clean(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	for _, a := range s.opened {
		text = a.pattern.ReplaceAllLiteralString(text, a.shown)
	}
	text = strings.Map(visible, s.opts.Variables.Redact(text))
	if s.mark != nil {
		text = s.mark.ReplaceAllLiteralString(text, "…")
	}
	return text
}

// visible drops characters in which a page can hide instructions from people but
// not from a model, and has lines end by one character only.
func visible(r rune) rune {
	switch {
	case r == '\n', r == '\t', r == 0xFE0F: // the last chooses an emoji
		return r
	case r == '\r', r == '\v', r == '\f', r == 0x85, r == 0x2028, r == 0x2029:
		return ' '
	case secrets.Unseen(r):
		return -1
	}
	return r
}

// cut shortens text to at most limit bytes, at a character, and says so.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return shorten.Prefix(text, max(limit-len(outline.CutNote), 0)) + outline.CutNote
}

// maxError bounds the text of an error towards the model.
const maxError = 1000

// explain puts an error into words for the model. Texts of foreign libraries
// are not shown.
func (s *Set) explain(ctx context.Context, err error) string {
	var stale *browser.StaleError
	var covered *browser.CoveredError
	var unknown *secrets.UnknownError
	var elsewhere *secrets.ErrNotInTask
	var bound *secrets.OriginError
	var input *inputError
	var own *ownError
	var known *errtypes.Error
	text := "it failed"
	switch {
	case ctx.Err() != nil:
		text = "it was stopped"
		if errors.Is(context.Cause(ctx), errTimeout) {
			text = errTimeout.Error()
		}
	case errors.Is(err, errFault):
		text = errFault.Error()
	case stands(err):
		text = answerFirst
	case errors.As(err, &stale):
		text = stale.Error()
	case errors.As(err, &covered):
		text = covered.Error()
	case errors.As(err, &unknown):
		text = unknown.Error()
	case errors.As(err, &elsewhere):
		text = elsewhere.Error()
	case errors.As(err, &bound):
		text = bound.Error()
	case errors.As(err, &input):
		text = input.Error()
	case errors.As(err, &own):
		text = own.Error()
	case errors.As(err, &known) && known.Kind != errtypes.Internal:
		text = known.Message
	default:
		s.opts.Logger.Warn("tools: a tool failed", "error", s.clean(err.Error()))
	}
	text = cut(oneLine(s.clean(text)), maxError)
	var part *partError
	if errors.As(err, &part) {
		return cut(oneLine(part.said), maxError) + " " + text + advice(err) + ". " + cut(oneLine(part.rest), maxError)
	}
	return text + advice(err)
}

// oneLine keeps a text from outside from looking like lines of an outline.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
