package sessions

import (
	"crypto/rand"
	_ "embed"
	"net/http"
	"strings"
)

var (
	//go:embed live.html
	livePage string
	//go:embed replay.html
	replayPage string
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

// showPage sends a page that may do nothing but what its own script does. Any site
// may have it in a frame, as dashboards do: it shows, and lets its holder do, what
// the token in its address is for, and whoever frames it has that.
func showPage(w http.ResponseWriter, status int, page string) {
	nonce := rand.Text()
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'nonce-"+nonce+"'; style-src 'nonce-"+nonce+
		"'; img-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(strings.ReplaceAll(page, "NONCE", nonce)))
}
