package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/drover-go/drover/runs/internal/deadline"
)

// The icon that a page names is read from its document by a client of our own,
// which sees what any client of the session may, and runs none of the page's
// scripts.

// faviconTime is how long the icons of all tabs may be looked for: a page that
// hangs does not answer.
const faviconTime = time.Second

var errFavicon = errors.New("sessions: the pages do not say in time which icons they have")

// withIcons adds the icons of tabs, as far as their pages say in time.
func (l *live) withIcons(ctx context.Context) []Tab {
	all := l.tabs()
	ctx, cancel := deadline.With(ctx, l.conf.Clock, faviconTime, errFavicon)
	defer cancel()
	c := &inside{sent: make(chan []byte), answers: make(chan answerCDP)}
	if !l.spawn(func() { defer cancel(); _ = l.browser.Serve(ctx, c) }) {
		return all
	}
	for i, t := range all {
		if strings.HasPrefix(t.URL, "http") {
			all[i].FaviconURL = l.clean(c.icon(ctx, t.ID))
		}
	}
	return all
}

// icon returns the address of a page's icon; empty where it names none that is
// on the web.
func (c *inside) icon(ctx context.Context, tab string) string {
	var at struct{ SessionID string }
	var doc struct {
		Root struct {
			NodeID  int
			BaseURL string
		}
	}
	var found struct{ NodeID int }
	var link struct{ Attributes []string }
	if !c.call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": tab, "flatten": true}, &at) || at.SessionID == "" {
		return ""
	}
	call := func(method string, params map[string]any, into any) bool {
		return c.call(ctx, at.SessionID, method, params, into)
	}
	if !call("DOM.getDocument", map[string]any{"depth": 0}, &doc) ||
		!call("DOM.querySelector", map[string]any{"nodeId": doc.Root.NodeID, "selector": `link[rel~="icon" i][href]`}, &found) || found.NodeID == 0 ||
		!call("DOM.getAttributes", map[string]any{"nodeId": found.NodeID}, &link) {
		return ""
	}
	return absolute(doc.Root.BaseURL, attribute(link.Attributes, "href"))
}

// attribute finds one among names and values.
func attribute(all []string, name string) string {
	for i := 0; i+1 < len(all); i += 2 {
		if all[i] == name {
			return all[i+1]
		}
	}
	return ""
}

// maxIcon is the longest address of an icon that is told, in bytes.
const maxIcon = 2000

// absolute is an address of the web, seen from a page; empty for any other.
func absolute(base, ref string) string {
	from, err := url.Parse(base)
	if err != nil {
		return ""
	}
	to, err := from.Parse(strings.TrimSpace(ref))
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" || len(ref) > maxIcon {
		return ""
	}
	to.User = nil
	return to.String()
}

// inside is a client of the browser's protocol in this process. One call is
// made at a time.
type inside struct {
	sent    chan []byte
	answers chan answerCDP
	last    int
}

type answerCDP struct {
	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
}

// call reports whether the browser answered, and with no error.
func (c *inside) call(ctx context.Context, session, method string, params map[string]any, into any) bool {
	c.last++
	message := map[string]any{"id": c.last, "method": method, "params": params}
	if session != "" {
		message["sessionId"] = session
	}
	data, err := json.Marshal(message)
	if err != nil {
		return false
	}
	select {
	case c.sent <- data:
	case <-ctx.Done():
		return false
	}
	for {
		select {
		case a := <-c.answers:
			if a.ID == c.last {
				return json.Unmarshal(a.Result, into) == nil
			}
		case <-ctx.Done():
			return false
		}
	}
}

// Read implements [browser.Client].
func (c *inside) Read(ctx context.Context) ([]byte, error) {
	select {
	case data := <-c.sent:
		return data, nil
	case <-ctx.Done():
		return nil, io.EOF
	}
}

// Write implements [browser.Client]. Events are of no use here.
func (c *inside) Write(ctx context.Context, message []byte) error {
	var a answerCDP
	if json.Unmarshal(message, &a) != nil || a.ID == 0 {
		return nil
	}
	select {
	case c.answers <- a:
	case <-ctx.Done():
	}
	return nil
}
