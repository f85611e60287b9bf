package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/storage/projects"
)

// keyVariable presets the key of the default project.
const keyVariable = "DROVER_API_KEY"

type serveCmd struct {
	store
	network
	extensionRights
	modelFlags
	searchFlag
	limits
	programFlags
	metricsFlags
	Addr                string        `default:"127.0.0.1:8080" help:"Address to listen on; port 0 takes a free one. Default ${default}." placeholder:"HOST:PORT"`
	PublicURL           string        `name:"public-url" help:"URL under which clients see the service, for URLs in answers. Default what each request says." placeholder:"URL"`
	AllowHTTPWebhooks   bool          `name:"allow-http-webhooks" help:"Let webhooks of functions, agent runs and sessions go to http: addresses, too. Those of Actors may."`
	ShutdownTime        time.Duration `default:"30s" help:"How long the process may go on after SIGTERM, runs, requests and closing together; at least 1s. A second signal ends it at once."`
	BrowserShared       bool          `help:"Let sessions of several projects be in the browser of --browser-url at a time, with nothing but browser contexts between them. Otherwise it serves one project at a time."`
	AcceptLostMasterKey bool          `help:"Make a new master key where the file with the old one is lost for good. The contexts and client certificates of before stay unusable."`
	LogFormat           string        `enum:"text,json" default:"text" help:"text or json."`
	LogLevel            slog.Level    `default:"INFO" help:"DEBUG, INFO, WARN or ERROR."`
}

// Run serves until the context ends.
func (cmd serveCmd) Run(ctx context.Context, c console) (err error) {
	log := cmd.logger(c.stderr)
	o, err := cmd.options(log)
	if err != nil {
		return err
	}
	d, err := drover.Open(ctx, o)
	if err != nil {
		return err
	}
	closing := cmd.newClosing(ctx, log)
	defer func() { err = errors.Join(err, closing.finish(d)) }()
	listener, err := net.Listen("tcp", cmd.Addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; --addr names another address", cmd.Addr, err)
	}
	metrics, err := cmd.metricsFlags.listen()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	key, err := ensureKey(ctx, d.Projects) // shown once, so only when nothing can come between
	if err != nil {
		return errors.Join(err, listener.Close(), closeIfOpen(metrics))
	}
	announce(c.stdout, log, listener.Addr(), key)
	stopMetrics := cmd.metricsFlags.serve(metrics, d, c.stdout, log)
	defer func() { err = errors.Join(err, stopMetrics()) }()
	return closing.serve(listener, httpadapter.New(d, cmd.adapter(log)), d.StopAccepting)
}

// options are those of the flags.
func (cmd serveCmd) options(log *slog.Logger) (drover.Options, error) {
	o := drover.Options{Data: cmd.Data, Logger: log, RequireProject: true, Workers: drover.WorkersAlways, PublicURL: cmd.PublicURL, AcceptLostMasterKey: cmd.AcceptLostMasterKey}
	cmd.network.apply(&o)
	o.WebhookLimits.AllowHTTP = cmd.AllowHTTPWebhooks
	cmd.extensionRights.apply(&o)
	giveMasterKeys(&o)
	cmd.limits.apply(&o)
	cmd.programFlags.apply(&o.Programs)
	o.Chromium.RemoteShared = cmd.BrowserShared
	if err := cmd.searchFlag.apply(&o); err != nil {
		return o, err
	}
	err := cmd.modelFlags.apply(&o)
	return o, err
}

func (cmd serveCmd) adapter(log *slog.Logger) httpadapter.Options {
	return httpadapter.Options{PublicURL: cmd.PublicURL, MetricsToken: cmd.metricsFlags.shared(), Logger: log, Home: httpadapter.Home{Name: "Drover", Version: version()}}
}

// Validate refuses a public URL that is none; the command line calls it.
func (cmd serveCmd) Validate() error {
	u, err := url.Parse(cmd.PublicURL)
	if cmd.PublicURL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil) {
		return errors.New("--public-url must be an http or https URL such as https://drover.example")
	}
	if cmd.ShutdownTime < leastTime {
		return fmt.Errorf("--shutdown-time must be at least %v", leastTime)
	}
	return errors.Join(cmd.limits.Validate(), cmd.metricsFlags.Validate())
}

func (cmd serveCmd) logger(w io.Writer) *slog.Logger {
	o := &slog.HandlerOptions{Level: cmd.LogLevel}
	if cmd.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}

// ensureKey sees to it that there is a key. It returns the secret of one that
// it made; empty when the operator has one.
func ensureKey(ctx context.Context, s projects.Service) (string, error) {
	if preset := os.Getenv(keyVariable); preset != "" {
		_, err := s.PresetKey(ctx, projects.Default, keyVariable, preset)
		return "", err
	}
	any, err := anyKey(ctx, s)
	if err != nil || any {
		return "", err
	}
	_, secret, err := s.CreateKey(ctx, projects.Default, "made by the first drover serve")
	return secret, err
}

// anyKey reports whether some project has a good key.
func anyKey(ctx context.Context, s projects.Service) (bool, error) {
	all, err := s.List(ctx)
	if err != nil {
		return false, err
	}
	for _, p := range all {
		keys, err := s.Keys(ctx, p.ID)
		if err != nil {
			return false, err
		}
		for _, k := range keys {
			if k.RevokedAt.IsZero() {
				return true, nil
			}
		}
	}
	return false, nil
}

// announce says where the service is, and the new key once. The key goes to
// standard output, never to the log.
func announce(w io.Writer, log *slog.Logger, addr net.Addr, key string) {
	base := baseURL(addr)
	fmt.Fprintf(w, "Drover listens on %s\n", base)
	if key != "" {
		fmt.Fprintf(w, "Key of the project %q, shown this once: %s\n", projects.Default, key)
		fmt.Fprintf(w, "Try:  curl %s/v1/agents -H 'X-SVC-API-Key: %s'\n", base, key)
	} else if os.Getenv(keyVariable) == "" {
		fmt.Fprintln(w, "There are keys already; \"drover keys create\" makes another.")
	}
	if ap, err := netip.ParseAddrPort(addr.String()); err == nil && !ap.Addr().IsLoopback() {
		log.Warn("listening beyond loopback without TLS: put a TLS proxy in front, keys travel in a header", "addr", addr.String())
	}
}

// baseURL is an address that a client on this machine can use.
func baseURL(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return "http://" + addr.String()
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}
