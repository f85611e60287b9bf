package sessions

import (
	"context"

	"github.com/drover-go/drover/runs/browser"
)

// Runs and one-shots may drive a session at the same time, and a browser is driven
// by one: they take turns, a call at a time.

// turn waits until nobody drives the session. The error is the cause of a context
// that ends before.
func (l *live) turn(ctx context.Context) (over func(), err error) {
	select {
	case l.turns <- struct{}{}:
		return func() { <-l.turns }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// inTurn makes a call when it is its turn.
func inTurn[T any](ctx context.Context, l *live, call func() (T, error)) (got T, err error) {
	over, err := l.turn(ctx)
	if err != nil {
		return got, err
	}
	defer over()
	return call()
}

// Navigate implements [browser.Session], as do the following.
func (h *held) Navigate(ctx context.Context, url string) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.Navigate(ctx, url) })
}

func (h *held) Page(ctx context.Context) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.Page(ctx) })
}

func (h *held) Snapshot(ctx context.Context) (browser.Snapshot, error) {
	return inTurn(ctx, h.live, func() (browser.Snapshot, error) { return h.Session.Snapshot(ctx) })
}

func (h *held) SnapshotOf(ctx context.Context, o browser.SnapshotOptions) (browser.Snapshot, error) {
	return inTurn(ctx, h.live, func() (browser.Snapshot, error) { return h.Session.SnapshotOf(ctx, o) })
}

func (h *held) Click(ctx context.Context, ref browser.Ref) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.Click(ctx, ref) })
}

func (h *held) Type(ctx context.Context, ref browser.Ref, text string, o browser.TypeOptions) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.Type(ctx, ref, text, o) })
}

func (h *held) HTML(ctx context.Context, limit int) (html string, truncated bool, err error) {
	return h.HTMLOf(ctx, "", limit)
}

func (h *held) HTMLOf(ctx context.Context, ref browser.Ref, limit int) (html string, truncated bool, err error) {
	over, err := h.live.turn(ctx)
	if err != nil {
		return "", false, err
	}
	defer over()
	return h.Session.HTMLOf(ctx, ref, limit)
}

func (h *held) VisibleHTML(ctx context.Context, limit int) (html string, truncated bool, err error) {
	over, err := h.live.turn(ctx)
	if err != nil {
		return "", false, err
	}
	defer over()
	return h.Session.VisibleHTML(ctx, limit)
}

func (h *held) Screenshot(ctx context.Context, o browser.ScreenshotOptions) ([]byte, error) {
	return inTurn(ctx, h.live, func() ([]byte, error) { return h.Session.Screenshot(ctx, o) })
}

func (h *held) PDF(ctx context.Context, o browser.PDFOptions) ([]byte, error) {
	return inTurn(ctx, h.live, func() ([]byte, error) { return h.Session.PDF(ctx, o) })
}

func (h *held) Upload(ctx context.Context, ref browser.Ref, files []browser.File) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.Upload(ctx, ref, files) })
}
