package httpadapter

import (
	"log/slog"
	"net/http"
	"time"
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
// to the log; nil discards it. The caller starts the server, and may change it
// before.
func Server(h http.Handler, log *slog.Logger) *http.Server {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &http.Server{
		Handler:           h,
		MaxHeaderBytes:    maxHeader,
		ReadHeaderTimeout: readHeaderTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}
