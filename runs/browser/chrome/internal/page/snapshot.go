package page

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// walkLimits are what a walk over one frame may take: Elements and Text of
// whatever there is, Most and MostText with what can be seen or is looked for.
type walkLimits struct {
	Elements int    `json:"elements"`
	Text     int    `json:"text"`
	Most     int    `json:"most"`
	MostText int    `json:"mostText"`
	Time     int64  `json:"time"` // ms
	Next     int    `json:"next"`
	Root     int    `json:"root,omitempty"`   // the element to begin at
	Levels   int    `json:"levels,omitempty"` // that are listed; 0 for all
	Boxes    bool   `json:"boxes,omitempty"`
	View     *rect  `json:"view,omitempty"` // what can be seen of the frame
	Find     string `json:"find,omitempty"`
	All      bool   `json:"all,omitempty"` // what cannot be acted on gets a number, too
}

// take counts what a frame has taken.
func (l *walkLimits) take(elements, text int) {
	l.Elements, l.Most = max(l.Elements-elements, 0), l.Most-elements
	l.Text, l.MostText = max(l.Text-text, 0), l.MostText-text
}

// spent reports whether only what can be seen is listed, and none whether nothing
// is.
func (l walkLimits) spent() bool { return l.Elements == 0 || l.Text == 0 }
func (l walkLimits) none() bool  { return l.Most <= 0 || l.MostText <= 0 }

// walkTime bounds the walk over one frame; a page that takes longer is cut.
const walkTime = 5 * time.Second

