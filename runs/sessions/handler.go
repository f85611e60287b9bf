package sessions

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage"
)

// ConnectPath is the path of a session's websocket for CDP clients.
func ConnectPath(id string) string { return "/v1/sessions/" + id + "/connect" }

// LivePath is the path of a session's live view.
func LivePath(id string) string { return "/v1/sessions/" + id + "/live" }

// ReplayPath is the path of the player of a session's recording.
func ReplayPath(id string) string { return "/v1/sessions/" + id + "/replay" }

// KeyParameter is the parameter of a query that a signing key stands in.
const KeyParameter = "signingKey"

type baseKey struct{}

// Handler implements [Service].
func (s *service) Handler() http.Handler { return s.handler }

func (s *service) routes() http.Handler {
	mux := http.NewServeMux()
	for path, h := range map[string]http.HandlerFunc{
		"connect":                    s.guarded(s.keyed, running, s.connect),
		"connect/json/version":       s.guarded(s.keyed, running, s.version),
		"connect/json/version/{$}":   s.guarded(s.keyed, running, s.version),
		"live":                       s.guarded(s.viewed, running, s.liveView),
		"live/socket":                s.guarded(s.viewed, running, s.liveSocket),
		"replay":                     s.guarded(s.viewed, viewable, s.replayView),
		"replay/events":              s.guarded(s.viewed, viewable, s.replayEvents),
		"recording/downloads/{page}": s.guarded(s.viewed, viewable, s.showFilm),
	} {
		mux.HandleFunc("GET /v1/sessions/{id}/"+path, h)
	}
	mux.HandleFunc("GET "+VersionPath, s.rootVersion)
	mux.HandleFunc("GET "+VersionPath+"/{$}", s.rootVersion)
	mux.HandleFunc("GET "+peerPath("{id}", "version"), tell(s, func(ctx context.Context, l *live) (browserVersion, error) { return l.version(ctx), nil }))
	mux.HandleFunc("GET "+peerPath("{id}", "recording"), tell(s, func(_ context.Context, l *live) ([]RecordingEvent, error) { return l.rec.all(), nil }))
	mux.HandleFunc("GET "+peerPath("{id}", "tabs"), tell(s, func(ctx context.Context, l *live) ([]Tab, error) { return l.withIcons(ctx), nil }))
	mux.HandleFunc("GET "+peerPath("{id}", "logs"), tell(s, func(ctx context.Context, l *live) ([]LogEntry, error) { return s.logged(ctx, l.row) }))
	mux.HandleFunc("POST "+peerPath("{id}", "uploads"), s.guarded(s.peerOnly, running, s.takeUpload))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, errtypes.New(errtypes.NotFound, "there is no such path"))
	})
	return mux
}

// guarded lets those in who may, to a session that is as it has to be. Without
// leave nobody learns whether there is such a session.
func (s *service) guarded(
	may func(*http.Request, string) error, is func(*http.Request, row) error, h func(http.ResponseWriter, *http.Request, row),
) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		id := ids.Canonical(r.PathValue("id"))
		err := may(r, id)
		var known row
		if err == nil {
			known, err = s.lookUp(r.Context(), id)
		}
		if err == nil {
			err = is(r, known)
		}
		if err != nil {
			refuseView(w, r, err)
			return
		}
		h(w, r, known)
	}
}

func (s *service) keyed(r *http.Request, id string) error {
	_, err := s.mayConnect(r, id)
	return err
}

func (s *service) viewed(r *http.Request, id string) error {
	_, err := s.mayView(r, id)
	return err
}

// lookUp finds a session of any project: the key says whose it is.
func (s *service) lookUp(ctx context.Context, id string) (row, error) {
	if err := s.settle(ctx); err != nil {
		return row{}, err
	}
	return s.one(ctx, id, func(ctx context.Context, q storage.Querier) (row, error) { return findRow(ctx, q, id) })
}

func running(_ *http.Request, r row) error {
	switch {
	case r.Status.Final():
		return errtypes.New(errtypes.Gone, "the session has ended")
	case r.Status != Running:
		return errtypes.New(errtypes.Conflict, "the session has not begun")
	}
	return nil
}

// viewable is a session that runs, and one that has ended for who has more than
// its signing key, which opens nothing then.
func viewable(r *http.Request, known row) error {
	if known.Status.Final() && len(given(r, ViewParameter)) > 0 {
		return nil
	}
	return running(r, known)
}

// refuse answers with an error, in the form of the interface that the path is
// of.
func refuse(w http.ResponseWriter, err error) {
	e := errtypes.Public(err)
	errorHeaders(w.Header(), e)
	refuseAs(w, e.Kind.HTTPStatus(), e.Message)
}

func refuseAs(w http.ResponseWriter, status int, message string) {
	answerJSON(w, status, encoded(struct {
		StatusCode int    `json:"statusCode"`
		Error      string `json:"error"`
		Message    string `json:"message"`
	}{status, http.StatusText(status), message}))
}

func answerJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func errorHeaders(h http.Header, e *errtypes.Error) {
	switch e.Kind {
	case errtypes.Unauthenticated:
		parameter := cmp.Or(e.Field, KeyParameter)
		h.Set("WWW-Authenticate", strings.ToUpper(parameter[:1])+parameter[1:]+" parameter=\""+parameter+"\"")
	case errtypes.RateLimited, errtypes.Unavailable:
		h.Set("Retry-After", "1") // seconds: places come free as others leave
	case errtypes.Conflict:
		h.Set("X-Should-Retry", "false")
	}
}

// noPages refuses what a web page sends: a browser names the page's origin, a
// program has none.
func noPages(r *http.Request) error {
	if len(r.Header.Values("Origin")) > 0 {
		return errtypes.New(errtypes.Forbidden, "web pages may not connect to a session")
	}
	return nil
}

// samePage lets in programs, and the pages of the very host that was asked, or
// of the one under which the caller sees it: a proxy may have put another name
// into the request.
func samePage(r *http.Request) error {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return nil
	}
	u, err := url.Parse(origins[0])
	if len(origins) > 1 || err != nil || u.Scheme != "http" && u.Scheme != "https" || !strings.EqualFold(u.Host, r.Host) && !isBase(r, u) {
		return errtypes.New(errtypes.Forbidden, "pages of another origin may not watch a session")
	}
	return nil
}

func isBase(r *http.Request, u *url.URL) bool {
	base, err := url.Parse(baseOf(r))
	return err == nil && base.Host != "" && strings.EqualFold(base.Host, u.Host)
}

// WithBase says under which URL, without a slash at its end, the caller of a
// request sees the handler. Default: the request's host over http.
func WithBase(r *http.Request, base string) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), baseKey{}, base))
}

func baseOf(r *http.Request) string {
	if base, ok := r.Context().Value(baseKey{}).(string); ok {
		return base
	}
	return "http://" + r.Host
}

// ConnectURL is the websocket of a session for who sees the service under an
// http or https URL.
func ConnectURL(base, id, key string) string {
	return "ws" + strings.TrimPrefix(base, "http") + ConnectPath(id) + "?" + KeyParameter + "=" + url.QueryEscape(key)
}
