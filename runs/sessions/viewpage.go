package sessions

import (
	"crypto/rand"
	_ "embed"
	"html"
	"net/http"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

var (
	//go:embed live.html
	livePage string
	//go:embed replay.html
	replayPage string
	//go:embed refused.html
	refusedPage string
)

// liveView is the page that shows a session, and replayView the one that plays
// its recording. Each is the same for all: what it shows it asks for with the
// token in its own address.
func (s *service) liveView(w http.ResponseWriter, _ *http.Request, _ row) {
	showPage(w, http.StatusOK, livePage)
}

func (s *service) replayView(w http.ResponseWriter, _ *http.Request, _ row) {
	showPage(w, http.StatusOK, replayPage)
}

// refuseView is refuse, on a page for who wants to look at one.
func refuseView(w http.ResponseWriter, r *http.Request, err error) {
	if !strings.Contains(strings.Join(r.Header.Values("Accept"), ","), "text/html") {
		refuse(w, err)
		return
	}
	e := errtypes.Public(err)
	errorHeaders(w.Header(), e)
	showPage(w, e.Kind.HTTPStatus(), strings.ReplaceAll(refusedPage, "MESSAGE", html.EscapeString(e.Message)))
}

// showPage sends a page that may do nothing but what its own script does.
func showPage(w http.ResponseWriter, status int, page string) {
	nonce := rand.Text()
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'nonce-"+nonce+"'; style-src 'nonce-"+nonce+
		"'; img-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(strings.ReplaceAll(page, "NONCE", nonce)))
}
