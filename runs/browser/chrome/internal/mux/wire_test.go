package mux

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/target"
)

// recorded are frames of a browser, read once.
type recorded struct {
	Framed
	frames []string
}

func (r *recorded) ReadFrame() ([]byte, error) {
	if len(r.frames) == 0 {
		return nil, io.EOF
	}
	frame := []byte(r.frames[0])
	r.frames = r.frames[1:]
	return frame, nil
}

// chromedp hears of the end of its own sessions only: of others' it keeps a
// goroutine for good where that comes as it is stopped.
func TestTheEndOfAForeignSessionIsNotForChromedp(t *testing.T) {
	t.Parallel()
	ends := func(id string) string {
		return `{"method":"Target.detachedFromTarget","params":{"sessionId":"` + id + `","targetId":"T"}}`
	}
	w := &Wire{
		frames: &recorded{frames: []string{ends("LINK"), ends("ITS OWN"), ends("CLIENT"), ends("LINK")}},
		lost:   make(chan struct{}), lose: func() {},
		routes: map[target.SessionID]func(target.SessionID, []byte){}, calls: map[int64]chan<- []byte{}, foreign: map[target.SessionID]struct{}{},
	}
	w.Route("LINK", nil)
	w.Route("CLIENT", nil)
	w.Unroute("LINK") // as a link does that is closed before its session has ended
	var heard []string
	for {
		var msg cdproto.Message
		if err := w.Read(context.Background(), &msg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		heard = append(heard, string(msg.Params))
	}
	if len(heard) != 2 || len(w.foreign) != 0 { // a session that was told to have ended is forgotten
		t.Errorf("chromedp hears %q; %d sessions are remembered", heard, len(w.foreign))
	}
}

// A command that the browser can no longer read finds the connection lost, by
// whatever name the system has for that.
func TestACommandToABrowserThatEndedFindsItLost(t *testing.T) {
	t.Parallel()
	pipe, theirs, err := OpenPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	for _, end := range theirs {
		end.Close()
	}
	w := NewWire(pipe)
	if _, err := w.Call(t.Context(), "S", "Page.enable", nil); !errors.Is(err, ErrLost) {
		t.Errorf("on the wire: %v", err)
	}
	link := NewLink(w, "S", "T", func(any) {})
	defer link.Close()
	if err := link.Call(t.Context(), "Page.enable", nil, nil); !errors.Is(err, ErrLost) {
		t.Errorf("on a link: %v", err)
	}
}
