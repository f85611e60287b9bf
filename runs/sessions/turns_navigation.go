package sessions

import (
	"context"
	"time"

	"github.com/drover-go/drover/runs/browser"
)

func (h *held) Back(ctx context.Context) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.Back(ctx) })
}

func (h *held) Forward(ctx context.Context) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.Forward(ctx) })
}

func (h *held) Reload(ctx context.Context) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.Reload(ctx) })
}

func (h *held) OpenTab(ctx context.Context, url string) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.OpenTab(ctx, url) })
}

func (h *held) SwitchTab(ctx context.Context, tab string) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.SwitchTab(ctx, tab) })
}

func (h *held) CloseTab(ctx context.Context, tab string) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.CloseTab(ctx, tab) })
}

func (h *held) Answer(ctx context.Context, a browser.DialogAnswer) (browser.Page, error) {
	return inTurn(ctx, h.live, func() (browser.Page, error) { return h.Session.Answer(ctx, a) })
}

func (h *held) Fetched(ctx context.Context, wait time.Duration) ([]browser.Fetched, error) {
	return inTurn(ctx, h.live, func() ([]browser.Fetched, error) { return h.Session.Fetched(ctx, wait) })
}

func (h *held) Places(ctx context.Context, refs []browser.Ref) (browser.Placed, error) {
	return inTurn(ctx, h.live, func() (browser.Placed, error) { return h.Session.Places(ctx, refs) })
}

func (h *held) Show(ctx context.Context, ref browser.Ref) error {
	_, err := inTurn(ctx, h.live, func() (struct{}, error) { return struct{}{}, h.Session.Show(ctx, ref) })
	return err
}
