package v1

import (
	"net/http"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/sessions"
)

type replaysJSON struct {
	Pages     []replayJSON `json:"pages"`
	PageCount int          `json:"pageCount"`
}

type replayJSON struct {
	PageID string `json:"pageId"`
	// URL leads to a film, an MP4 file.
	URL         string `json:"url"`
	StartTimeMS int64  `json:"startTimeMs"`
	EndTimeMS   int64  `json:"endTimeMs"`
}

// sessionReplays says what the recording shows of each tab, while the session
// runs as far as it has come.
func sessionReplays(x *exchange) (answer, error) {
	s, pages, err := x.recorded()
	if err != nil {
		return answer{}, err
	}
	all := each(pages, func(p sessions.RecordedPage) replayJSON {
		return replayJSON{p.ID, x.film(s, p), p.Start.UnixMilli(), p.End.UnixMilli()}
	})
	return api.OK(replaysJSON{all, len(all)}), nil
}

type recordingDownloadsJSON struct {
	Downloads []recordingDownloadJSON `json:"downloads"`
}

type recordingDownloadJSON struct {
	PageID      string   `json:"pageId"`
	Status      string   `json:"status"`
	CompletedAt wireTime `json:"completedAt"`
	DownloadURL string   `json:"downloadUrl"`
}

// requestRecordingDownloads has nothing to do: a film is made of the pictures
// when it is asked for.
func requestRecordingDownloads(x *exchange) (answer, error) {
	a, err := listRecordingDownloads(x)
	a.Status = http.StatusAccepted
	return a, err
}

func listRecordingDownloads(x *exchange) (answer, error) {
	s, pages, err := x.recorded()
	if err != nil {
		return answer{}, err
	}
	if !s.Status.Final() {
		return answer{}, errtypes.New(errtypes.Conflict, "the session has not ended, so its recording is not whole")
	}
	all := each(pages, func(p sessions.RecordedPage) recordingDownloadJSON {
		return recordingDownloadJSON{p.ID, "COMPLETED", wireTime(s.EndedAt), x.film(s, p)}
	})
	return api.OK(recordingDownloadsJSON{all}), nil
}

// filmTime is how long a link to a film is good, where links may be as long.
const filmTime = time.Hour

// recorded returns a session, with a token that opens its films, and what its
// recording shows.
func (x *exchange) recorded() (s sessions.Session, pages []sessions.RecordedPage, err error) {
	id := x.id("sessionId")
	if s, err = x.Sessions.Get(x.R.Context(), id); err != nil {
		return s, nil, err
	}
	if s.ViewToken, err = x.Sessions.ViewToken(x.R.Context(), id, min(filmTime, x.Sessions.Limits().MaxViewTime), false); err != nil {
		return s, nil, err
	}
	pages, err = x.Sessions.RecordedPages(x.R.Context(), id)
	return s, pages, err
}

func (x *exchange) film(s sessions.Session, p sessions.RecordedPage) string {
	return sessions.FilmURL(x.Base(), s.ID, p.ID, s.ViewToken)
}
