package httpadapter

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/drover-go/drover/httpadapter/internal/request"
	"github.com/drover-go/drover/httpadapter/internal/strictjson"
)

// Options configure [New]. The zero value of every field stands for its
// default.
type Options struct {
	// KeyHeaders are the headers an API key may come in. The first that is
	// there counts; error messages name the first of the list. Default
	// X-SVC-API-Key, X-BB-API-Key.
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
	// Logger hears one line a request, and of panics. Default slog.Default().
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	if len(o.KeyHeaders) == 0 {
		o.KeyHeaders = []string{"X-SVC-API-Key", "X-BB-API-Key"}
	}
	l := o.limits().WithDefaults()
	o.MaxBody, o.MaxDiscard, o.BodyIdleTimeout, o.BodyTimeout = l.MaxBody, l.MaxDiscard, l.IdleTimeout, l.TotalTimeout
	o.MaxDepth = cmp.Or(o.MaxDepth, strictjson.DefaultMaxDepth)
	o.AnswerTimeout = cmp.Or(o.AnswerTimeout, 2*time.Minute)
	o.HealthTimeout = cmp.Or(o.HealthTimeout, 5*time.Second)
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
