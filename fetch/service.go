package fetch

import (
	"context"
	"io"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/extract"
	"github.com/drover-go/drover/fetch/markdown"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage/projects"
)

// New returns the service. It connects to nothing before the first fetch.
func New(c Config) (_ Service, err error) {
	defer errtypes.Wrap(&err, "fetch.New")
	if err := c.required(); err != nil {
		return nil, err
	}
	c = c.withDefaults()
	life, end := context.WithCancelCause(context.Background())
	return &service{
		conf: c, client: newClient(c), life: life, end: end, underWay: map[string]int{},
		turns: make(chan struct{}, runtime.GOMAXPROCS(0)), metrics: newMetrics(c.Telemetry),
	}, nil
}

type service struct {
	conf    Config
	metrics metrics
	client  *client
	// life ends when the fetches under way are to be cut off.
	life context.Context
	end  context.CancelCauseFunc
	// turns are those who convert a page.
	turns chan struct{}

	mu       sync.Mutex
	closing  bool
	underWay map[string]int // fetches by project
	all      sync.WaitGroup
}

// one is a fetch under way.
type one struct {
	ctx     context.Context
	finish  func()
	project string // id of the caller's
	// whole ends the fetch when it fires, and so does silence; see await.
	whole    clock.Timer
	silence  clock.Timer
	idle     time.Duration
	turns    chan struct{}
	markdown markdown.Options
	conf     *Config
	schema   *extract.Schema // of format JSON
}

// takeTurn waits until a page may be converted. One page takes a processor and
// many times its size of memory, so only as many are converted at a time as
// there are processors; the wait counts as time of the fetch. Whoever has a turn
// leaves it soon after its context ends.
func (f *one) takeTurn() error {
	select {
	case f.turns <- struct{}{}:
		return nil
	case <-f.ctx.Done():
		return context.Cause(f.ctx)
	}
}

func (f *one) leaveTurn() { <-f.turns }

// retakeTurn waits for a turn although the context may have ended: who gave one
// up for a while is about to leave it.
func (f *one) retakeTurn() { f.turns <- struct{}{} }

// await starts, and arrived stops, the time for which the page's server may be
// silent. The time that the reader of a stream takes between is not the server's.
func (f *one) await() { f.silence.Reset(f.idle) }

func (f *one) arrived() { f.silence.Stop() }

// awaited is content whose reading is timed.
type awaited struct {
	r io.Reader
	f *one
}

func (a *awaited) Read(p []byte) (int, error) {
	a.f.await()
	defer a.f.arrived()
	return a.r.Read(p)
}

// begin checks what can be checked before the first byte is sent, takes a
// place among the project's fetches and starts the time.
func (s *service) begin(ctx context.Context, o Options) (*one, error) {
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return nil, err
	}
	if err := o.validate(); err != nil {
		return nil, err
	}
	wanted, err := o.compile()
	if err != nil {
		return nil, err
	}
	if err := s.conf.Allow(ctx, project, cmpFormat(o.Format)); err != nil {
		return nil, err
	}
	if err := s.enter(project); err != nil {
		return nil, err
	}
	f := s.start(ctx, project)
	f.schema = wanted
	return f, nil
}

func cmpFormat(f Format) Format {
	if f == "" {
		return Raw
	}
	return f
}

func (s *service) enter(p projects.Project) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closing:
		return errClosing
	case s.underWay[p.ID] >= s.conf.MaxConcurrent:
		return errtypes.New(errtypes.RateLimited, "the limit of %d concurrent fetches is exceeded", s.conf.MaxConcurrent)
	}
	s.underWay[p.ID]++
	s.all.Add(1)
	return nil
}

func (s *service) leave(p projects.Project) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.underWay[p.ID]--; s.underWay[p.ID] == 0 {
		delete(s.underWay, p.ID)
	}
	s.all.Done()
}

func (s *service) start(ctx context.Context, p projects.Project) *one {
	ctx, cancel := context.WithCancelCause(ctx)
	whole := s.conf.Clock.AfterFunc(s.conf.Timeout, func() { cancel(errTimedOut) })
	silence := s.conf.Clock.AfterFunc(s.conf.IdleTimeout, func() { cancel(errTooSlow) })
	unlink := context.AfterFunc(s.life, func() { cancel(context.Cause(s.life)) })
	return &one{ctx: ctx, project: p.ID, whole: whole, silence: silence, idle: s.conf.IdleTimeout, turns: s.turns, markdown: s.conf.Markdown, conf: &s.conf, finish: sync.OnceFunc(func() {
		whole.Stop()
		silence.Stop()
		unlink()
		cancel(nil)
		s.leave(p)
	})}
}

func (s *service) Open(ctx context.Context, rawURL string, o Options) (_ *Stream, err error) {
	id := ids.New()
	ctx, done := s.metrics.begin(ctx, streamLabel)
	defer func() { done(err) }()
	defer s.identify(ctx, &err, id)
	if f := cmpFormat(o.Format); f != Raw {
		return nil, errtypes.Field("format", "must be raw: %q cannot be streamed", f)
	}
	a, err := s.open(ctx, rawURL, o)
	if err != nil {
		return nil, err
	}
	return &Stream{
		ID: id, URL: a.url.String(), StatusCode: a.status, Headers: a.headers, ContentType: a.contentType,
		Body: &body{id: id, answer: a},
	}, nil
}

// identify puts the id of the fetch on an error, and the error in the log.
func (s *service) identify(ctx context.Context, errp *error, id string) {
	if *errp != nil {
		s.conf.Logger.LogAttrs(ctx, slog.LevelDebug, "fetch failed", slog.String("id", id), slog.String("error", (*errp).Error()))
		*errp = &failed{id, *errp}
	}
}

// open runs a fetch up to the content. The answer must be closed.
func (s *service) open(ctx context.Context, rawURL string, o Options) (*answer, error) {
	u, err := egress.ParseURL(rawURL)
	if err != nil {
		return nil, err
	}
	if err := o.validateFor(u); err != nil {
		return nil, err
	}
	f, err := s.begin(ctx, o)
	if err != nil {
		return nil, err
	}
	get := s.client.get
	if o.Render {
		get = s.render
	}
	a, err := get(f, u, o)
	if err != nil {
		err = explain(f.ctx, err)
		f.finish()
		return nil, err
	}
	return a, nil
}

func (s *service) Get(ctx context.Context, rawURL string, o Options) (_ *Answer, err error) {
	id := ids.New()
	ctx, done := s.metrics.begin(ctx, formatLabel(o.Format))
	defer func() { done(err) }()
	defer s.identify(ctx, &err, id)
	a, err := s.open(ctx, rawURL, o)
	if err != nil {
		return nil, err
	}
	defer a.close()
	got := &Answer{Format: cmpFormat(o.Format), ID: id, URL: a.url.String(), StatusCode: a.status, Headers: a.headers, ContentType: a.contentType}
	if err := a.fill(got, o); err != nil {
		return nil, explain(a.one.ctx, err)
	}
	return got, nil
}

func (s *service) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	cut := context.AfterFunc(ctx, func() { s.end(errClosing) })
	defer cut()
	s.all.Wait()
	s.end(errClosing)
	s.client.close()
	return nil
}

// body is the content of a [Stream]. It reports errors as the service does.
type body struct {
	id     string
	answer *answer
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.answer.body.Read(p)
	if err != nil && err != io.EOF {
		err = &failed{b.id, explain(b.answer.one.ctx, err)}
	}
	return n, err
}

func (b *body) Close() error {
	b.answer.close()
	return nil
}
