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
// that every process on the data knows it again and none has to store it.

// ViewParameter is the parameter of a query that a view token stands in.
const ViewParameter = "viewToken"

func (s *service) viewToken(id string, until time.Time) string {
	end := strconv.FormatInt(until.Unix(), 36)
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte("view " + id + " " + end))
	return end + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// newViewToken is one that is good for as long as any may be.
func (s *service) newViewToken(id string) string {
	return s.viewToken(id, s.conf.Clock.Now().Add(s.conf.Limits.MaxViewTime))
}

// ViewToken implements [Service].
func (s *service) ViewToken(ctx context.Context, id string, life time.Duration) (_ string, err error) {
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
	return s.viewToken(id, s.conf.Clock.Now().Add(life)), nil
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
	case parseErr != nil || !hmac.Equal([]byte(s.viewToken(id, until)), []byte(token)):
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

// ReplayURL is the player of a session's recording under a URL.
func ReplayURL(base, id, token string) string {
	return base + ReplayPath(id) + "?" + ViewParameter + "=" + token
}
