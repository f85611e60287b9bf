package actors

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
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
	e := &endpoint{platform: http.HandlerFunc(noPlatform), clock: c.Clock, conns: loopback.NewConnections(), passes: map[string]*pass{}}
	e.ctx, e.end = context.WithCancel(context.Background())
	e.conns.Most = mostConnections
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
type address struct {
	base, events, token string
	proxy               map[string]string // variables; none without a proxy
}

// secrets are what is taken out of logs.
func (a address) secrets() map[string]string {
	return map[string]string{"APIFY_TOKEN": a.token, "ACTOR_EVENTS_WEBSOCKET_URL": a.events, "APIFY_PROXY_PASSWORD": a.proxy["APIFY_PROXY_PASSWORD"]}
}

const (
	// TokenPrefix is what the tokens of runs begin with.
	TokenPrefix = "drover_run_"
	eventsPath  = "/events/"
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
	return p, address{base: "http://" + host, events: "ws://" + host + eventsPath + c.RunID + "/" + events, token: TokenPrefix + c.RunID + "_" + token}, nil
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
	rest, ok := strings.CutPrefix(token, TokenPrefix)
	run, secret, _ := strings.Cut(rest, "_")
	if !ok {
		return nil
	}
	return e.find(run, secret, func(p *pass) [sha256.Size]byte { return p.token })
}
