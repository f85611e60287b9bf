package v1

import (
	"encoding/json"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/sessions"
)

type logJSON struct {
	Method    string          `json:"method"`
	PageID    int             `json:"pageId"`
	SessionID string          `json:"sessionId"`
	Timestamp int64           `json:"timestamp"`
	Request   *logRequestJSON `json:"request,omitempty"`
	FrameID   string          `json:"frameId,omitempty"`
	LoaderID  string          `json:"loaderId,omitempty"`
}

type logRequestJSON struct {
	Timestamp int64           `json:"timestamp"`
	Params    json.RawMessage `json:"params"`
	RawBody   string          `json:"rawBody"`
}

// logOut gives an event the form of a request that nobody answers.
func logOut(e sessions.LogEntry) logJSON {
	out := logJSON{
		Method: e.Method, PageID: e.Page, SessionID: e.SessionID, Timestamp: e.Time.UnixMilli(), FrameID: e.FrameID, LoaderID: e.LoaderID,
	}
	if len(e.Params) > 0 {
		out.Request = &logRequestJSON{out.Timestamp, e.Params, string(e.Params)}
	}
	return out
}

func sessionLogs(x *exchange) (answer, error) {
	all, err := x.Sessions.Logs(x.R.Context(), x.id("sessionId"))
	return api.OK(each(all, logOut)), err
}

func sessionRecording(x *exchange) (answer, error) {
	all, err := x.Sessions.Recording(x.R.Context(), x.id("sessionId"))
	return api.OK(sessions.Wire(all)), err
}
