package egress

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// Proxy is for http.Transport: it says which requests go to a proxy as they
// are. The URL it returns names no host; DialContext knows what it stands for.
func (d *Dialer) Proxy(req *http.Request) (*url.URL, error) {
	if req.URL.Scheme != "http" || !d.hasRequestProxy() {
		return nil, nil
	}
	up, err := d.route(req.Context(), withPort(req.URL))
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
		if r.Upstream.takesRequests() {
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
	up := d.rules.upstream(resp.Request.URL.Hostname())
	if !up.takesRequests() {
		return nil
	}
	return up.refusal(resp.StatusCode)
}

// standIn returns a "host:port" that no URL can name. It tells DialContext
// which proxy a request goes to.
func (d *Dialer) standIn(up *Upstream) string {
	for i, r := range d.rules.routes {
		if r.Upstream == up {
			return fmt.Sprintf("%d%s", i, standInSuffix)
		}
	}
	return ""
}

const standInSuffix = ".proxy~:80"

// standsFor returns the proxy that a "host:port" stands for; nil for a server.
func (d *Dialer) standsFor(addr string) *Upstream {
	if !strings.HasSuffix(addr, standInSuffix) {
		return nil
	}
	for _, r := range d.rules.routes {
		if r.Upstream != nil && d.standIn(r.Upstream) == addr {
			return r.Upstream
		}
	}
	return nil
}

// withPort returns the "host:port" of an http URL.
func withPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}
