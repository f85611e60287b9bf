package runtime

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/loopback"
)

// Options configure [New]. The zero value is useful.
type Options struct {
	// MaxResult is how many bytes of a result are kept. Default 6 MiB.
	MaxResult int64
	// Pulse is how often a process that waits for an invocation is sent white
	// space, without which its client gives up after five minutes. Default
	// 2 minutes.
	Pulse time.Duration
	// Clock paces the pulse. Default the machine's.
	Clock clock.Clock
	// Logger hears of faults of the endpoint. Default discards.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	o.MaxResult = cmp.Or(o.MaxResult, 6<<20)
	o.Pulse = cmp.Or(o.Pulse, 2*time.Minute)
	if o.Clock == nil {
		o.Clock = clock.System()
	}
	return o
}

// Endpoint serves the channels of a host. Close it.
type Endpoint struct {
	o        Options
	listener *loopback.Endpoint
	conns    *loopback.Connections

	mu       sync.Mutex
	channels map[string]*Channel // by secret
}

// New returns an endpoint that does not listen yet.
func New(o Options) *Endpoint {
	e := &Endpoint{o: o.withDefaults(), conns: loopback.NewConnections(), channels: map[string]*Channel{}}
	e.listener = loopback.New(loopback.Options{Name: "functions", Handler: e.routes(), Refuse: refuse, Configure: e.conns.Watch, Logger: o.Logger})
	return e
}

// publicText is what a program may know of an error of the host.
func publicText(err error) string { return errtypes.Public(err).Message }

func refuse(w http.ResponseWriter, err error) { http.Error(w, err.Error(), http.StatusForbidden) }

// Open returns a channel for a process that is about to be started.
func (e *Endpoint) Open() *Channel {
	c := &Channel{e: e, secret: strings.ToLower(rand.Text()), calls: make(chan *call), closed: make(chan struct{})}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.channels[c.secret] = c
	return c
}

func (e *Endpoint) forget(c *Channel) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.channels, c.secret)
}

// Close ends the endpoint with its connections. It is idempotent.
func (e *Endpoint) Close() error { return e.listener.Close() }

func (e *Endpoint) routes() http.Handler {
	mux := http.NewServeMux()
	const at = "/{secret}/2018-06-01/runtime/invocation/"
	mux.HandleFunc("GET "+at+"next", e.of((*Channel).serveNext))
	mux.HandleFunc("POST "+at+"{id}/response", e.of((*Channel).serveResponse))
	mux.HandleFunc("POST "+at+"{id}/error", e.of((*Channel).serveError))
	mux.HandleFunc("GET /{secret}"+connectPath, e.of((*Channel).serveConnect))
	mux.HandleFunc("GET /{secret}"+connectPath+"/json/version", e.of((*Channel).serveConnect))
	return mux
}

// of finds the channel of a request. The secret is 26 random letters, so that a
// look-up tells nothing by its time.
func (e *Endpoint) of(serve func(*Channel, http.ResponseWriter, *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		c := e.channels[r.PathValue("secret")]
		e.mu.Unlock()
		if c == nil {
			http.NotFound(w, r)
			return
		}
		end, ok := e.conns.Begin(r, &c.client)
		if !ok {
			w.Header().Set("Connection", "close")
			http.Error(w, "this process has too many connections", http.StatusServiceUnavailable)
			return
		}
		defer end()
		serve(c, w, r)
	}
}

