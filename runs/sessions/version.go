package sessions

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// VersionPath is where clients ask a browser for its websocket that are given
// its host alone, or take no other path for one (chromedp). The signing key says
// which session is meant.
const VersionPath = "/json/version"

// browserVersion is what a browser says of itself, in the names of Chromium.
type browserVersion struct {
	Browser   string `json:"Browser"`
	Protocol  string `json:"Protocol-Version"`
	UserAgent string `json:"User-Agent"`
	V8        string `json:"V8-Version"`
	WebKit    string `json:"WebKit-Version"`
}

// versionTime bounds the wait for the browser to say it.
const versionTime = 5 * time.Second

var errVersion = errors.New("sessions: the browser does not say in time what it is")

// version asks the browser of the session; what it does not say is empty.
func (l *live) version(ctx context.Context) (v browserVersion) {
	ctx, c, leave := l.visit(ctx, versionTime, errVersion)
	defer leave()
	if c == nil {
		return v
	}
	var said struct{ Product, ProtocolVersion, Revision, UserAgent, JSVersion string }
	if c.call(ctx, "", "Browser.getVersion", nil, &said) == nil {
		v = browserVersion{said.Product, said.ProtocolVersion, said.UserAgent, said.JSVersion, "537.36 (" + said.Revision + ")"}
	}
	return v
}

// rootVersion answers at the root of the host, where no path names the session.
func (s *service) rootVersion(w http.ResponseWriter, r *http.Request) {
	r.SetPathValue("id", idIn(r.URL.Query().Get(KeyParameter)))
	s.guarded(s.keyed, running, s.version)(w, r)
}

// version is what clients ask that are given an http URL: what the browser is,
// and where its websocket.
func (s *service) version(w http.ResponseWriter, r *http.Request, known row) {
	said, err := s.versionOf(r.Context(), known)
	if err != nil {
		refuse(w, err)
		return
	}
	answerJSON(w, http.StatusOK, encoded(struct {
		browserVersion
		URL string `json:"webSocketDebuggerUrl"`
	}{said, ConnectURL(baseOf(r), known.ID, given(r, KeyParameter)[0])}))
}

func (s *service) versionOf(ctx context.Context, known row) (browserVersion, error) {
	if l := s.find(known.ID); l != nil {
		return l.version(ctx), nil
	}
	return fromOwner(ctx, s, known, "version", func(row) (browserVersion, error) {
		return browserVersion{}, errtypes.New(errtypes.Gone, "the session has ended")
	})
}
