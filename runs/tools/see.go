package tools

import (
	"context"
	"fmt"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
)

// See returns the page as it is now, all of it, with nothing in it that a model
// may not see. The error is that of the session.
func (s *Set) See(ctx context.Context) (outline.View, error) {
	ctx, cancel := clock.WithTimeout(ctx, s.opts.Clock, s.opts.Timeout, errTimeout)
	defer cancel()
	session, _, err := s.session(ctx)
	if err != nil {
		return outline.View{}, err
	}
	return s.look(ctx, session, browser.Page{})
}

// Quote is a text from a page as a model sees it: clean, in its fence, and at
// most as long as an answer of a tool. That the rest is left out is said there, too.
func (s *Set) Quote(text string) (out model.Output, cut bool) {
	text = s.clean(text)
	end := characterAt(text, min(s.opts.MaxOutput-300, len(text)))
	quote := fmt.Sprintf("[page %s]\n%s\n[end of page %s]", s.fence, text[:end], s.fence)
	if cut = end < len(text); cut {
		quote += fmt.Sprintf("\nThese are the first %d of %d bytes.", end, len(text))
	}
	return model.TextOutput(s.opts.Variables.RedactOutput(quote)), cut
}
