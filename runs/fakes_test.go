package runs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// quickBrowser is a provider whose sessions show one button and fail as a test
// says: for what cannot be brought about in a real browser at a given moment,
// and for what no page is needed for. The Chromium tests are in spine_test.go.
type quickBrowser struct {
	// openErr is why there is no session.
	openErr error
	// act is what a click does. Default nothing.
	act func(ctx context.Context, s *quickSession) error
	// moves makes each click lead to another page.
	moves bool
	// clicked counts the clicks of all sessions. Default nobody does.
	clicked *int
	// html is that of each page. Default one word.
	html string
}

func (*quickSession) AskDialogs() func() { return func() {} }

func (b *quickBrowser) Open(ctx context.Context, o browser.Options) (browser.Session, error) {
	if b.openErr != nil {
		return nil, b.openErr
	}
	return &quickSession{id: o.ID, b: b, done: make(chan struct{})}, nil
}

func (b *quickBrowser) Close() error { return nil }

type quickSession struct {
	browser.Session // nil: what is not here is not called

	id     string
	b      *quickBrowser
	once   sync.Once
	done   chan struct{}
	err    error
	clicks int
}

func (s *quickSession) ID() string { return s.id }

func (s *quickSession) Serve(context.Context, browser.Client) error {
	return errors.New("it serves nobody")
}

func (s *quickSession) page() browser.Page {
	p := browser.Page{URL: "https://a.example/", Title: "A"}
	if s.b.moves {
		p.URL += fmt.Sprint(s.clicks)
	}
	return p
}

func (s *quickSession) Page(context.Context) (browser.Page, error) { return s.page(), nil }

func (s *quickSession) Navigate(context.Context, string) (browser.Page, error) { return s.page(), nil }

func (s *quickSession) Click(ctx context.Context, ref browser.Ref) (browser.Page, error) {
	s.clicks++
	if s.b.clicked != nil {
		*s.b.clicked++
	}
	if s.b.act != nil {
		if err := s.b.act(ctx, s); err != nil {
			return browser.Page{}, err
		}
	}
	return s.page(), nil
}

func (s *quickSession) Type(context.Context, browser.Ref, string, browser.TypeOptions) (browser.Page, error) {
	return s.page(), nil
}

func (s *quickSession) SnapshotOf(ctx context.Context, _ browser.SnapshotOptions) (browser.Snapshot, error) {
	return s.Snapshot(ctx)
}

func (s *quickSession) Snapshot(context.Context) (browser.Snapshot, error) {
	return browser.Snapshot{Page: s.page(), Elements: []browser.Element{
		{Role: "button", Name: "Go", Ref: "e1"}, {Role: "textbox", Name: "Name", Ref: "e2"},
		{Role: "status", Name: fmt.Sprint("clicked ", s.clicks)},
	}}, nil
}

func (s *quickSession) VisibleHTML(ctx context.Context, limit int) (string, bool, error) {
	return s.HTML(ctx, limit)
}

func (s *quickSession) HTML(context.Context, int) (string, bool, error) {
	return cmp.Or(s.b.html, "<p>x</p>"), false, nil
}

func (s *quickSession) HTMLOf(ctx context.Context, _ browser.Ref, limit int) (string, bool, error) {
	return s.HTML(ctx, limit)
}

func (s *quickSession) Traffic() (sent, received int64) { return 0, 0 }

func (s *quickSession) Done() <-chan struct{} { return s.done }

func (s *quickSession) Err() error {
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

func (s *quickSession) Close() error { s.end(nil); return nil }

func (s *quickSession) end(err error) { s.once.Do(func() { s.err = err; close(s.done) }) }

// die ends the session as the death of its browser does.
func (s *quickSession) die() { s.end(errors.New("signal: killed")) }

func quick(t testing.TB, o setup) *working {
	t.Helper()
	if o.browser == nil {
		o.browser = &quickBrowser{}
	}
	return start(t, o)
}

// A quickSession has no screen.
func (s *quickSession) Screencast(context.Context, browser.ScreencastOptions, func(browser.Frame) error) error {
	return errtypes.New(errtypes.Unavailable, "there is no screen")
}

func (s *quickSession) Tabs() []browser.Tab { return nil }
