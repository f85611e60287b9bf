package sessions

import (
	"context"
	"crypto/hmac"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/projects"
)

// A view token lets its holder look at one session, live and at its recording,
// until it expires or the API key is revoked that it was made with; it opens no
// connection to the browser. It is the time it expires and a MAC of that and
// the id; see key.go. One that is interactive lets its holder use the pages,
// too, as far as the live view does; its time has a mark, which is under the MAC.

// ViewParameter is the parameter of a query that a view token stands in.
const ViewParameter = "viewToken"

// interactiveMark follows the time of a token that is interactive.
const interactiveMark = "-i"

func (s *service) viewToken(id string, g grant) string {
	end := strconv.FormatInt(g.until.Unix(), 36)
	if g.interactive {
		end += interactiveMark
	}
	return end + "." + s.seal("view "+id+" "+end, g.apiKey)
}

// newViewToken is one for who calls that is good for as long as any may be.
func (s *service) newViewToken(ctx context.Context, id string) string {
	return s.viewToken(id, grant{until: s.conf.Clock.Now().Add(s.conf.Limits.MaxViewTime), apiKey: projects.KeyFrom(ctx)})
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
	return s.viewToken(id, grant{s.conf.Clock.Now().Add(life), projects.KeyFrom(ctx), interactive}), nil
}

var (
	errNoView      = unviewed("a view token of the session is required as " + ViewParameter)
	errViewExpired = unviewed("this link has expired; ask for a new one with GET /v1/sessions/{id}/debug")
)

func unviewed(message string) *errtypes.Error {
	return &errtypes.Error{Kind: errtypes.Unauthenticated, Field: ViewParameter, Message: message}
}

// grant is what a key or a token of a request gives.
type grant struct {
	// until is when it ends; zero where it does not by itself.
	until time.Time
	// apiKey is the id of the key with which it ends; "" for none.
	apiKey string
	// interactive lets its holder use the pages.
	interactive bool
}

// viewGrant is that of a view token of the session.
func (s *service) viewGrant(id, token string) (g grant, err error) {
	parts := strings.SplitN(token, ".", 3)
	if len(parts) == 3 {
		g.apiKey = parts[2]
	}
	end, interactive := strings.CutSuffix(parts[0], interactiveMark)
	seconds, parseErr := strconv.ParseInt(end, 36, 64)
	g.until, g.interactive = time.Unix(seconds, 0), interactive
	switch {
	case parseErr != nil || !hmac.Equal([]byte(s.viewToken(id, g)), []byte(token)):
		return grant{}, errNoView
	case !s.conf.Clock.Now().Before(g.until):
		return grant{}, errViewExpired
	}
	return g, nil
}

// mayView lets in who has a view token, or the signing key, which opens more,
// while the session runs.
func (s *service) mayView(r *http.Request, id string) (g grant, err error) {
	err = errNoView
	switch tokens, keys := given(r, ViewParameter), given(r, KeyParameter); {
	case len(tokens) == 1:
		g, err = s.viewGrant(id, tokens[0])
	case len(tokens) == 0 && len(keys) == 1:
		if apiKey, ok := s.opens(id, keys[0]); ok {
			g, err = grant{apiKey: apiKey}, nil
		}
	}
	if err == nil {
		err = s.checkKey(r.Context(), g.apiKey, ViewParameter)
	}
	return g, err
}

// mayConnect lets in who has the signing key of the session.
func (s *service) mayConnect(r *http.Request, id string) (grant, error) {
	keys := given(r, KeyParameter)
	if len(keys) == 1 {
		if apiKey, ok := s.opens(id, keys[0]); ok {
			return grant{apiKey: apiKey}, s.checkKey(r.Context(), apiKey, KeyParameter)
		}
	}
	return grant{}, errtypes.New(errtypes.Unauthenticated, "the signing key of the session is required as %s", KeyParameter)
}

// given are the values of a parameter of a query; an empty one is none.
func given(r *http.Request, name string) []string {
	return slices.DeleteFunc(r.URL.Query()[name], func(v string) bool { return v == "" })
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
