package actors

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/loopback"
	"github.com/drover-go/drover/storage/projects"
)

// endpoint is where runs in processes of their own ask their host: for events here, and
// for all else of the platform.
type endpoint struct {
	platform http.Handler
	clock    clock.Clock
	listener *loopback.Endpoint
	conns    *loopback.Connections
	ctx      context.Context // ends with the endpoint
	end      context.CancelFunc

	mu      sync.Mutex
	passes  map[string]*pass // by run
	closing bool             // it ends with the last pass
}

// mostConnections is how many a run may have at a time: crawlers push from many pages at
// once.
const mostConnections = 256

func newEndpoint(c Config) *endpoint {
	e := &endpoint{platform: c.Platform, clock: c.Clock, conns: loopback.NewConnections(), passes: map[string]*pass{}}
	e.ctx, e.end = context.WithCancel(context.Background())
	e.conns.Most = mostConnections
	if e.platform == nil {
		e.platform = http.HandlerFunc(noPlatform)
	}
	e.listener = loopback.New(loopback.Options{Name: "Actors", Handler: http.HandlerFunc(e.serve), Refuse: func(w http.ResponseWriter, err error) {
		refuse(w, errtypes.OfType(errtypes.TypeInsufficientPermissions, "%s", errtypes.Public(err).Message))
	}, Configure: e.conns.Watch, Logger: c.Logger})
	return e
}

// pass is what a process of a run comes in with. Only hashes of its secrets are kept.
type pass struct {
	e             *endpoint
	project       projects.Project
	caller        Caller
	token, events [sha256.Size]byte
	client        loopback.Client
	feed          *feed
}

// address is how a process finds the endpoint, and what it shows there.
type address struct{ base, events, token string }

// secrets are what is taken out of logs.
func (a address) secrets() map[string]string {
	return map[string]string{"APIFY_TOKEN": a.token, "ACTOR_EVENTS_WEBSOCKET_URL": a.events}
}

const (
	tokenMark  = "drover_run_"
	eventsPath = "/events/"
)

// open lets a process of a run in, until the pass is closed. Error kind Unavailable.
func (e *endpoint) open(project projects.Project, c Caller) (*pass, address, error) {
	host, err := e.listener.Address()
	if err != nil {
		return nil, address{}, err
	}
	token, events := rand.Text(), rand.Text()
	p := &pass{e: e, project: project, caller: c, token: sha256.Sum256([]byte(token)), events: sha256.Sum256([]byte(events)), feed: newFeed()}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.passes[c.RunID] = p
	return p, address{"http://" + host, "ws://" + host + eventsPath + c.RunID + "/" + events, tokenMark + c.RunID + "_" + token}, nil
}

// lastWords is how long what a process has said before its end may take to be heard.
const lastWords = 2 * time.Second

// close ends a pass whose process has ended. What that has still said is heard.
func (p *pass) close() {
	p.feed.close()
	timer := p.e.clock.NewTimer(lastWords)
	defer timer.Stop()
	select {
	case <-p.e.conns.Gone(&p.client):
	case <-timer.C():
	case <-p.e.ctx.Done():
	}
	p.e.mu.Lock()
	delete(p.e.passes, p.caller.RunID)
	last := p.e.closing && len(p.e.passes) == 0
	p.e.mu.Unlock()
	if last {
		p.e.stop()
	}
}

// close ends the endpoint once no process needs it.
func (e *endpoint) close() {
	e.mu.Lock()
	e.closing = true
	idle := len(e.passes) == 0
	e.mu.Unlock()
	if idle {
		e.stop()
	}
}

func (e *endpoint) stop() {
	e.end()
	_ = e.listener.Close() // of a listener
}

// find returns the pass of a run that has a secret, in a time that tells nothing of it.
func (e *endpoint) find(run, secret string, of func(*pass) [sha256.Size]byte) *pass {
	e.mu.Lock()
	p := e.passes[run]
	e.mu.Unlock()
	if p == nil {
		return nil
	}
	given, want := sha256.Sum256([]byte(secret)), of(p)
	if subtle.ConstantTimeCompare(given[:], want[:]) != 1 {
		return nil
	}
	return p
}

// ofToken returns the pass that a token is of; nil for none.
func (e *endpoint) ofToken(token string) *pass {
	rest, ok := strings.CutPrefix(token, tokenMark)
	run, secret, _ := strings.Cut(rest, "_")
	if !ok {
		return nil
	}
	return e.find(run, secret, func(p *pass) [sha256.Size]byte { return p.token })
}

// tokenOf is what a request shows, as clients of the platform do.
func tokenOf(r *http.Request) string {
	if kind, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(kind, "Bearer") {
		return strings.TrimSpace(token)
	}
	return r.URL.Query().Get("token")
}

// serve leaves paths as they are: keys of records stand in them unescaped.
func (e *endpoint) serve(w http.ResponseWriter, r *http.Request) {
	if rest, ok := strings.CutPrefix(r.URL.Path, eventsPath); ok {
		run, secret, _ := strings.Cut(rest, "/")
		e.serveEvents(w, r, run, secret)
		return
	}
	e.servePlatform(w, r)
}

// servePlatform has the platform answer for the run.
func (e *endpoint) servePlatform(w http.ResponseWriter, r *http.Request) {
	token := tokenOf(r)
	if token == "" {
		refuse(w, errtypes.OfType(errtypes.TypeTokenNotProvided, "Authentication token was not provided"))
		return
	}
	p := e.ofToken(token)
	if p == nil {
		refuse(w, errtypes.OfType(errtypes.TypeInvalidToken, "Authentication token is not valid: it is none of a run that is executed here"))
		return
	}
	done, ok := e.enter(w, r, p)
	if !ok {
		return
	}
	defer done()
	ctx, end := e.life(r)
	defer end()
	e.platform.ServeHTTP(w, r.WithContext(withCaller(projects.With(ctx, p.project), p.caller)))
}

// enter counts the connection of a request. One that is one too many is told so.
func (e *endpoint) enter(w http.ResponseWriter, r *http.Request, p *pass) (done func(), ok bool) {
	done, ok = e.conns.Begin(r, &p.client)
	if ok {
		return done, true
	}
	if done != nil {
		done()
	}
	w.Header().Set("Connection", "close")
	refuse(w, errtypes.OfType(errtypes.TypeTooManyRequests, "A run may have %d connections", mostConnections))
	return nil, false
}

// life is the context of a request. What changes something is not broken off when its
// process ends: that has said it.
func (e *endpoint) life(r *http.Request) (ctx context.Context, end func()) {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return r.Context(), func() {}
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	deaf := context.AfterFunc(e.ctx, cancel)
	return ctx, func() { deaf(); cancel() }
}

// noPlatform is there for a host that serves its runs nothing but events.
func noPlatform(w http.ResponseWriter, r *http.Request) {
	answer(w, http.StatusNotImplemented, errtypes.TypeNotImplemented, "This host does not serve "+r.Method+" "+r.URL.Path+" to its runs")
}

// refuse answers with an error in the form of the platform.
func refuse(w http.ResponseWriter, err error) {
	public := errtypes.Public(err)
	answer(w, public.Type.HTTPStatus(), public.Type, public.Message)
}

func answer(w http.ResponseWriter, status int, typ errtypes.Type, message string) {
	var body struct {
		Error struct {
			Type    errtypes.Type `json:"type"`
			Message string        `json:"message"`
		} `json:"error"`
	}
	body.Error.Type, body.Error.Message = typ, message
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // of a client that may have gone
}
