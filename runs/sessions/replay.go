package sessions

import (
	"net/http"
)

// replayJSON is what the player plays, in milliseconds since 1970.
type replayJSON struct {
	SessionID string        `json:"sessionId"`
	Frames    []replayFrame `json:"frames"`
	Marks     []lineJSON    `json:"marks"`
}

type replayFrame struct {
	Time int64  `json:"time"`
	URL  string `json:"url"`
	Data []byte `json:"data"` // a JPEG in base64
}

// lineJSON is a line of words as the pages take it.
type lineJSON struct {
	Time int64    `json:"time"`
	Kind LineKind `json:"kind"`
	Text string   `json:"text"`
}

func (l Line) json() lineJSON { return lineJSON{l.Time.UnixMilli(), l.Kind, l.Text} }

// replayOf makes of a recording what the player plays.
func replayOf(id string, all []RecordingEvent) replayJSON {
	out := replayJSON{id, []replayFrame{}, []lineJSON{}}
	pages := addresses{}
	var n Narrator
	for _, e := range all {
		if p, ok := e.picture(); ok {
			out.Frames = append(out.Frames, replayFrame{e.Time.UnixMilli(), pages[p.PageID], p.Data})
			continue
		}
		pages.see(e)
		if l, ok := n.Recording(e); ok {
			out.Marks = append(out.Marks, l.json())
		}
	}
	return out
}

// replayEvents sends what the player plays: the recording, while the session
// runs as far as it has come.
func (s *service) replayEvents(w http.ResponseWriter, r *http.Request, known row) {
	all, err := s.recordingOf(r.Context(), known)
	if err != nil {
		refuse(w, err)
		return
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	answerJSON(w, http.StatusOK, encoded(replayOf(known.ID, all)))
}
