package sessions

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/deadline"
)

// tabParameter chooses the tab to watch; the current one without it.
const tabParameter = "tab"

// liveSocket sends a viewer the screen, the tabs and the log of a session.
func (s *service) liveSocket(w http.ResponseWriter, r *http.Request, known row) {
	if err := samePage(r); err != nil {
		refuse(w, err)
		return
	}
	l := s.find(known.ID)
	if l == nil {
		s.forward(w, r, known)
		return
	}
	if !l.join() {
		refuse(w, errSockets)
		return
	}
	defer l.leave()
	g, err := l.mayView(r, l.ID)
	if err != nil { // this very moment
		refuse(w, err)
		return
	}
	v, err := l.upgrade(w, r, g)
	if err != nil {
		return
	}
	defer v.close()
	defer v.expire(g)()
	v.show(r.URL.Query().Get(tabParameter))
}

// expire ends the view when its token does.
func (v *socket) expire(g grant) (stop func()) {
	if g.until.IsZero() {
		return func() {}
	}
	c := v.live.conf.Clock
	timer := c.AfterFunc(g.until.Sub(c.Now()), func() { v.cancel(errViewExpired) })
	return func() { timer.Stop() }
}

// liveInterval is how often tabs and log are looked at.
const liveInterval = time.Second

// liveLog is how many entries of the log a viewer is sent.
const liveLog = 50

// show sends until the viewer leaves or the session ends. The screen and the
// rest are sent side by side.
func (v *socket) show(tab string) {
	gone := v.conn.CloseRead(context.Background()) // until it is closed
	stop := context.AfterFunc(gone, func() { v.cancel(nil) })
	defer stop()
	var others sync.WaitGroup
	defer others.Wait()
	defer v.cancel(nil)
	others.Go(v.ping)
	others.Go(func() { v.showScreen(tab) })
	var last string
	for {
		message := v.state()
		if message != last && v.write(v.ctx, websocket.MessageText, []byte(message)) != nil {
			return
		}
		last = message
		if deadline.Sleep(v.ctx, v.live.conf.Clock, liveInterval) != nil {
			return
		}
	}
}

type liveState struct {
	Tabs []liveTab   `json:"tabs"`
	Log  []liveEntry `json:"log"`
}

type liveTab struct {
	ID    string `json:"id"`
	URL   string `json:"url"`
	Title string `json:"title"`
}

type liveEntry struct {
	Time   time.Time `json:"time"`
	Method string    `json:"method"`
	Text   string    `json:"text"`
}

// state is what there is beside the screen, as JSON.
func (v *socket) state() string {
	s := liveState{Tabs: []liveTab{}, Log: []liveEntry{}}
	for _, t := range v.live.tabs() {
		s.Tabs = append(s.Tabs, liveTab{t.ID, maskText(t.URL), maskText(t.Title)})
	}
	for _, e := range v.live.log.newest(liveLog) {
		s.Log = append(s.Log, liveEntry{e.Time.UTC(), e.Method, cut(string(e.Params), 300)})
	}
	data, _ := json.Marshal(s) // of strings: it cannot fail
	return string(data)
}

func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

// showScreen sends frames. A tab that closes gives way to the current one.
func (v *socket) showScreen(tab string) {
	for v.ctx.Err() == nil {
		err := v.live.browser.Screencast(v.ctx, browser.ScreencastOptions{Tab: tab}, func(f browser.Frame) error {
			return v.write(v.ctx, websocket.MessageBinary, f.Data)
		})
		if errtypes.Is(err, errtypes.Unavailable) {
			return
		}
		tab = ""
		if deadline.Sleep(v.ctx, v.live.conf.Clock, recordPause) != nil {
			return
		}
	}
}
