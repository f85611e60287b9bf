package sessions

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/filename"
	"github.com/drover-go/drover/internal/mp4"
)

// RecordedPage is a tab as the recording of a session shows it.
type RecordedPage struct {
	// ID numbers the tabs of the recording from "0", in the order in which they
	// were first in front.
	ID string
	// Start is when it was first in front, and End when it was for the last time:
	// until another one came, or the recording ended.
	Start, End time.Time

	tab   string
	stays []mp4.Picture
}

// RecordedPages implements [Service].
func (s *service) RecordedPages(ctx context.Context, id string) (_ []RecordedPage, err error) {
	defer errtypes.Wrap(&err, "sessions.RecordedPages(%q)", id)
	r, err := s.get(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.pagesOf(ctx, r)
}

func (s *service) pagesOf(ctx context.Context, r row) ([]RecordedPage, error) {
	events, err := s.recordingOf(ctx, r)
	if err != nil {
		return nil, err
	}
	end := r.EndedAt
	if end.IsZero() {
		end = s.now()
	}
	return recordedPages(events, end), nil
}

// recordedPages takes a recording apart into its tabs. A picture is shown until
// the next one of any tab: one tab is in front.
func recordedPages(events []RecordingEvent, end time.Time) []RecordedPage {
	pages, front := []RecordedPage{}, -1
	var shown time.Time
	until := func(t time.Time) {
		if front >= 0 {
			p := &pages[front]
			p.stays[len(p.stays)-1].For = t.Sub(shown)
			p.End = t
		}
	}
	for _, e := range events {
		f, ok := e.picture()
		if !ok || len(f.Data) == 0 {
			continue
		}
		until(e.Time)
		if front = slices.IndexFunc(pages, func(p RecordedPage) bool { return p.tab == f.PageID }); front < 0 {
			front = len(pages)
			pages = append(pages, RecordedPage{ID: strconv.Itoa(front), Start: e.Time, tab: f.PageID})
		}
		pages[front].stays = append(pages[front].stays, mp4.Picture{JPEG: f.Data})
		shown = e.Time
	}
	if end.Before(shown) {
		end = shown
	}
	until(end)
	return pages
}

// filmPath is the path of the film of a page.
func filmPath(id, page string) string { return "/v1/sessions/" + id + "/recording/downloads/" + page }

// FilmURL is the film of a page of a session's recording under a URL.
func FilmURL(base, id, page, token string) string {
	return base + filmPath(id, page) + "?" + ViewParameter + "=" + token
}

// showFilm sends the pictures of a page as a film.
func (s *service) showFilm(w http.ResponseWriter, r *http.Request, known row) {
	pages, err := s.pagesOf(r.Context(), known)
	if err != nil {
		refuseView(w, r, err)
		return
	}
	name := r.PathValue("page")
	at := slices.IndexFunc(pages, func(p RecordedPage) bool { return p.ID == name })
	if at < 0 {
		refuseView(w, r, errtypes.New(errtypes.NotFound, "the recording has no page %q", name))
		return
	}
	var film bytes.Buffer
	if err := mp4.Write(&film, pages[at].stays); err != nil {
		refuseView(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "video/mp4")
	h.Set("Content-Disposition", filename.Attachment("session-"+known.ID+"-page-"+name+".mp4"))
	h.Set("Content-Length", strconv.Itoa(film.Len()))
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(film.Bytes())
}
