package sessions

import (
	"context"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/storage/projects"
)

// fullBrowser has no place: who opens a session waits until its context ends.
type fullBrowser struct {
	quickBrowser
	waits chan struct{} // a value for each who waits
}

func (b *fullBrowser) Open(ctx context.Context, _ browser.Options) (browser.Session, error) {
	b.waits <- struct{}{}
	<-ctx.Done()
	return nil, ctx.Err()
}

// Who waits for a place when the service closes is told so at once: callers before
// the closing begins, what Drover itself opens when it does. Nothing is left of
// them.
func TestWhoWaitsForAPlaceHearsOfTheClosing(t *testing.T) {
	t.Parallel()
	b := &fullBrowser{waits: make(chan struct{}, 2)}
	w := start(t, setup{browser: b})
	project := must(w.projects.Get(t.Context(), projects.Default))(t)
	caller, own := make(chan error, 1), make(chan error, 1)
	go func() { _, err := w.Create(t.Context(), Create{}); caller <- err }()
	go func() { _, err := w.OpenFor(t.Context(), project.ID, Create{}); own <- err }()
	<-b.waits
	<-b.waits
	w.StopAccepting()
	w.StopAccepting()
	if err := <-caller; !errtypes.Is(err, errtypes.Unavailable) || errtypes.Public(err).Message != errClosing.Message {
		t.Errorf("a caller hears %v", err)
	}
	if _, err := w.Create(t.Context(), Create{}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("another caller hears %v", err)
	}
	if all := must(w.List(t.Context(), Filter{}))(t); len(all) != 1 || all[0].Status != Pending {
		t.Errorf("%+v", all)
	}
	closed := make(chan error, 1)
	go func() { closed <- w.Close(context.Background()) }()
	if err := <-own; !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("who opens a session for Drover hears %v", err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if all := must(w.List(t.Context(), Filter{}))(t); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}
