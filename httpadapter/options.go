package httpadapter

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter/v2"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/internal/wire/request"
)

// Options configure [New]. The zero value of every field stands for its
// default.
type Options struct {
	// KeyHeaders are the headers an API key may come in. The first that is
	// there counts; a 401 names all of them. Default X-SVC-API-Key, X-BB-API-Key.
	KeyHeaders []string
	// MaxBody is the largest JSON body, after decompression, in bytes. Default
	// 9,437,184 (DECISIONS 3).
	MaxBody int64
	// MaxDiscard is how much of a body that is too large is read and dropped,
	// in bytes, so that its caller reads the answer and learns the length. At
	// least MaxBody. Default 67,108,864.
	MaxDiscard int64
	// MaxDepth is how deep objects and arrays of a body may be nested. Default
	// 128.
	MaxDepth int
	// BodyIdleTimeout is how long the next piece of a body may take. Default
	// 30 seconds.
	BodyIdleTimeout time.Duration
	// BodyTimeout is how long a whole body may take. Default 5 minutes.
	BodyTimeout time.Duration
	// AnswerTimeout is how long sending an answer may take, from its first
	// byte to its last; of a file, each MiB. Default 2 minutes.
	AnswerTimeout time.Duration
	// HealthTimeout is how long /healthz waits for the database. Default 5
	// seconds.
	HealthTimeout time.Duration
	// MaxUpload is the largest body of a route that takes a file, in bytes, the
	// form around the file included. Default 104,923,136, which is 100 MiB and
	// 64 KiB.
	MaxUpload int64
	// MaxStreams is how many streams of messages a project may have open at a time.
	// Default 100.
	MaxStreams int
	// Rates are how many requests a project may send to the second interface.
	Rates Rates
	// PublicURL is the http or https URL under which clients see the handler:
	// scheme, host, and the prefix that it is mounted under. URLs in answers
	// begin with it. Default what the request says: its host, https where the
	// connection to this process has TLS, and the prefix that was taken off its
	// path in this process, as http.StripPrefix does.
	PublicURL string
	// Home is what GET / says of the service, to anybody: a page to browsers, JSON
	// to others. Default nothing: GET / is 404, since a host may have a page of its
	// own there.
	Home Home
	// MetricsToken opens GET /metrics to whoever sends it as "Authorization: Bearer
	// TOKEN"; see [Metrics], which is for a listener, or a path, of its own. Default
	// none: there is no such path.
	MetricsToken string
	// Clock paces the signs of life in streams of messages. Default the machine's.
	Clock drover.Clock
	// Logger hears one line a request, and of panics. Default slog.Default().
	Logger *slog.Logger
}

// Rates are how many requests a project may send; see [v2.Rates].
type Rates = v2.Rates

// Home is what a service says of itself, besides where its documents are.
type Home struct {
	// Name of the service; without one there is no page.
	Name string
	// Version of it, in any form.
	Version string
}

func (o Options) withDefaults() Options {
	if len(o.KeyHeaders) == 0 {
		o.KeyHeaders = []string{"X-SVC-API-Key", "X-BB-API-Key"}
	}
	l := o.limits().WithDefaults()
	o.MaxBody, o.MaxDiscard, o.BodyIdleTimeout, o.BodyTimeout = l.MaxBody, l.MaxDiscard, l.IdleTimeout, l.TotalTimeout
	o.MaxDepth = cmp.Or(o.MaxDepth, strictjson.DefaultMaxDepth)
	o.AnswerTimeout = cmp.Or(o.AnswerTimeout, api.DefaultAnswerTimeout)
	o.HealthTimeout = cmp.Or(o.HealthTimeout, 5*time.Second)
	o.MaxUpload = cmp.Or(o.MaxUpload, 100<<20+64<<10)
	o.MaxStreams = cmp.Or(o.MaxStreams, 100)
	o.Rates = o.Rates.WithDefaults()
	if o.Clock == nil {
		o.Clock = clock.System()
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return o
}

func (o Options) limits() request.Limits {
	return request.Limits{
		MaxBody: o.MaxBody, MaxDiscard: o.MaxDiscard, IdleTimeout: o.BodyIdleTimeout, TotalTimeout: o.BodyTimeout,
	}
}
