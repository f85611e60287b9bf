package sessions

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// A view token lets its holder look at one session, live and at its recording,
// until it expires; it opens no connection to the browser. It is the time it
// expires and a MAC of that and the id under the secret of this database, so
// that every process on the data knows it again and none has to store it. One
// that is interactive lets its holder use the pages, too, as far as the live view
// does; it ends in a mark, which is under the MAC.

// ViewParameter is the parameter of a query that a view token stands in.
const ViewParameter = "viewToken"

// interactiveMark is the end of a token that is interactive.
const interactiveMark = ".i"

func (s *service) viewToken(id string, until time.Time, interactive bool) string {
	end, mark := strconv.FormatInt(until.Unix(), 36), ""
	if interactive {
		mark = interactiveMark
	}
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte("view " + id + " " + end + mark))
	return end + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)) + mark
}

// isInteractive reports whether a request that may view has an interactive token.
func isInteractive(r *http.Request) bool {
	return strings.HasSuffix(r.URL.Query().Get(ViewParameter), interactiveMark)
}

// newViewToken is one that is good for as long as any may be.
func (s *service) newViewToken(id string) string {
	return s.viewToken(id, s.conf.Clock.Now().Add(s.conf.Limits.MaxViewTime), false)
}

// ViewToken implements [Service].
func (s *service) ViewToken(ctx context.Context, id string, life time.Duration, interactive bool) (_ string, err error) {
	defer errtypes.Wrap(&err, "sessions.ViewToken(%q)", id)
	most := s.conf.Limits.MaxViewTime
	switch {
	case life == 0:
		life = most
	case life < time.Second || life > most:
		return "", errtypes.Field("expiresIn", "must be from 1 to %d seconds", int(most/time.Second))
	}
	if _, err := s.get(ctx, id); err != nil {
		return "", err
	}
	return s.viewToken(id, s.conf.Clock.Now().Add(life), interactive), nil
}

var (
	errNoView      = unviewed("a view token of the session is required as " + ViewParameter)
	errViewExpired = unviewed("this link has expired; ask for a new one with GET /v1/sessions/{id}/debug")
)

func unviewed(message string) *errtypes.Error {
	return &errtypes.Error{Kind: errtypes.Unauthenticated, Field: ViewParameter, Message: message}
}

// viewEnd returns when a token of the session expires.
func (s *service) viewEnd(id, token string) (until time.Time, err error) {
	end, _, _ := strings.Cut(token, ".")
	seconds, parseErr := strconv.ParseInt(end, 36, 64)
	until = time.Unix(seconds, 0)
	switch {
	case parseErr != nil || !hmac.Equal([]byte(s.viewToken(id, until, strings.HasSuffix(token, interactiveMark))), []byte(token)):
		return until, errNoView
	case !s.conf.Clock.Now().Before(until):
		return until, errViewExpired
	}
	return until, nil
}

// mayView lets in who has a view token, or the signing key, which opens more,
// while the session runs. A zero time says that what was shown does not expire.
func (s *service) mayView(r *http.Request, id string) (until time.Time, err error) {
	q := r.URL.Query()
	switch tokens, keys := q[ViewParameter], q[KeyParameter]; {
	case len(tokens) == 1:
		return s.viewEnd(id, tokens[0])
	case len(tokens) == 0 && len(keys) == 1 && s.opens(id, keys[0]):
		return time.Time{}, nil
	}
	return time.Time{}, errNoView
}

// LiveURL is the live view of a session under a URL.
func LiveURL(base, id, token string) string {
	return base + LivePath(id) + "?" + ViewParameter + "=" + token
}

// ScreenURL is the screen alone of the live view that a LiveURL leads to.
func ScreenURL(live string) string { return live + "&" + screenParameter + "=only" }

// TabURL is the live view that a LiveURL leads to, of one tab.
func TabURL(live, tab string) string { return live + "&" + tabParameter + "=" + tab }

// ReplayURL is the player of a session's recording under a URL.
func ReplayURL(base, id, token string) string {
	return base + ReplayPath(id) + "?" + ViewParameter + "=" + token
}
