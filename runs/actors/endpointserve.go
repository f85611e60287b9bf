package actors

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/loopback"
	"github.com/drover-go/drover/storage/projects"
)

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
		e.serveSigned(w, r)
		return
	}
	p := e.ofToken(token)
	if p == nil {
		refuse(w, errInvalidToken())
		return
	}
	done, ok := e.enter(w, r, &p.client)
	if !ok {
		return
	}
	defer done()
	ctx, end := e.life(r)
	defer end()
	e.platform.ServeHTTP(w, r.WithContext(p.as(ctx)))
}

// serveSigned has the platform answer for whoever has a signature, which it checks: it
// reads, and changes nothing. Its connection is counted to nobody: it may serve a run next.
func (e *endpoint) serveSigned(w http.ResponseWriter, r *http.Request) {
	if !reads(r) || r.URL.Query().Get("signature") == "" {
		refuse(w, errtypes.OfType(errtypes.TypeTokenNotProvided, "Authentication token was not provided"))
		return
	}
	e.platform.ServeHTTP(w, r)
}

func reads(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// as is a context in which the run calls.
func (p *pass) as(ctx context.Context) context.Context {
	return withCaller(projects.With(ctx, p.project), p.caller)
}

func errInvalidToken() error {
	return errtypes.New(errtypes.Unauthenticated, "Authentication token is not valid: it is none of a run that is executed here").WithType(errtypes.TypeInvalidToken)
}

func (s *service) AsRun(ctx context.Context, token string) (context.Context, error) {
	p := s.endpoint.ofToken(token)
	if p == nil {
		return nil, errInvalidToken()
	}
	return p.as(ctx), nil
}

// enter counts the connection of a request. One that is one too many is told so.
func (e *endpoint) enter(w http.ResponseWriter, r *http.Request, of *loopback.Client) (done func(), ok bool) {
	done, ok = e.conns.Begin(r, of)
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
	if reads(r) {
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
