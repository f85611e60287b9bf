package sessions

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/runs/browser"
)

// The parameters of a live view: the tab to watch, the one in front without it,
// and that the page shall have no panels.
const (
	tabParameter    = "tab"
	screenParameter = "screen"
)

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
	c, g := l.admit(w, r, l.mayView)
	if c == nil {
		return
	}
	defer l.leave()
	var listening sync.WaitGroup
	defer listening.Wait() // it hears the end of the connection
	defer c.close()
	defer c.expire(g)()
	v := &view{socket: c, only: r.URL.Query().Get(tabParameter), nudge: make(chan struct{}, 1)}
	if g.interactive {
		v.hand = newHand(v)
	}
	listening.Go(v.listen)
	v.show()
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

// liveLines is how many lines of the log a viewer is sent to begin with.
const liveLines = 100

// A view is what one viewer is shown, and, with an interactive link, does.
type view struct {
	*socket
	only string // the tab to show; empty for the one in front
	feed feed
	hand *hand // nil where the link only shows

	tabs  string        // as sent last
	nudge chan struct{} // to look again at once

	mu    sync.Mutex
	frame liveFrame // sent last
}

// show sends until the viewer leaves or the session ends: first what session it is,
// then the screen and the rest side by side.
func (v *view) show() {
	var others sync.WaitGroup
	defer others.Wait()
	defer v.cancel(nil)
	others.Go(v.ping)
	err := v.send(liveMessage{Session: v.about()})
	if err != nil {
		return
	}
	if v.hand != nil {
		others.Go(v.hand.hold)
	}
	others.Go(v.showScreen)
	for ; err == nil && v.tell() == nil; err = v.rest() {
	}
}

func (v *view) about() *liveSession {
	elapsed := v.live.conf.Clock.Now().Sub(v.live.StartedAt)
	return &liveSession{v.live.ID, v.live.StartedAt.UnixMilli(), elapsed.Milliseconds(), v.hand != nil}
}

// rest waits until there is something to look at.
func (v *view) rest() error {
	timer := v.live.conf.Clock.NewTimer(liveInterval)
	defer timer.Stop()
	select {
	case <-v.ctx.Done():
		return context.Cause(v.ctx)
	case <-timer.C():
	case <-v.nudge:
	}
	return nil
}

// look makes the view look at the session at once.
func (v *view) look() { lifecycle.Poke(v.nudge) }

// listen hears what the viewer does, and when it leaves.
func (v *view) listen() {
	defer v.cancel(nil)
	if v.hand == nil {
		<-v.conn.CloseRead(context.Background()).Done()
		return
	}
	v.conn.SetReadLimit(maxAct)
	for {
		_, data, err := v.conn.Read(context.Background())
		if err != nil {
			return
		}
		v.hand.take(data)
	}
}

// send sends one message as JSON.
func (v *view) send(message any) error {
	return v.write(v.ctx, websocket.MessageText, encoded(message))
}

// The messages to a viewer: each has one of these members.
type (
	liveSession struct {
		ID          string `json:"id"`
		Started     int64  `json:"started"` // milliseconds since 1970
		Elapsed     int64  `json:"elapsed"` // milliseconds since then
		Interactive bool   `json:"interactive"`
	}
	liveTab struct {
		ID     string      `json:"id"`
		URL    string      `json:"url"`
		Title  string      `json:"title"`
		Front  bool        `json:"front"`
		Dialog *liveDialog `json:"dialog,omitempty"`
	}
	liveDialog struct {
		Type    string `json:"type"`
		Message string `json:"message"`
		Default string `json:"default"`
	}
	liveFrame struct {
		Tab    string `json:"tab"`
		Width  int    `json:"width"`
		Height int    `json:"height"`
	}
	liveMessage struct {
		Session *liveSession `json:"session,omitempty"`
		Tabs    []liveTab    `json:"tabs,omitempty"`
		Lines   []lineJSON   `json:"lines,omitempty"`
		Frame   *liveFrame   `json:"frame,omitempty"`
		Notice  string       `json:"notice,omitempty"`
	}
)

// tell sends the tabs, if they have changed, and what has happened.
func (v *view) tell() error {
	tabs := v.liveTabs()
	if now := string(encoded(tabs)); now != v.tabs {
		v.tabs = now
		if err := v.send(map[string]any{"tabs": tabs}); err != nil {
			return err
		}
	}
	if lines := v.feed.next(v.live); len(lines) > 0 {
		return v.send(liveMessage{Lines: lines})
	}
	return nil
}

// liveTabs are the tabs as people are shown them.
func (v *view) liveTabs() []liveTab {
	tabs := []liveTab{}
	front := false
	for _, t := range v.live.browser.Tabs() {
		shown := liveTab{ID: t.ID, URL: maskText(v.live.clean(t.URL)), Title: maskText(v.live.clean(t.Title)), Front: t.Front}
		if d := t.Dialog; d != nil {
			shown.Dialog = &liveDialog{d.Type, maskText(v.live.clean(d.Message)), maskText(v.live.clean(d.Default))}
		}
		front = front || t.Front
		tabs = append(tabs, shown)
	}
	if n := len(tabs); n > 0 && !front {
		tabs[n-1].Front = true
	}
	return tabs
}

// showScreen sends frames. A tab that closes gives way to the one in front.
func (v *view) showScreen() {
	for tab := v.only; v.ctx.Err() == nil; tab = "" {
		err := v.live.browser.Screencast(v.ctx, browser.ScreencastOptions{Tab: tab}, v.sendFrame)
		if errtypes.Is(err, errtypes.Unavailable) {
			return
		}
		if clock.Sleep(v.ctx, v.live.conf.Clock, recordPause) != nil {
			return
		}
	}
}

// sendFrame sends a picture, and before it of what, where that is not as before.
func (v *view) sendFrame(f browser.Frame) error {
	now := liveFrame{f.Tab, f.Width, f.Height}
	v.mu.Lock()
	changed := v.frame != now
	v.frame = now
	v.mu.Unlock()
	if changed {
		if v.hand != nil {
			v.hand.reach(now.Tab)
		}
		if err := v.send(liveMessage{Frame: &now}); err != nil {
			return err
		}
	}
	return v.write(v.ctx, websocket.MessageBinary, f.Data)
}
