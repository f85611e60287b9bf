package sessions

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

// The limits of the endpoint's server; a websocket has those of its handler.
const (
	maxHeader         = 64 << 10
	readHeaderTimeout = 10 * time.Second
	keptIdle          = 2 * time.Minute
)

// endpoint is the service's own way in: a listener on a free port of this
// machine's loopback address, made when the first session is.
type endpoint struct {
	handler http.Handler
	log     *slog.Logger

	mu     sync.Mutex
	server *http.Server
	addr   string
	ended  chan struct{}
	closed bool
}

// address returns where the endpoint listens, "127.0.0.1:port".
func (e *endpoint) address() (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.closed:
		return "", errClosing
	case e.server != nil:
		return e.addr, nil
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", errtypes.New(errtypes.Unavailable, "the endpoint of the sessions cannot listen").WithCause(err)
	}
	e.addr, e.ended = l.Addr().String(), make(chan struct{})
	e.server = newServer(onlyLoopbackNames(e.handler), e.log)
	go func() {
		defer close(e.ended)
		if err := e.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			e.log.Error("sessions: the endpoint of the sessions has ended", "error", err)
		}
	}()
	return e.addr, nil
}

func newServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: h, MaxHeaderBytes: maxHeader, ReadHeaderTimeout: readHeaderTimeout, IdleTimeout: keptIdle,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

func (e *endpoint) close() (err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.server != nil {
		err = e.server.Close()
		<-e.ended
	}
	return err
}

// onlyLoopbackNames refuses requests that came to this address under a name
// that is not its own: a page whose name was made to point here.
func onlyLoopbackNames(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
			refuse(w, errtypes.New(errtypes.Forbidden, "this address has no such name"))
			return
		}
		h.ServeHTTP(w, r)
	})
}
