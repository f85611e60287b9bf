package v1

import (
	"time"

	"github.com/drover-go/drover/internal/v1json"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/runs/sessions/settingsjson"
)

type sessionJSON struct {
	v1json.Session

	ConnectURL        string `json:"connectUrl,omitempty"`
	SeleniumRemoteURL string `json:"seleniumRemoteUrl,omitempty"`
	SigningKey        string `json:"signingKey,omitempty"`
	ReplayURL         string `json:"replayUrl,omitempty"`
}

// openOut is a session with what opens it, while it runs, and what plays its
// recording. There is no Selenium: its URL, which clients want to see, leads
// nowhere.
func (x *exchange) openOut(s sessions.Session) sessionJSON {
	out, base := sessionJSON{Session: v1json.SessionOf(s)}, x.Base()
	if !s.Settings.NoRecording && s.Status != sessions.Pending {
		out.ReplayURL = sessions.ReplayURL(base, s.ID, s.ViewToken)
	}
	if s.SigningKey != "" {
		out.SigningKey = s.SigningKey
		out.ConnectURL = sessions.ConnectURL(base, s.ID, s.SigningKey)
		out.SeleniumRemoteURL = base + "/v1/sessions/" + s.ID + "/selenium"
	}
	return out
}

func createSession(x *exchange) (answer, error) {
	var c settingsjson.Session
	if _, err := x.OptionalBody(c.Value()); err != nil {
		return answer{}, err
	}
	s, err := x.Sessions.Create(x.R.Context(), c.Create)
	return api.Created(x.openOut(s)), c.Named(err)
}

func listSessions(x *exchange) (answer, error) {
	f, err := sessionFilterIn(x)
	if err != nil {
		return answer{}, err
	}
	all, err := x.Sessions.List(x.R.Context(), f)
	return api.OK(each(all, v1json.SessionOf)), err
}

func getSession(x *exchange) (answer, error) {
	s, err := x.Sessions.Get(x.R.Context(), x.id("sessionId"))
	return api.OK(x.openOut(s)), err
}

// updateSession knows one change: the release.
func updateSession(x *exchange) (answer, error) {
	var status, projectID string
	if err := x.Body(sessionUpdateIn(&status, &projectID)); err != nil {
		return answer{}, err
	}
	if err := x.checkProject(projectID); err != nil {
		return answer{}, err
	}
	s, err := x.Sessions.Release(x.R.Context(), x.id("sessionId"))
	return api.OK(v1json.SessionOf(s)), err
}

type debugJSON struct {
	DebuggerURL           string     `json:"debuggerUrl"`
	DebuggerFullscreenURL string     `json:"debuggerFullscreenUrl"`
	WSURL                 string     `json:"wsUrl"`
	Pages                 []pageJSON `json:"pages"`
}

type pageJSON struct {
	ID                    string `json:"id"`
	URL                   string `json:"url"`
	FaviconURL            string `json:"faviconUrl"`
	Title                 string `json:"title"`
	DebuggerURL           string `json:"debuggerUrl"`
	DebuggerFullscreenURL string `json:"debuggerFullscreenUrl"`
}

// debugSession leads to the live view, as a whole and of each page. Its links
// only show unless interactive ones are asked for; wsUrl is that of the session.
func debugSession(x *exchange) (answer, error) {
	q := x.Query()
	life := q.Int("expiresIn", 1, 1<<31-1)
	interactive := q.Bool("interactive")
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	id := x.id("sessionId")
	s, err := x.Sessions.Get(x.R.Context(), id)
	if err != nil {
		return answer{}, err
	}
	token, err := x.Sessions.ViewToken(x.R.Context(), id, time.Duration(life)*time.Second, interactive)
	if err != nil {
		return answer{}, err
	}
	tabs, err := x.Sessions.Tabs(x.R.Context(), id)
	if err != nil {
		return answer{}, err
	}
	return api.OK(debugOut(x.Base(), s, token, tabs)), nil
}

func debugOut(base string, s sessions.Session, token string, tabs []sessions.Tab) debugJSON {
	live := sessions.LiveURL(base, s.ID, token)
	return debugJSON{live, sessions.ScreenURL(live), sessions.ConnectURL(base, s.ID, s.SigningKey), each(tabs, func(t sessions.Tab) pageJSON {
		page := sessions.TabURL(live, t.ID)
		return pageJSON{ID: t.ID, URL: t.URL, FaviconURL: t.FaviconURL, Title: t.Title, DebuggerURL: page, DebuggerFullscreenURL: sessions.ScreenURL(page)}
	})}
}

// forwardToSession hands a request that has a signing key in place of an API
// key to the sessions, whose answer is the answer.
func forwardToSession(x *exchange) (answer, error) {
	return x.Forward(x.Sessions.Handler(), sessions.WithBase(x.R, x.Base()))
}
