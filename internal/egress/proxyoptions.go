package egress

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// ProxyOptions are the settings of a proxy.
type ProxyOptions struct {
	// MaxConns is how many connections a proxy serves at once; more are closed
	// as they come. Default 256, which is what Chromium opens at most to
	// websockets, and eight times what it opens to a proxy.
	MaxConns int
	// MaxHeadBytes bounds the head of a request and of a response. A longer one
	// is answered 431, or 502. Default 256 KB.
	MaxHeadBytes int
	// HeadTimeout is how long a client may take from connecting, or from the
	// first byte of a further request, to the end of the request's head.
	// Default 60 s.
	HeadTimeout time.Duration
	// IdleTimeout ends a connection on which no byte went either way for so
	// long, during a request or between two. Default 5 min.
	IdleTimeout time.Duration
	// HandshakeTimeout bounds a TLS handshake with a server, and with the client,
	// for sessions with TLS material. Default 15 s.
	HandshakeTimeout time.Duration
	// OnRefused is called for each request that the gate or the policy refused,
	// before the client is told; calls may overlap. Default none.
	OnRefused func(Refusal)
	// OnFailed is called in the same way for each request whose server could
	// not be reached; err is that of [Dialer.DialContext]. Default none.
	OnFailed func(target string, err error)
	// EndOnFailure ends the connection of a plain GET or HEAD request that failed,
	// without an answer, so that a browser shows an error and no page. The reason
	// goes to OnFailed alone. Default false: it is answered 502.
	EndOnFailure bool
	// AllowOtherUsers serves processes of other users of this machine too. By
	// default they are turned away where the system tells who is calling
	// (Linux); elsewhere every local process may use the proxy, which then
	// gives it no more than its own access to the internet.
	AllowOtherUsers bool
	// Authenticate is asked about each request, with the user name and the password that
	// it shows, and returns by what it goes on; calls may overlap. An error of kind
	// Unauthenticated is answered 407, as is a request that shows none, any other as
	// one of the dialer. Default nil: all are served, as Use says.
	Authenticate func(user, password string) (*Dialer, error)
	// Status answers plain requests for the address of the proxy itself with JSON; err
	// is that of Authenticate. Default nil: those go on as all others.
	Status func(err error) []byte
	// Clock is the source of time. Default the system's.
	Clock clock.Clock
	// Logger gets a line for each failed request. Default discards.
	Logger *slog.Logger
}

// Refusal is a request that the gate or the policy refused.
type Refusal struct {
	// Target is the "host:port" that the client asked for.
	Target string
	// Err says why; it is a *RefusedError or a *BlockedError.
	Err error
}

func (o ProxyOptions) withDefaults() ProxyOptions {
	o.MaxConns = cmp.Or(o.MaxConns, 256)
	o.MaxHeadBytes = cmp.Or(o.MaxHeadBytes, 256<<10)
	o.HeadTimeout = cmp.Or(o.HeadTimeout, time.Minute)
	o.IdleTimeout = cmp.Or(o.IdleTimeout, 5*time.Minute)
	o.HandshakeTimeout = cmp.Or(o.HandshakeTimeout, 15*time.Second)
	o.Clock = cmp.Or(o.Clock, clock.System())
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.OnRefused == nil {
		o.OnRefused = func(Refusal) {}
	}
	if o.OnFailed == nil {
		o.OnFailed = func(string, error) {}
	}
	return o
}

// ProxyStats counts what a proxy did.
type ProxyStats struct {
	// Sent and Received are the bytes that went to servers and came from them, on
	// whatever way, without what it took to be let through by a proxy.
	Sent, Received int64
	// Requests are all that were understood, Refused those that the gate or the
	// policy refused, Failed those whose server could not be reached.
	Requests, Refused, Failed int64
	// Intercepted are the tunnels in which the proxy spoke TLS itself.
	Intercepted int64
	// TurnedAway are connections over the limit or of another user, and requests
	// without the right name and password.
	TurnedAway int64
}
