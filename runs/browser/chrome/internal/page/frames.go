package page

import (
	"context"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/drover-go/drover/runs/browser"
)

// A frameTarget is the target of a frame of another site, which the browser
// runs in a process of its own. It is attached to when it is first needed.
type frameTarget struct {
	target *chromedp.Target
	life   context.Context // ends with the frame
	cancel context.CancelFunc
	heard  bool // what it asks for; guarded by the session
}

func (s *Session) addFrame(id target.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing && s.frames[id] == nil && len(s.frames) < maxFrameTargets {
		s.frames[id] = &frameTarget{}
	}
}

// maxFrameTargets bounds the frames of other sites that are kept track of, in
// all tabs; a page can make any number.
const maxFrameTargets = 1000

func (s *Session) dropFrame(id target.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.frames[id]
	delete(s.frames, id)
	if f != nil && f.cancel != nil && !s.closing {
		s.wg.Go(f.cancel)
	}
}

// frameSession returns the attachment to a frame that runs in another process;
// nil if there is none. Frames are attached to so that ending it leaves the
// target alone: chromedp would otherwise close the page around it.
func (s *Session) frameSession(ctx context.Context, id cdp.FrameID) (*frameTarget, error) {
	s.mu.Lock()
	f := s.frames[target.ID(id)] // the target of a frame has the frame's id
	s.mu.Unlock()
	if f == nil || f.target != nil {
		return f, nil
	}
	life, cancel := chromedp.NewContext(s.h.Root(), chromedp.WithTargetID(target.ID(id)), chromedp.WithDetachOnCancel())
	stop := context.AfterFunc(ctx, cancel)
	defer stop()
	if err := chromedp.Do(life); err != nil {
		cancel()
		return nil, err
	}
	attached := frameTarget{target: chromedp.FromContext(life).Target, life: life, cancel: cancel}
	err := quiet(life, attached.target)
	if err == nil {
		err = s.settleFrame(life, attached.target)
	}
	if err != nil || !s.keepFrame(target.ID(id), f, attached) {
		cancel()
		return nil, err
	}
	return f, nil
}

// quiet turns off what chromedp has turned on in a target and nothing here
// needs. That is not only for speed: with the DOM domain on, chromedp asks the
// page for its document on a goroutine that must keep up with events, so a
// page that hangs while it floods the console would stall every session of the
// process.
func quiet(ctx context.Context, t *chromedp.Target) error {
	for _, call := range []struct {
		method string
		params any
	}{
		{dom.Disable.Method, cdp.Empty{}},
		{css.Disable.Method, cdp.Empty{}},
		{cdplog.Disable.Method, cdp.Empty{}},
		{runtime.Disable.Method, cdp.Empty{}},
		{target.SetDiscoverTargets.Method, target.SetDiscoverTargetsParams{Discover: false}},
		{target.SetAutoAttach.Method, target.SetAutoAttachParams{AutoAttach: false}},
	} {
		if err := t.Call(ctx, call.method, call.params, nil); err != nil {
			return err
		}
	}
	return nil
}

// keepFrame notes the attachment, unless the frame has gone meanwhile.
func (s *Session) keepFrame(id target.ID, f *frameTarget, attached frameTarget) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || s.frames[id] != f {
		return false
	}
	*f = attached
	return true
}

// numberOf returns a frame's number, which is its for as long as the session
// lives.
func (s *Session) numberOf(id cdp.FrameID) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.numbers[id]
	if !ok {
		n = len(s.numbers) + 1
		s.numbers[id] = n
	}
	return n
}

// frameName is how a frame is called in snapshots: "" for the page itself.
func frameName(number int) string {
	if number == 0 {
		return ""
	}
	return "f" + strconv.Itoa(number)
}

// refOf and parseRef translate between an element's number in a frame and its
// Ref: "e12", or "f1e3".
func refOf(frame, element int) browser.Ref {
	return browser.Ref(frameName(frame) + "e" + strconv.Itoa(element))
}

func parseRef(ref browser.Ref) (frame, element int, ok bool) {
	rest := string(ref)
	if after, found := strings.CutPrefix(rest, "f"); found {
		number, tail, cut := strings.Cut(after, "e")
		n, err := strconv.Atoi(number)
		if !cut || err != nil || n < 1 {
			return 0, 0, false
		}
		frame, rest = n, "e"+tail
	}
	digits, found := strings.CutPrefix(rest, "e")
	n, err := strconv.Atoi(digits)
	if !found || err != nil || n < 1 || refOf(frame, n) != ref {
		return 0, 0, false
	}
	return frame, n, true
}

// resolve finds the frame of a Ref and the number of its element in there.
func (s *Session) resolve(t *tab, ref browser.Ref) (*frame, int, error) {
	number, element, ok := parseRef(ref)
	if !ok {
		return nil, 0, &browser.StaleError{Ref: ref}
	}
	if number == 0 {
		return t.mainFrame(), element, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.known[number]
	if f == nil || f.root().sess != cdp.Session(t.target) {
		return nil, 0, &browser.StaleError{Ref: ref}
	}
	return f, element, nil
}

func (f *frame) root() *frame {
	for f.parent != nil {
		f = f.parent
	}
	return f
}
