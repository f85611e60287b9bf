package page

import (
	"context"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// Screencast implements [browser.Session].
func (s *Session) Screencast(ctx context.Context, o browser.ScreencastOptions, show func(browser.Frame) error) (err error) {
	defer errtypes.Wrap(&err, "chrome.Screencast")
	if err := checkScreencast(o); err != nil {
		return err
	}
	for {
		t, err := s.tabToShow(ctx, o.Tab)
		if err == nil {
			err = s.showTab(ctx, t, o, show)
		}
		switch {
		case ctx.Err() != nil && !errors.Is(err, errShow{}):
			return nil
		case s.ctx.Err() != nil:
			return context.Cause(s.ctx)
		case err == errSwitched || o.Tab == "" && err == error(ErrTabClosed):
			continue
		case err != nil:
			return unshown(err)
		}
	}
}

func checkScreencast(o browser.ScreencastOptions) error {
	if o.Quality < 0 || o.Quality > 100 {
		return errtypes.Field("quality", "must be between 1 and 100")
	}
	if min(o.MaxWidth, o.MaxHeight) < 0 || max(o.MaxWidth, o.MaxHeight) > MaxViewport {
		return errtypes.Field("size", "must be between 1 and %d pixels wide and high", MaxViewport)
	}
	return nil
}

// errShow is the error of who was shown a frame.
type errShow struct{ err error }

func (e errShow) Error() string { return e.err.Error() }

func (e errShow) Is(target error) bool { _, ok := target.(errShow); return ok }

func unshown(err error) error {
	var e errShow
	if errors.As(err, &e) {
		return e.err
	}
	return err
}

// tabToShow returns the tab with the id, or the one in front as soon as there
// is one.
func (s *Session) tabToShow(ctx context.Context, id string) (*tab, error) {
	if id != "" {
		t := s.tabOf(id)
		if t == nil {
			return nil, errtypes.New(errtypes.NotFound, "the tab is not open")
		}
		return t, t.waitOpen(ctx, s)
	}
	for {
		turned := s.Turning()
		if t := s.front(); t != nil {
			if err := t.waitOpen(ctx, s); err == nil || t == s.front() {
				return t, err
			}
			continue
		}
		select {
		case <-turned:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-s.ctx.Done():
			return nil, context.Cause(s.ctx)
		}
	}
}

// waitOpen returns when the tab can be used.
func (t *tab) waitOpen(ctx context.Context, s *Session) error {
	ctx, done := s.Bounded(ctx, s.opts.Start, "start")
	defer done()
	return t.wait(ctx)
}

// showTab shows the frames of a tab until it is not the one to show any more.
func (s *Session) showTab(ctx context.Context, t *tab, o browser.ScreencastOptions, show func(browser.Frame) error) error {
	v := t.cast.join(wanted(o))
	defer t.cast.leave(v)
	for {
		turned := s.Turning()
		if s.tabOf(string(t.id)) == nil {
			return ErrTabClosed
		}
		if o.Tab == "" && s.front() != t {
			return errSwitched
		}
		select {
		case <-v.wake:
			f, ok := t.cast.newest(v)
			if !ok {
				continue
			}
			if err := show(f); err != nil {
				return errShow{err}
			}
		case <-turned:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-s.ctx.Done():
			return context.Cause(s.ctx)
		}
	}
}

// Turning returns a channel that is closed when tabs come or go, or another is
// in front.
func (s *Session) Turning() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turned
}
