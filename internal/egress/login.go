package egress

import (
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// errNoLogin is what a request is answered that shows no name and password.
var errNoLogin = errtypes.New(errtypes.Unauthenticated, "this proxy needs a user name and a password")

// dialerOf returns by what a request goes on, or why it does not.
func (p *Proxy) dialerOf(req *request) (*Dialer, error) {
	if p.opts.Authenticate == nil {
		return p.dialer.Load(), nil
	}
	fields := req.fields
	if req.tunnel {
		var err error
		if fields, err = readFields(req.unread); err != nil {
			return nil, errNoLogin
		}
	}
	user, password, ok := loginOf(fields)
	if !ok {
		return nil, errNoLogin
	}
	return p.opts.Authenticate(user, password)
}

// loginOf reads the one Proxy-Authorization of a head.
func loginOf(fields []field) (user, password string, ok bool) {
	var shown []string
	for _, f := range fields {
		if f.lower == "proxy-authorization" {
			shown = append(shown, f.value)
		}
	}
	if len(shown) != 1 {
		return "", "", false
	}
	scheme, encoded, _ := strings.Cut(shown[0], " ")
	text, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
	if !strings.EqualFold(scheme, "Basic") || err != nil {
		return "", "", false
	}
	return strings.Cut(string(text), ":")
}

// admit finds by what a request goes on, and answers those that go on to nowhere; done
// says that it was one of those.
func (c *client) admit(req *request) (done bool) {
	d, err := c.p.dialerOf(req)
	req.dialer = d
	switch {
	case errtypes.Is(err, errtypes.Unauthenticated):
		c.p.counters.turnedAway.Add(1)
		c.p.answer(c.conn, http.StatusProxyAuthRequired, errtypes.Public(err).Message, "Proxy-Authenticate: Basic realm=\"drover\"\r\n")
	case c.p.opts.Status != nil && !req.tunnel && req.target == c.p.Addr().String():
		c.p.reply(c.conn, http.StatusOK, "application/json; charset=utf-8", string(c.p.opts.Status(err)), "")
	case err != nil:
		c.p.answerFailure(c.conn, req, err)
	default:
		return false
	}
	linger(c.conn)
	return true
}
