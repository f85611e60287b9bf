package providertest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
)

// A phase is how far an answer comes before the server falls silent.
type phase struct {
	name    string
	headers bool
	body    string
	limit   time.Duration // after which it is given up
	says    string
}

func (w Wire) phases() []phase {
	said, _ := w.Events(Answer{Text: "Hello"})
	return []phase{
		{"before the headers", false, "", 2 * time.Minute, "took too long to begin its answer"},
		{"before the first byte", true, "", 2 * time.Minute, "took too long to begin its answer"},
		{"in the middle", true, said[0], time.Minute, "stopped in the middle of its answer"},
	}
}

// hanging is a server that falls silent, and the model that waits for it.
type hanging struct {
	http   *httptest.Server
	silent chan struct{} // closed when the client waits, all that comes read
	gone   chan struct{} // closed when the server sees the end of the connection
}

func (p phase) serve(t *testing.T) *hanging {
	h := &hanging{silent: make(chan struct{}), gone: make(chan struct{})}
	h.http = httptest.NewServer(drained(func(w http.ResponseWriter, r *http.Request) {
		if p.headers {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, p.body)
			flush(w)
		}
		if p.body == "" {
			close(h.silent)
		}
		<-r.Context().Done()
		close(h.gone)
	}))
	t.Cleanup(h.http.Close)
	return h
}

// transport tells when what has come was read and noticed.
func (h *hanging) transport(p phase) http.RoundTripper {
	return reported{h.http.Client().Transport, func(_ context.Context, n int) {
		if n > 0 && n == len(p.body) {
			close(h.silent)
		}
	}}
}

// reported tells, whenever a read of an answer begins, how much was read before.
type reported struct {
	http.RoundTripper
	read func(ctx context.Context, n int)
}

func (t reported) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := t.RoundTripper.RoundTrip(r)
	if err == nil {
		res.Body = &reportedBody{res.Body, func(n int) { t.read(r.Context(), n) }, 0}
	}
	return res, err
}

type reportedBody struct {
	io.ReadCloser
	read func(n int)
	n    int
}

func (b *reportedBody) Read(p []byte) (int, error) {
	b.read(b.n)
	n, err := b.ReadCloser.Read(p)
	b.n += n
	return n, err
}

type outcome struct {
	response model.Response
	err      error
}

func ask(ctx context.Context, m model.Model) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		r, err := m.Generate(ctx, Request())
		done <- outcome{r, err}
	}()
	return done
}

// timeLimits are noticed by the clock, and named.
func (w Wire) timeLimits(t *testing.T) {
	for _, p := range w.phases() {
		t.Run(p.name, func(t *testing.T) {
			h, clk := p.serve(t), clock.NewManual(time.Unix(1e9, 0))
			done := ask(t.Context(), w.model(t, h.http, Setup{Clock: clk, Transport: h.transport(p)}))
			<-h.silent
			clk.Advance(p.limit - time.Second)
			select {
			case got := <-done:
				t.Fatalf("given up early: %v", got.err)
			default:
			}
			clk.Advance(time.Second)
			got := <-done
			want{fails: true, kind: model.ErrorNetwork, temporary: true, says: p.says, paid: p.body != ""}.check(t, got.response, got.err)
			<-h.gone
		})
	}
}

// openEnd is a server that says all, and leaves the connection open. The mark of
// the end is missing where an answer may end without.
func (w Wire) openEnd(t *testing.T) {
	said, end := w.Events(Answer{Text: "Hello"})
	p := phase{headers: true, body: strings.ReplaceAll(join(append(said, end...)), "data: [DONE]\n\n", "")}
	h, clk := p.serve(t), clock.NewManual(time.Unix(1e9, 0))
	done := ask(t.Context(), w.model(t, h.http, Setup{Clock: clk, Transport: h.transport(p)}))
	<-h.silent
	clk.Advance(2 * time.Second)
	got := <-done
	says(model.FinishStop, model.Text("Hello")).check(t, got.response, got.err)
	<-h.gone
}

// slowButAlive is a server that says a little every ten seconds, and ends in
// time; and one that never ends.
func (w Wire) slowButAlive(t *testing.T) {
	whole := w.reply(Answer{Text: "Hello"}, true).Body
	for _, c := range []struct {
		name   string
		pieces int
		pause  time.Duration
		want   want
	}{
		{"in time", 25, 10 * time.Second, says(model.FinishStop, model.Text("Hello"))},
		{"too long in whole", 25, 15 * time.Second, want{fails: true, kind: model.ErrorNetwork, temporary: true, says: "took too long for its answer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			clk, next := clock.NewManual(time.Unix(1e9, 0)), make(chan string)
			srv := httptest.NewServer(drained(func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Content-Type", "text/event-stream")
				for piece := range next {
					_, _ = io.WriteString(rw, piece)
					flush(rw)
				}
			}))
			defer srv.Close()
			reads := make(chan int)
			heard := reported{srv.Client().Transport, func(ctx context.Context, n int) {
				select {
				case reads <- n:
				case <-ctx.Done():
				}
			}}
			done := ask(t.Context(), w.model(t, srv, Setup{Clock: clk, Transport: heard}))
			got := drip(clk, whole, c.pieces, c.pause, next, reads, done)
			c.want.check(t, got.response, got.err)
		})
	}
}

// drip sends a text in pieces, and moves the clock once each was read. It ends
// when all the time has passed that an answer may take: nothing that comes then
// can change what comes of it. Before, it ends the answer: a wire may have no
// other end.
func drip(clk *clock.Manual, whole string, pieces int, pause time.Duration, next chan<- string, reads <-chan int, done <-chan outcome) outcome {
	ends := sync.OnceFunc(func() { close(next) })
	defer ends()
	size, passed := (len(whole)+pieces-1)/pieces, time.Duration(0)
	for at := 0; at < len(whole) && passed < 5*time.Minute; at += size {
		end := min(at+size, len(whole))
		next <- whole[at:end]
		for n := 0; n < end; {
			select {
			case n = <-reads:
			case got := <-done:
				return got
			}
		}
		clk.Advance(pause)
		passed += pause
	}
	if passed < 5*time.Minute {
		ends()
	}
	for {
		select {
		case <-reads:
		case got := <-done:
			return got
		}
	}
}

var errStopped = errors.New("the run was stopped")

// stops end a question in each phase: within a second, with the connection closed
// and no goroutine left.
func (w Wire) stops(t *testing.T) {
	before := goleak.IgnoreCurrent()
	for _, p := range w.phases() {
		t.Run(p.name, func(t *testing.T) {
			h := p.serve(t)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			done := ask(ctx, w.model(t, h.http, Setup{Transport: h.transport(p)}))
			<-h.silent
			began := time.Now()
			cancel(errStopped)
			got := <-done
			if took := time.Since(began); took > time.Second {
				t.Errorf("it took %v", took)
			}
			if !errors.Is(got.err, errStopped) || len(got.response.Content) > 0 {
				t.Errorf("%+v, %v", got.response, got.err)
			}
			if p.body != "" && got.response.Usage.Total() == 0 {
				t.Error("what was paid for is not told")
			}
			<-h.gone
		})
	}
	t.Run("at once", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errStopped)
		s := w.serve(t, inTurn(w.reply(Answer{Text: "Hello"}, true)))
		if got, err := s.model(Setup{}).Generate(ctx, Request()); !errors.Is(err, errStopped) || len(s.requests()) != 0 {
			t.Errorf("%+v, %v", got, err)
		}
	})
	if err := goleak.Find(before); err != nil {
		t.Error(err)
	}
}
