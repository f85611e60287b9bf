package egress

import (
	"encoding/base64"
	"fmt"
	"log/slog"
	"net"

	"github.com/drover-go/drover/errtypes"
)

// Upstream is a proxy behind the gate, through which traffic goes instead of
// directly. Make one with [ParseUpstream]; the zero value reaches nothing.
//
// However it is printed, logged or marshalled, it shows neither its user name
// nor its password.
type Upstream struct {
	kind       upstreamKind
	host, port string
	ofHost     bool
	// login is nil where the proxy asks for none. It is a function because
	// package fmt shows the fields of a struct inside another whatever methods
	// that has, and even what a pointer in it points to.
	login func() login
}

type login struct{ user, password string }

// hidden returns what an Upstream keeps; nil for an empty login.
func (l login) hidden() func() login {
	if l == (login{}) {
		return nil
	}
	return func() login { return l }
}

// upstreamKind is how a proxy is spoken to: the scheme of its URL.
type upstreamKind string

const (
	kindHTTP   upstreamKind = "http"
	kindHTTPS  upstreamKind = "https"
	kindSOCKS5 upstreamKind = "socks5"
)

// OfHost returns u as a proxy that the host has configured: it may stand in a
// private network, and callers are not told where.
func (u Upstream) OfHost() Upstream {
	u.ofHost = true
	return u
}

// WithLogin returns u with a user name and a password in place of those of its
// URL; two empty ones mean none. Error kind: Invalid.
func (u Upstream) WithLogin(user, password string) (Upstream, error) {
	l := login{user, password}
	if field, err := u.kind.checkLogin(l); err != nil {
		return u, errtypes.Field(field, "%s", err)
	}
	u.login = l.hidden()
	return u, nil
}

// String returns the URL without user name and password.
func (u Upstream) String() string {
	if u.kind == "" {
		return "no proxy"
	}
	return string(u.kind) + "://" + u.addr()
}

// GoString is String.
func (u Upstream) GoString() string { return u.String() }

// MarshalText is String.
func (u Upstream) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// LogValue is String.
func (u Upstream) LogValue() slog.Value { return slog.StringValue(u.String()) }

func (u Upstream) addr() string { return net.JoinHostPort(u.host, u.port) }

// takesRequests reports whether the proxy takes plain http requests with
// absolute URLs, besides making tunnels.
func (u *Upstream) takesRequests() bool {
	return u != nil && (u.kind == kindHTTP || u.kind == kindHTTPS)
}

// authorization returns the value of Proxy-Authorization; "" for none.
func (u *Upstream) authorization() string {
	if u.login == nil {
		return ""
	}
	l := u.login()
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(l.user+":"+l.password))
}

// errorf returns the proxy's failure as an error for the caller, which names
// the proxy only to who has chosen it. Its cause, for the log, does always.
func (u *Upstream) errorf(kind errtypes.Kind, cause error, format string, args ...any) error {
	return u.failure(kind, false, cause, fmt.Sprintf(format, args...))
}

// failure is errorf; unreached says that the proxy itself was not reached.
func (u *Upstream) failure(kind errtypes.Kind, unreached bool, cause error, what string) error {
	name := "the proxy " + u.String()
	if u.ofHost {
		name = "the configured proxy"
	}
	return errtypes.New(kind, "%s %s", name, what).WithCause(&upstreamFailure{proxy: u.String(), what: what, cause: cause, unreached: unreached})
}

// upstreamFailure is what a proxy behind the gate failed at, for the log.
type upstreamFailure struct {
	proxy string
	what  string // reads after "the proxy"; says nothing of where it is
	cause error  // nil for none

	unreached bool  // the proxy itself was not reached
	others    *Pool // has another proxy to try; nil for none
}

func (e *upstreamFailure) Error() string {
	if e.cause == nil {
		return "proxy " + e.proxy
	}
	return fmt.Sprintf("proxy %s: %s", e.proxy, e.cause)
}

func (e *upstreamFailure) Unwrap() error { return e.cause }
