package page

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// The clipboard is the browser's, so a session that shares the browser has one of
// its own for the keys that are pressed in it: what they copied is pasted, and
// nothing that other sessions have.

var errNothingCopied = errtypes.New(errtypes.Invalid, "nothing has been copied by keys in this session, which shares its browser's clipboard with others and does not paste from it; type the text instead")

// copyOwn presses keys that copy or cut, and keeps what they took.
func (s *Session) copyOwn(ctx context.Context, t *tab, st stroke) error {
	f, err := s.focusedFrame(ctx, t)
	if err != nil {
		return err
	}
	if _, err := eval[any](ctx, f, "watchCopy"); err != nil {
		return err
	}
	if err := strike(ctx, t, st); err != nil {
		return err
	}
	text, err := eval[string](ctx, f, "copied")
	if err == nil && text != "" {
		s.clip = text[:min(len(text), maxCopied)]
	}
	return err
}

// maxCopied bounds what is kept of a copy, in bytes.
const maxCopied = 1 << 20

// pasteOwn puts in what the session has copied.
func (s *Session) pasteOwn(ctx context.Context, t *tab) error {
	if s.clip == "" {
		return errNothingCopied
	}
	f, err := s.focusedFrame(ctx, t)
	if err != nil {
		return err
	}
	t.armFrame(ctx, f)
	_, err = s.ask(ctx, f, "", "paste", s.clip)
	return err
}

// focusedFrame is the frame that has the focus, as deep as frames are entered.
func (s *Session) focusedFrame(ctx context.Context, t *tab) (*frame, error) {
	f := t.mainFrame()
	for range s.opts.Limits.FrameDepth {
		l, err := s.ask(ctx, f, browser.Ref(""), "focusedFrame", s.next)
		if err != nil || l.Frame == 0 {
			return f, err
		}
		inner, err := s.enter(ctx, f, l.Frame)
		if err != nil || inner == nil {
			return f, err
		}
		f = inner
	}
	return f, nil
}
