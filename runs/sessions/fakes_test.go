package sessions

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"io"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// quickBrowser is a provider for what no page is needed for, and for what the
// real one does not do yet: its sessions take clients, to whom they give back
// every message, have tabs and a screen. The Chromium tests are in
// chromium_test.go.
type quickBrowser struct {
	openErr error
	// opened is called with each session. Default nothing.
	opened func(*quickSession)
}

func (b *quickBrowser) Open(_ context.Context, o browser.Options) (browser.Session, error) {
	if b.openErr != nil {
		return nil, b.openErr
	}
	s := &quickSession{o: o, done: make(chan struct{})}
	if b.opened != nil {
		b.opened(s)
	}
	return s, nil
}

func (b *quickBrowser) Close() error { return nil }

type quickSession struct {
	browser.Session // nil: what is not here is not called
	o               browser.Options
	once            sync.Once
	done            chan struct{}
	err             error

	tabs []browser.Tab // default two
	// serve answers clients. Default every message is given back.
	serve func(ctx context.Context, c browser.Client) error

	mu      sync.Mutex
	offered map[string]string
}

func (s *quickSession) ID() string            { return s.o.ID }
func (s *quickSession) Done() <-chan struct{} { return s.done }
func (s *quickSession) Err() error            { return s.err }
func (s *quickSession) Close() error          { s.end(nil); return nil }

func (s *quickSession) end(err error) {
	s.once.Do(func() { s.err = err; close(s.done) })
}

// die ends the session as the death of its browser does.
func (s *quickSession) die() {
	s.end(errtypes.New(errtypes.Unavailable, "the browser died").WithCause(errors.New("signal: killed")))
}

func (s *quickSession) Tabs() []browser.Tab {
	if s.tabs != nil {
		return append([]browser.Tab{}, s.tabs...)
	}
	return []browser.Tab{{ID: "T1", URL: "https://a.example/", Title: "A"}, {ID: "T2", URL: "https://b.example/", Title: "<b>B</b>"}}
}

func (s *quickSession) Traffic() (sent, received int64) { return 3, 4 }

func (s *quickSession) Offer(name, path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.offered == nil {
		s.offered = map[string]string{}
	}
	s.offered[name] = path
}

// Serve gives every message back.
func (s *quickSession) Serve(ctx context.Context, c browser.Client) error {
	if s.serve != nil {
		return s.serve(ctx, c)
	}
	for {
		message, err := c.Read(ctx)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = c.Write(ctx, message)
		}
		if err != nil {
			return err
		}
	}
}

// picture is a small JPEG.
var picture = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8)), nil); err != nil {
		panic(err)
	}
	return b.Bytes()
})

// Screencast shows three frames and then nothing new.
func (s *quickSession) Screencast(ctx context.Context, o browser.ScreencastOptions, show func(browser.Frame) error) error {
	for range 3 {
		if err := show(browser.Frame{Tab: o.Tab, Data: picture()}); err != nil {
			return err
		}
	}
	<-ctx.Done()
	return nil
}
