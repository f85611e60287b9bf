package sessions

import (
	_ "embed"
	"fmt"
	"html"
	"net/http"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

//go:embed refused.html
var refusedPage string

// refuseView is refuse, on a page for who wants to look at one.
func refuseView(w http.ResponseWriter, r *http.Request, err error) {
	if !strings.Contains(strings.Join(r.Header.Values("Accept"), ","), "text/html") {
		refuse(w, err)
		return
	}
	e := errtypes.Public(err)
	errorHeaders(w.Header(), e)
	status := e.Kind.HTTPStatus()
	heading, advice := adviceOn(e)
	words := strings.NewReplacer("HEADING", heading, "ADVICE", advice, "STATUS", fmt.Sprint(status), "MESSAGE", html.EscapeString(e.Message))
	showPage(w, status, words.Replace(refusedPage))
}

// newLink says where links come from.
const newLink = "Ask whoever sent you the link for a new one: <code>drover sessions live</code> and <code>drover sessions replay</code> print them, " +
	"GET /v1/sessions/{id}/debug and GET /v1/sessions/{id} have them."

// adviceOn is an error for people who have followed a link: what is wrong, and
// what they can do.
func adviceOn(e *errtypes.Error) (heading, advice string) {
	switch e.Kind {
	case errtypes.Unauthenticated:
		if e.Message == errViewExpired.Message {
			return "This link has expired", newLink
		}
		return "This link opens nothing", "It is incomplete, or belongs to another session. " + newLink
	case errtypes.NotFound:
		return "There is no such session", "Sessions are deleted some time after their end, with all that was recorded."
	case errtypes.Gone:
		return "The session has ended", "What was recorded can still be watched: <code>drover sessions replay</code> prints where, and GET /v1/sessions/{id} has it as replayUrl."
	case errtypes.Conflict:
		return "The session has not begun", "Load this page again in a moment."
	}
	return "This cannot be shown now", "Load this page again in a moment."
}
