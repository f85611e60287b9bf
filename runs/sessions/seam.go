package sessions

import (
	"context"
	"encoding/json"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// This file is all that the package knows of what browsers are still learning:
// each function asks the session for a method and says so where it is missing.

// An event is something that happened in a browser.
type event struct {
	Time   time.Time
	Tab    string
	Method string
	Params json.RawMessage
}

// opening is what a session's browser is opened with.
type opening struct {
	browser.Options
	settings Settings
	observe  func(event)
}

// openBrowser passes on what today's browsers can be told; canHonour has
// refused the rest.
func (c Config) openBrowser(ctx context.Context, o opening) (browser.Session, error) {
	return c.Browser.Open(ctx, o.Options)
}

// canHonour refuses settings that the browser cannot be told of yet.
func (c Config) canHonour(s Settings) error {
	if field, uses := s.Proxies.usesManaged(); uses {
		return errtypes.Field(field, "asks for the proxies of this host, and none is configured")
	}
	for field, asked := range map[string]bool{
		"proxies": len(s.Proxies.Rules) > 0, "browserSettings.blockAds": s.BlockAds,
		"browserSettings.allowedDomains": len(s.AllowedDomains) > 0, "browserSettings.verified": s.Verified,
	} {
		if asked {
			return errtypes.Field(field, "is not supported yet")
		}
	}
	return nil
}

// client is a CDP client: a websocket.
type client interface {
	Read(ctx context.Context) ([]byte, error)
	Write(ctx context.Context, message []byte) error
}

var errNoClients = errtypes.New(errtypes.Unavailable, "the browser of this session takes no clients")

// serve speaks CDP with a client until it leaves, ctx ends or the session does.
func serve(ctx context.Context, s browser.Session, c client) error {
	if b, ok := s.(interface {
		Serve(ctx context.Context, c client) error
	}); ok {
		return b.Serve(ctx, c)
	}
	return errNoClients
}

// tabs returns the open pages of a session.
func tabs(s browser.Session) []Tab {
	if b, ok := s.(interface{ Tabs() []Tab }); ok {
		return b.Tabs()
	}
	return nil
}

// frame is a picture of a page, a JPEG.
type frame struct {
	tab  string
	data []byte
}

var errNoScreen = errtypes.New(errtypes.Unavailable, "the browser of this session shows no screen")

// screencast hands on the frames of a tab, the current one for "", until ctx
// ends or show fails.
func screencast(ctx context.Context, s browser.Session, tab string, show func(frame) error) error {
	if b, ok := s.(interface {
		Screencast(ctx context.Context, tab string, show func(frame) error) error
	}); ok {
		return b.Screencast(ctx, tab, show)
	}
	return errNoScreen
}

// traffic is what the session's proxy has carried.
func traffic(s browser.Session) int64 {
	if b, ok := s.(interface{ Traffic() (sent, received int64) }); ok {
		sent, received := b.Traffic()
		return sent + received
	}
	return 0
}

// offer gives a session a file of this machine, which its pages may be given.
func offer(s browser.Session, name, path string) error {
	if b, ok := s.(interface{ Offer(name, path string) error }); ok {
		return b.Offer(name, path)
	}
	return nil
}

// takesClients reports whether serve can do anything.
func takesClients(s browser.Session) bool {
	_, ok := s.(interface {
		Serve(ctx context.Context, c client) error
	})
	return ok
}
