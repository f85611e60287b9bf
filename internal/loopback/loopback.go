// Package loopback is the way in that a domain has of its own: a listener on a
// free port of this machine's loopback address, made when it is needed first.
// Clients of sessions, the runtimes of functions and Actors come through one.
package loopback

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// The limits of the server; what goes on for long has those of its handler.
const (
	maxHeader         = 64 << 10
	ReadHeaderTimeout = 10 * time.Second
	keptIdle          = 2 * time.Minute
)

// Options configure [New]. All is required but Configure and Logger.
type Options struct {
	// Name says in errors and logs whose it is, as in "sessions".
	Name string
	// Handler serves what comes under a name of the loopback address.
	Handler http.Handler
	// Refuse answers what comes under another name: a page whose name was made to
	// point here.
	Refuse func(http.ResponseWriter, error)
	// Configure changes the server before it is started. Default it stays as it is.
	Configure func(*http.Server)
	// Logger hears of a server that ended by itself. Default discards.
	Logger *slog.Logger
}

// Endpoint is such a way in. Close it, whether or not it is used.
type Endpoint struct {
	o Options

	mu     sync.Mutex
	server *http.Server
	addr   string
	ended  chan struct{}
	closed bool
}

// New returns an endpoint that does not listen yet.
func New(o Options) *Endpoint {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Endpoint{o: o}
}

// Address returns where it listens, "127.0.0.1:port", and makes it listen. Error
// kind Unavailable when it cannot, or is closed.
func (e *Endpoint) Address() (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.closed:
		return "", errtypes.New(errtypes.Unavailable, "the service is closing")
	case e.server != nil:
		return e.addr, nil
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", errtypes.New(errtypes.Unavailable, "the endpoint of the %s cannot listen", e.o.Name).WithCause(err)
	}
	e.addr, e.ended = l.Addr().String(), make(chan struct{})
	e.server = NewServer(e, e.o.Logger)
	if e.o.Configure != nil {
		e.o.Configure(e.server)
	}
	go func() {
		defer close(e.ended)
		if err := e.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			e.o.Logger.Error("an endpoint on loopback has ended", "of", e.o.Name, "error", err)
		}
	}()
	return e.addr, nil
}

// NewServer returns a server with the limits of those on loopback.
func NewServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: h, MaxHeaderBytes: maxHeader, ReadHeaderTimeout: ReadHeaderTimeout, IdleTimeout: keptIdle,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// Close ends it with its connections and waits for it. It is idempotent.
func (e *Endpoint) Close() (err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.server != nil {
		err = e.server.Close()
		<-e.ended
	}
	return err
}

// ServeHTTP refuses requests that came to this address under a name that is not
// its own.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
		e.o.Refuse(w, errtypes.New(errtypes.Forbidden, "this address has no such name"))
		return
	}
	e.o.Handler.ServeHTTP(w, r)
}
