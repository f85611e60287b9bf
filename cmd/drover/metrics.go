package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
)

// metricsFlags say where metrics are served: on a listener of their own, or with
// everything else behind a token of their own.
type metricsFlags struct {
	MetricsAddr  string `help:"Address of a listener of its own for GET /metrics, such as 127.0.0.1:9090. Beyond loopback it needs a token. Default none." placeholder:"HOST:PORT"`
	MetricsToken string `env:"DROVER_METRICS_TOKEN" help:"Token of GET /metrics, sent as Authorization: Bearer TOKEN, at least 16 characters. Without --metrics-addr it opens /metrics of --addr. Processes of others see flags: the variable is safer. Default none." placeholder:"TOKEN"`
}

// leastToken is how short a token may be.
const leastToken = 16

// Validate refuses a token that can be guessed, and metrics for everybody.
func (m metricsFlags) Validate() error {
	if m.MetricsToken != "" && len(m.MetricsToken) < leastToken {
		return fmt.Errorf("--metrics-token must have at least %d characters", leastToken)
	}
	if m.MetricsAddr == "" || m.MetricsToken != "" {
		return nil
	}
	host, _, err := net.SplitHostPort(m.MetricsAddr)
	if err != nil {
		return errors.New("--metrics-addr must be HOST:PORT, such as 127.0.0.1:9090")
	}
	if !onLoopback(host) {
		return errors.New("--metrics-addr is not on loopback, so DROVER_METRICS_TOKEN, or --metrics-token, must be set")
	}
	return nil
}

// onLoopback reports whether only this machine reaches a host.
func onLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// shared is the token of the metrics that are served with everything else.
func (m metricsFlags) shared() string {
	if m.MetricsAddr != "" {
		return ""
	}
	return m.MetricsToken
}

// listen listens where the metrics are to be, if they have a listener of their own;
// else it is nil.
func (m metricsFlags) listen() (net.Listener, error) {
	if m.MetricsAddr == "" {
		return nil, nil
	}
	listener, err := net.Listen("tcp", m.MetricsAddr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w; --metrics-addr names another address", m.MetricsAddr, err)
	}
	return listener, nil
}

// serve serves the metrics until stop is called, and says where to out.
func (m metricsFlags) serve(listener net.Listener, d *drover.Drover, out io.Writer, log *slog.Logger) (stop func() error) {
	if listener == nil {
		return func() error { return nil }
	}
	server := httpadapter.Server(m.handler(d), log)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(httpadapter.Strict(listener)) }()
	fmt.Fprintf(out, "Metrics are at %s%s\n", baseURL(listener.Addr()), httpadapter.MetricsPath)
	return func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			server.Close() // whoever is still connected is cut off
		}
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	}
}

// handler has /metrics and nothing else. Without a token a request must name this
// machine: else a page in a browser of this machine could read the metrics by a
// name of its own that it has made lead here.
func (m metricsFlags) handler(d *drover.Drover) http.Handler {
	mux := http.NewServeMux()
	mux.Handle(httpadapter.MetricsPath, httpadapter.Metrics(d, httpadapter.MetricsOptions{Token: m.MetricsToken}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if m.MetricsToken == "" && !onLoopback(hostOf(r.Host)) {
			http.Error(w, "the request names another host", http.StatusMisdirectedRequest)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// hostOf is a host without its port.
func hostOf(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return hostport
}

func closeIfOpen(l net.Listener) error {
	if l == nil {
		return nil
	}
	return l.Close()
}