// walkItem is an element as the walk in the page reports it.
type walkItem struct {
	Ref         int      `json:"ref"`
	Frame       int      `json:"frame"` // number of a frame's element
	Role        string   `json:"role"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Error       string   `json:"error"`
	Value       string   `json:"value"`
	Type        string   `json:"type"`
	Placeholder string   `json:"placeholder"`
	Min         string   `json:"min"`
	Max         string   `json:"max"`
	Step        string   `json:"step"`
	URL         string   `json:"url"`
	Level       int      `json:"level"`
	Depth       int      `json:"depth"`
	States      []string `json:"states"`
	Out         string   `json:"out"` // of the view: above or below
	Options     []string `json:"options"`
	More        int      `json:"more"` // options that are left out
	Left        int      `json:"left"` // elements in it that are not listed

	Scroll *scrollRoom `json:"scroll"`
	Box    *rect       `json:"box"`    // in the window of its frame
	Inside *placeAt    `json:"inside"` // where a frame's content is
	View   *rect       `json:"view"`   // what can be seen of it
}

// maxRoom is for how many items room is made at once, before it is known how many
// there are: they are large to be copied as their list grows.
const maxRoom = 16 << 10

// walkItems travel as a text that is JSON.
type walkItems []walkItem

// UnmarshalJSON implements [json.Unmarshaler].
func (items *walkItems) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	*items = make([]walkItem, 0, min(strings.Count(text, "},{")+1, maxRoom))
	if jsonv2.Unmarshal([]byte(text), (*[]walkItem)(items), chromedp.DefaultUnmarshalOptions) == nil { // takes half the time
		return nil
	}
	*items = nil
	return json.Unmarshal([]byte(text), (*[]walkItem)(items))
}

type walkResult struct {
	Stale     bool        `json:"stale"` // the element to begin at has gone
	Items     walkItems   `json:"items"`
	Size      int         `json:"size"` // characters of text in them
	Truncated bool        `json:"truncated"`
	Left      int         `json:"left"` // elements that are not listed
	Next      int         `json:"next"`
	Scroll    *scrollRoom `json:"scroll"`
	Suspects  int         `json:"suspects"` // elements that may have closed shadow roots
	Roots     int         `json:"roots"`    // shadow roots whose listeners are not known
}

// Snapshot implements [browser.Session].
func (s *Session) Snapshot(ctx context.Context) (browser.Snapshot, error) {
	return s.SnapshotOf(ctx, browser.SnapshotOptions{})
}

// SnapshotOf implements [browser.Session].
func (s *Session) SnapshotOf(ctx context.Context, o browser.SnapshotOptions) (_ browser.Snapshot, err error) {
	defer errtypes.Wrap(&err, "chrome.Snapshot")
	if o.Depth < 0 {
		return browser.Snapshot{}, errtypes.Field("depth", "must not be negative")
	}
	t, done, err := s.work(&ctx)
	if err != nil {
		return browser.Snapshot{}, err
	}
	defer done()
	w := s.newWalker(o)
	if err := w.start(ctx, t, o.Ref); err != nil {
		return browser.Snapshot{}, s.Explain(ctx, err)
	}
	p, err := s.pageOf(ctx, t)
	if err != nil {
		return browser.Snapshot{}, err
	}
	s.keepKnown(w.known, o.Ref != "")
	s.calls(w.out)
	return browser.Snapshot{Page: p, Elements: w.out, Truncated: w.truncated, Unlisted: w.unlisted, Scroll: w.scroll.room()}, nil
}

func (s *Session) newWalker(o browser.SnapshotOptions) *walker {
	limits := s.opts.Limits
	return &walker{s: s, frames: limits.Frames, known: map[int]*frame{}, depth: o.Depth, left: walkLimits{
		Elements: limits.Elements, Text: limits.Text, Most: 2 * limits.Elements, MostText: 2 * limits.Text,
		Time: walkTime.Milliseconds(), Boxes: o.Boxes, Find: o.Find, All: o.Refs,
	}}
}

// keepKnown notes the frames of a snapshot: they are all there are, unless it
// was of a part of the page.
func (s *Session) keepKnown(known map[int]*frame, part bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if part {
		maps.Copy(s.known, known)
	} else {
		s.known = known
	}
}

// start walks the page, or the element of ref.
func (w *walker) start(ctx context.Context, t *tab, ref browser.Ref) error {
	if ref == "" {
		return w.frame(ctx, t.mainFrame(), whole, 0, 0)
	}
	f, element, err := w.s.resolve(t, ref)
	if err != nil {
		return err
	}
	level, at := 0, whole
	for outer := f; outer.parent != nil; outer = outer.parent {
		level++
	}
	if w.left.Boxes {
		if at, err = placeOf(ctx, f); err != nil {
			return staleIfLost(f, ref, err)
		}
	}
	w.left.Root, w.ref = element, ref
	return staleIfLost(f, ref, w.frame(ctx, f, at, 0, level))
}

// staleIfLost is the error of a Ref whose frame is no longer there.
func staleIfLost(f *frame, ref browser.Ref, err error) error {
	if f.lost(err) {
		return &browser.StaleError{Ref: ref}
	}
	return err
}

// A walker collects one snapshot over all frames of a page.
type walker struct {
	s         *Session
	left      walkLimits
	ref       browser.Ref // that it begins at; empty for the page
	depth     int         // levels below the first; 0 for all
	frames    int         // that may still be entered
	known     map[int]*frame
	out       []browser.Element
	truncated bool
	unlisted  int
	scroll    *scrollRoom // of the frame that was walked last
}

// frame adds a frame's elements, those of the frames in it included. at is where
// its content is, depth that of its element, level how deep frames are nested.
func (w *walker) frame(ctx context.Context, f *frame, at placeAt, depth, level int) error {
	if w.left.Next = w.s.next; w.depth > 0 {
		w.left.Levels = w.depth - depth + 1
	}
	res, err := w.walk(ctx, f)
	switch {
	case err != nil:
		return err
	case res.Stale:
		return &browser.StaleError{Ref: w.ref}
	}
	w.left.Root, w.left.View = 0, nil
	w.s.next = max(w.s.next, res.Next)
	w.truncated = w.truncated || res.Truncated
	w.unlisted += res.Left
	w.left.take(len(res.Items), res.Size)
	kept := framesInView(res.Items)
	w.out = slices.Grow(w.out, len(res.Items))
	for _, item := range res.Items {
		w.out = append(w.out, element(f.number, depth, at, item))
		inside := depth + item.Depth + 1
		if item.Frame == 0 || w.depth > 0 && inside > w.depth {
			continue
		}
		if item.Out == "" {
			kept--
		}
		if w.refuses(item, kept, level+1) {
			w.leaveOut(f, item)
		} else if err := w.inner(ctx, f, item, at, inside, level+1); err != nil {
			return err
		}
	}
	w.scroll = res.Scroll
	return nil
}

// framesInView counts the frames that can be seen.
func framesInView(items []walkItem) (n int) {
	for _, item := range items {
		if item.Frame != 0 && item.Out == "" {
			n++
		}
	}
	return n
}

// refuses reports whether a frame is not entered; kept is how many that can be seen
// come behind it, which go first.
func (w *walker) refuses(item walkItem, kept, level int) bool {
	if w.frames <= 0 || level > w.s.opts.Limits.FrameDepth || w.left.none() {
		return true
	}
	return item.Out != "" && (w.frames <= kept || w.left.spent() && w.left.Find == "")
}

// leaveOut names a frame, which is the last element, so that it can be looked at.
func (w *walker) leaveOut(parent *frame, item walkItem) {
	e := &w.out[len(w.out)-1]
	w.truncated, e.Unlisted, e.Ref = true, 1, refOf(parent.number, item.Frame)
}

// inner enters a frame by its element. A frame that cannot be entered is left
// out: the page around it is worth more than an error.
func (w *walker) inner(ctx context.Context, parent *frame, item walkItem, at placeAt, depth, level int) error {
	w.frames--
	frameCtx, done := w.s.Bounded(ctx, frameTime, "answer in a frame")
	defer done()
	f, err := w.s.enter(frameCtx, parent, item.Frame)
	if err == nil && f != nil {
		w.known[f.number] = f
		owner := len(w.out) - 1
		w.left.View, w.scroll = item.View, nil
		err = w.frame(frameCtx, f, at.in(item.Inside), depth, level)
		w.out[owner].Scroll = w.scroll.room()
	}
	if err != nil && ctx.Err() == nil {
		w.s.opts.Logger.Debug("chrome: a frame cannot be read", "session", w.s.ID(), "error", err)
		w.truncated = true
		return nil
	}
	return err
}

// frameTime bounds the reading of a frame, those in it included: a frame of
// another site may hang while the page around it is well.
const frameTime = 3 * time.Second

// enter finds the frame that an element holds; nil if it holds none.
func (s *Session) enter(ctx context.Context, parent *frame, owner int) (*frame, error) {
	id, err := frameIDOf(ctx, parent, owner)
	if err != nil || id == "" {
		return nil, err
	}
	f := &frame{sess: parent.sess, id: id, parent: parent, owner: owner, number: s.numberOf(id)}
	if _, err = f.world(ctx); err == nil {
		return f, nil
	}
	if !noFrame(err) {
		return nil, err
	}
	own, err := s.frameSession(ctx, id)
	if err != nil || own == nil {
		return nil, err
	}
	f.sess, f.life = own.target, own.life
	return f, nil
}

const objectGroup = "drover"

// frameIDOf asks which frame an element holds.
func frameIDOf(ctx context.Context, parent *frame, owner int) (cdp.FrameID, error) {
	world, err := parent.world(ctx)
	if err != nil {
		return "", err
	}
	call, err := callExpr("elementOf", []any{owner})
	if err != nil {
		return "", err
	}
	res, err := cdp.Call(ctx, parent.sess, runtime.Evaluate, runtime.EvaluateParams{
		Expression: "(" + call + ").then(r => r.ok ?? null)", ContextID: world,
		ObjectGroup: objectGroup, AwaitPromise: new(true), Silent: new(true),
	})
	if err != nil || res.Result.ObjectID == "" {
		return "", err
	}
	defer cdp.Call(ctx, parent.sess, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: objectGroup})
	node, err := cdp.Call(ctx, parent.sess, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: res.Result.ObjectID})
	if err != nil {
		return "", err
	}
	return node.Node.FrameID, nil
}

// scrollRoom is a browser.Scroll as pages write it.
type scrollRoom [4]float64

func (r *scrollRoom) room() *browser.Scroll {
	if r == nil {
		return nil
	}
	return &browser.Scroll{Above: r[0], Below: r[1], Left: r[2], Right: r[3]}
}

// element turns what the page's walk reports into what callers see.
func element(frameNumber, depth int, at placeAt, item walkItem) browser.Element {
	e := browser.Element{
		Role: Clean(item.Role, 0), Name: Clean(item.Name, 0), Value: Clean(item.Value, 0),
		Description: Clean(item.Description, 0), Error: Clean(item.Error, 0),
		Type: Clean(item.Type, 0), Placeholder: Clean(item.Placeholder, 0), URL: item.URL,
		Min: Clean(item.Min, 0), Max: Clean(item.Max, 0), Step: Clean(item.Step, 0),
		Level: item.Level, Depth: depth + item.Depth, MoreOptions: max(item.More, 0), Unlisted: max(item.Left, 0),
		Frame: frameName(frameNumber), Box: at.box(item.Box), Scroll: item.Scroll.room(),
	}
	for _, word := range append(item.States, item.Out) {
		e.SetState(word)
	}
	for _, option := range item.Options {
		e.Options = append(e.Options, Clean(option, 0))
	}
	if item.Ref > 0 {
		e.Ref = refOf(frameNumber, item.Ref)
	}
	return e
}
