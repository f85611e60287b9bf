package sessions

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// WireEvent is an event of a recording as it goes over the wire.
type WireEvent struct {
	Type int `json:"type"`
	// Timestamp is in milliseconds since 1970.
	Timestamp int64           `json:"timestamp"`
	SessionID string          `json:"sessionId"`
	Data      json.RawMessage `json:"data"`
}

// Wire returns the event as it goes over the wire.
func (e RecordingEvent) Wire() WireEvent {
	return WireEvent{e.Type, e.Time.UnixMilli(), e.SessionID, e.Data}
}

// replayEvents is what the player plays: the recording, while the session runs
// as far as it has come.
func (s *service) replayEvents(w http.ResponseWriter, r *http.Request, known row) {
	all, err := s.recordingOf(r.Context(), known)
	if err != nil {
		refuse(w, err)
		return
	}
	wire := make([]WireEvent, len(all))
	for i, e := range all {
		wire[i] = e.Wire()
	}
	body, err := json.Marshal(wire)
	if err != nil {
		refuse(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(body)
}
