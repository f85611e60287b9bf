package sessions

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"
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
	ctx, c, leave := l.visit(ctx, faviconTime, errFavicon)
	defer leave()
	if c == nil {
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
	var doc struct {
		Root struct {
			NodeID  int
			BaseURL string
		}
	}
	var found struct{ NodeID int }
	var link struct{ Attributes []string }
	at, err := c.attach(ctx, tab)
	if err != nil {
		return ""
	}
	call := func(method string, params any, into any) bool {
		return c.call(ctx, at, method, params, into) == nil
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