// serveNext holds the request until there is an invocation. Its head is sent at
// once, and white space now and then: JSON may begin with it, and a client that
// hears nothing for five minutes gives up.
func (c *Channel) serveNext(w http.ResponseWriter, r *http.Request) {
	id := newRequestID()
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Lambda-Runtime-Aws-Request-Id", id)
	w.Header().Set("Lambda-Runtime-Trace-Id", id)
	w.WriteHeader(http.StatusOK)
	pulse := c.e.o.Clock.NewTimer(c.e.o.Pulse)
	defer pulse.Stop()
	for {
		if out.Flush() != nil {
			return
		}
		select {
		case one := <-c.calls:
			if one.in.Taken != nil {
				one.in.Taken()
			}
			c.take(one, id)
			json.NewEncoder(w).Encode(event{one.in.Function, one.in.Params, one.said}) // who does not get it ends, which is noticed by its end
			return
		case <-pulse.C():
			io.WriteString(w, "\n")
			pulse.Reset(c.e.o.Pulse)
		case <-c.closed:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// event is an invocation as the runtime reads it.
type event struct {
	FunctionName string          `json:"functionName"`
	Params       json.RawMessage `json:"params"`
	Context      json.RawMessage `json:"context"`
}

// discarded is how much of a body that is too large is read to its end, so that
// its sender hears of it.
const discarded = 64 << 20

// body reads at most limit bytes. Of a larger one it returns the length.
func body(r *http.Request, limit int64) (b []byte, tooLarge int64, err error) {
	b, err = io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err != nil || int64(len(b)) <= limit {
		return b, 0, err
	}
	n, err := io.Copy(io.Discard, io.LimitReader(r.Body, discarded))
	return nil, int64(len(b)) + n, err
}

// bodyTime is how long a body may take. On loopback it is a matter of milliseconds.
const bodyTime = time.Minute

// receive takes an answer. It reads the bodies of a process one after the other, and
// keeps those only that answer the invocation that the process has. It accepts others,
// and those that it cannot keep, too: a runtime whose answer is refused ends itself.
func (c *Channel) receive(w http.ResponseWriter, r *http.Request, limit int64, outcome func(b []byte, tooLarge int64) Outcome) {
	if err := http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime)); err != nil {
		http.Error(w, "the body cannot be read", http.StatusInternalServerError)
		return
	}
	id := r.PathValue("id")
	if !c.receiveOne(id, r, limit, outcome) {
		http.Error(w, "the body cannot be read", http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// receiveOne reports whether the body could be read.
func (c *Channel) receiveOne(id string, r *http.Request, limit int64, outcome func(b []byte, tooLarge int64) Outcome) bool {
	if c.expects(id) {
		c.receiving.Lock()
		defer c.receiving.Unlock()
	}
	if !c.expects(id) { // or it was answered meanwhile
		_, err := io.Copy(io.Discard, io.LimitReader(r.Body, limit))
		return err == nil
	}
	b, tooLarge, err := body(r, limit)
	if err == nil {
		c.answer(id, outcome(b, tooLarge))
	}
	return err == nil
}

// serveResponse takes a result.
func (c *Channel) serveResponse(w http.ResponseWriter, r *http.Request) {
	c.receive(w, r, c.e.o.MaxResult, resultOf)
}

func resultOf(b []byte, tooLarge int64) (out Outcome) {
	out.TooLarge = tooLarge
	switch {
	case tooLarge > 0 || len(b) == 0:
	case json.Valid(b):
		out.Result = b
	default:
		out.Failure = &Failure{Type: "InvalidResult", Message: "the runtime has answered with something that is no JSON"}
	}
	return out
}

// maxFailure is how much of an error is read.
const maxFailure = 256 << 10

// serveError takes an error.
func (c *Channel) serveError(w http.ResponseWriter, r *http.Request) {
	c.receive(w, r, maxFailure, failureOf)
}

func failureOf(b []byte, tooLarge int64) Outcome {
	f, err := readFailure(b)
	if err != nil || tooLarge > 0 {
		f = &Failure{Type: "UnknownError", Message: "the function has failed"}
	}
	return Outcome{Failure: f}
}

func readFailure(b []byte) (*Failure, error) {
	var sent struct {
		Type    *string `json:"errorType"`
		Message *string `json:"errorMessage"`
	}
	if err := json.Unmarshal(b, &sent); err != nil {
		return nil, err
	}
	if sent.Type == nil && sent.Message == nil {
		return nil, errors.New("runtime: no error")
	}
	f := &Failure{Type: "Error"}
	if sent.Type != nil {
		f.Type = *sent.Type
	}
	if sent.Message != nil {
		f.Message = *sent.Message
	}
	return f, nil
}
