package egress

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Proxy is for http.Transport: it says which requests go to a proxy as they
// are. The URL it returns names no host; DialContext knows what it stands for.
func (d *Dialer) Proxy(req *http.Request) (*url.URL, error) {
	if req.URL.Scheme != "http" || !d.hasRequestProxy() {
		return nil, nil
	}
	h, err := d.route(req.Context(), withPort(req.URL))
	up := h.up
	if err != nil || !up.takesRequests() {
		return nil, err
	}
	u := &url.URL{Scheme: "http", Host: d.standIn(up)}
	if up.login != nil {
		l := up.login()
		u.User = url.UserPassword(l.user, l.password)
	}
	return u, nil
}

func (d *Dialer) hasRequestProxy() bool {
	for _, r := range d.rules.routes {
		if slices.ContainsFunc(r.all(), (*Upstream).takesRequests) {
			return true
		}
	}
	return false
}

// Answered returns the failure of a proxy that answered a request itself; nil
// for the answer of a server.
func (d *Dialer) Answered(resp *http.Response) error {
	if resp.StatusCode != http.StatusProxyAuthRequired || resp.Request == nil || resp.Request.URL.Scheme != "http" {
		return nil
	}
	up := d.rules.hop(resp.Request.URL.Hostname()).up
	if !up.takesRequests() {
		return nil
	}
	return up.refusal(resp.StatusCode)
}

// standIn returns a "host:port" that no URL can name. It tells DialContext
// which proxy a request goes to, whose log-in it carries: no other will do.
func (d *Dialer) standIn(up *Upstream) string {
	for i, r := range d.rules.routes {
		if number := slices.Index(r.all(), up); number >= 0 {
			return standInOf(i, number)
		}
	}
	return ""
}

func standInOf(route, number int) string { return fmt.Sprintf("%d-%d%s", route, number, standInSuffix) }

const standInSuffix = ".proxy~:80"

// standsFor returns what a "host:port" stands for; the zero hop for a server.
func (d *Dialer) standsFor(addr string) hop {
	if !strings.HasSuffix(addr, standInSuffix) {
		return hop{}
	}
	for i, r := range d.rules.routes {
		for number, up := range r.all() {
			if up != nil && standInOf(i, number) == addr {
				return hop{up, r.seat}
			}
		}
	}
	return hop{}
}

// withPort returns the "host:port" of an http URL.
func withPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}
