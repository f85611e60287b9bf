package httpadapter

import (
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/drover-go/drover/httpadapter/internal/framing"
)

// The limits of [Server]. What a handler takes in and gives out it bounds
// itself, with the time-outs of [Options].
const (
	maxHeader         = 64 << 10
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
)

// Server returns a server for the handler with limits that a public listener
// needs: 64 KiB of headers, 10 seconds to send them, 2 minutes without a
// request before a connection is closed. What goes wrong on a connection goes
// to the log; nil discards it. The caller starts the server, on a listener of
// [Strict] where it speaks plain HTTP, and may change it before; a ConnState of
// its own must call the one that is there, by which Strict hears of websockets.
func Server(h http.Handler, log *slog.Logger) *http.Server {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &http.Server{
		Handler:           h,
		MaxHeaderBytes:    maxHeader,
		ReadHeaderTimeout: readHeaderTimeout,
		IdleTimeout:       idleTimeout,
		ConnState:         framing.Watch,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// Strict returns a listener for [Server] on which a request that has both
// Content-Length and Transfer-Encoding, or says in another way that cannot be
// trusted where it ends, is answered 400, and its connection closed. net/http
// takes such a request by its chunks and hides the length from handlers, so a
// handler that a host mounts in a server of its own cannot see it. The listener
// must carry plain HTTP/1, behind a proxy or not; TLS has to end before it.
func Strict(l net.Listener) net.Listener { return framing.Listen(l) }
