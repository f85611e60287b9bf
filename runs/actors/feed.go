package actors

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/errtypes"
)

// feed is what a process is told over its websockets.
type feed struct {
	over chan struct{}

	mu     sync.Mutex
	closed bool
	told   [][]byte // what a listener has to hear that comes later
	to     map[chan []byte]struct{}
}

func newFeed() *feed { return &feed{over: make(chan struct{}), to: map[chan []byte]struct{}{}} }

// waitingFrames is how many a listener may leave unread; what comes then is dropped.
const waitingFrames = 64

func (f *feed) listen() (frames <-chan []byte, leave func()) {
	mine := make(chan []byte, waitingFrames)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, frame := range f.told {
		mine <- frame
	}
	f.to[mine] = struct{}{}
	return mine, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.to, mine)
	}
}

// send tells all who listen, and where it is lasting those that come later, too.
func (f *feed) send(frame []byte, lasting bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if lasting && len(f.told) < waitingFrames/2 {
		f.told = append(slices.Clip(f.told), frame)
	}
	for to := range f.to {
		select {
		case to <- frame:
		default:
		}
	}
}

// close ends all websockets.
func (f *feed) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.closed = true
		close(f.over)
	}
}

// frame is an event as the hosted service's packages read it.
func frame(name EventName, at time.Time, data any) []byte {
	text, err := json.Marshal(struct {
		Name      EventName `json:"name"`
		CreatedAt string    `json:"createdAt"`
		Data      any       `json:"data"`
	}{name, isoTime(at), data})
	if err != nil {
		panic(err) // of types that are all ours
	}
	return text
}

func isoTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// tell tells a process an event of its run. Migrating is what PersistState comes with.
func (f *feed) tell(e Event, at time.Time, migrating bool) {
	var data any = struct{}{}
	switch e.Name {
	case Migrating:
		data = struct {
			Remaining float64 `json:"timeRemainingSecs"`
		}{e.Remaining.Seconds()}
	case PersistState:
		data = struct {
			Migrating bool `json:"isMigrating"`
		}{migrating}
	}
	f.send(frame(e.Name, at, data), true)
}

// sendTime is how long a process may take to read an event.
const sendTime = 10 * time.Second

// serveEvents tells a process of its events until it ends. The secret stands in the
// path, since the hosted service's packages send nothing else.
func (e *endpoint) serveEvents(w http.ResponseWriter, r *http.Request, run, secret string) {
	p := e.find(run, secret, func(p *pass) [sha256.Size]byte { return p.events })
	if p == nil {
		refuse(w, errtypes.OfType(errtypes.TypeInvalidToken, "There are no events for this address"))
		return
	}
	done, ok := e.enter(w, r, &p.client)
	if !ok {
		return
	}
	defer done()
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // the secret is what counts
	if err != nil {
		return // it was told
	}
	defer func() { _ = conn.CloseNow() }() // its process has ended, or reads nothing
	p.feed.pass(conn.CloseRead(r.Context()), conn)
}

// pass passes on what is sent to a websocket until that, or the feed, ends.
func (f *feed) pass(ctx context.Context, conn *websocket.Conn) {
	frames, leave := f.listen()
	defer leave()
	for {
		select {
		case text := <-frames:
			writing, cancel := context.WithTimeout(ctx, sendTime)
			err := conn.Write(writing, websocket.MessageText, text)
			cancel()
			if err != nil {
				return
			}
		case <-f.over:
			return
		case <-ctx.Done():
			return
		}
	}
}
