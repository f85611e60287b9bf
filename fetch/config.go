package fetch

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/extract"
	"github.com/drover-go/drover/fetch/maincontent"
	"github.com/drover-go/drover/fetch/markdown"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/storage/projects"
)

// Config configures [New].
type Config struct {
	// Gate is what every connection goes through. Required.
	Gate *egress.Gate
	// Proxies are what fetches go through that ask for it, in turn. Default none:
	// asking is Invalid.
	Proxies *egress.Pool
	// Callers find the project of a call. Required.
	Callers projects.Resolver
	// Allow is asked before each fetch whether the project may have the
	// format. Its error goes to the caller: PaymentRequired and Forbidden are
	// meant for it. Default everything is allowed.
	Allow func(ctx context.Context, p projects.Project, f Format) error

	// Renderer loads pages for fetches that ask for it. Default none: asking is
	// Invalid.
	Renderer Renderer

	// Certificates are those that fetches may name. Default none: naming some is
	// Invalid.
	Certificates Certificates

	// MaxConcurrent is how many fetches a project may have under way; one more
	// is RateLimited. Default 32.
	MaxConcurrent int
	// MaxBody is the largest content in bytes, after decompression. Default 5 MiB.
	MaxBody int64
	// MaxHeader is the largest head of an answer in bytes. Default 256 KiB.
	MaxHeader int64
	// MaxRedirects is how many redirects are followed. Default 20, as browsers do.
	MaxRedirects int
	// Timeout bounds a whole fetch, redirects and body included. Default 60 s.
	Timeout time.Duration
	// IdleTimeout bounds the wait for the next bytes of an answer. Default 30 s.
	IdleTimeout time.Duration
	// Markdown are the limits of conversions to markdown; the PageURL in it is
	// ignored. Default [markdown.Options]'s defaults.
	Markdown markdown.Options
	// MainContent are the limits of finding the main content; the PageURL in it is
	// ignored. Default [maincontent.Options]'s defaults.
	MainContent maincontent.Options
	// Extract are the limits of format JSON; Shown, Explain and Complete in it are
	// ignored. Default [extract.ShapeOptions]'s defaults.
	Extract extract.ShapeOptions
	// Extractor is asked for what a schema requires and a page does not say,
	// unless a fetch names its own. Default nobody.
	Extractor Extractor
	// UserAgent is sent with every request. Default that of a current browser
	// with Drover's name behind it.
	UserAgent string

	// Telemetry counts fetches. Default nil: nobody does.
	Telemetry *telemetry.Telemetry
	// Clock is the source of time. Default the system's.
	Clock clock.Clock
	// Logger hears, at level debug, of fetches that failed, with the reason that
	// the caller is not told, and at level info of redirects from https to
	// http. Default discards.
	Logger *slog.Logger
}

const defaultUserAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Drover/1"

func (c Config) withDefaults() Config {
	c.MaxConcurrent = cmp.Or(c.MaxConcurrent, 32)
	c.MaxBody = cmp.Or(c.MaxBody, 5<<20)
	c.MaxHeader = cmp.Or(c.MaxHeader, 256<<10)
	c.MaxRedirects = cmp.Or(c.MaxRedirects, 20)
	c.Timeout = cmp.Or(c.Timeout, time.Minute)
	c.IdleTimeout = cmp.Or(c.IdleTimeout, 30*time.Second)
	c.UserAgent = cmp.Or(c.UserAgent, defaultUserAgent)
	if c.Clock == nil {
		c.Clock = clock.System()
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Allow == nil {
		c.Allow = func(context.Context, projects.Project, Format) error { return nil }
	}
	return c
}

func (c Config) required() error {
	switch {
	case c.Gate == nil:
		return errtypes.Field("Config.Gate", "is required")
	case c.Callers == nil:
		return errtypes.Field("Config.Callers", "is required")
	}
	return nil
}

// validate refuses what is unknown and what does not go together.
func (o Options) validate() error {
	switch o.Format {
	case "", Raw, JSON, Markdown:
	default:
		return errtypes.Field("format", `must be "raw", "json" or "markdown"`)
	}
	switch {
	case o.Proxies && len(o.ProxyRules) > 0:
		return errtypes.Field("proxies", "must be either true or a list of rules")
	case o.OnlyMainContent && (o.Format == "" || o.Format == Raw):
		return errtypes.Field("onlyMainContent", "is for markdown and json: raw is the page as it was sent")
	}
	return egress.Policy{AllowedDomains: o.AllowedDomains}.Validate()
}
