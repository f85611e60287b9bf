package sessions

import (
	"context"

	"github.com/drover-go/drover/runs/browser"
)

// ClickWith implements [browser.Input] in turn, as do the following.
func (h *held) ClickWith(ctx context.Context, ref browser.Ref, o browser.ClickOptions) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.ClickWith(ctx, ref, o) })
}

func (h *held) ClickAt(ctx context.Context, at browser.Point, o browser.ClickOptions) (browser.Hit, error) {
	return inTurn(ctx, h.live, func() (browser.Hit, error) { return h.Session.ClickAt(ctx, at, o) })
}

func (h *held) Hover(ctx context.Context, ref browser.Ref) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.Hover(ctx, ref) })
}

func (h *held) HoverAt(ctx context.Context, at browser.Point) (browser.Hit, error) {
	return inTurn(ctx, h.live, func() (browser.Hit, error) { return h.Session.HoverAt(ctx, at) })
}

func (h *held) Drag(ctx context.Context, from, to browser.Spot, o browser.DragOptions) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.Drag(ctx, from, to, o) })
}

func (h *held) Scroll(ctx context.Context, o browser.ScrollOptions) (browser.Scrolled, error) {
	return inTurn(ctx, h.live, func() (browser.Scrolled, error) { return h.Session.Scroll(ctx, o) })
}

func (h *held) Press(ctx context.Context, keys string, o browser.PressOptions) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.Press(ctx, keys, o) })
}

func (h *held) Select(ctx context.Context, ref browser.Ref, options ...string) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.Select(ctx, ref, options...) })
}

func (h *held) Check(ctx context.Context, ref browser.Ref, checked bool) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.Check(ctx, ref, checked) })
}
