package page

import (
	"context"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// HTML implements [browser.Session]. Shadow roots stand in place of the
// children of their hosts, and the document that a frame shows is its srcdoc.
func (s *Session) HTML(ctx context.Context, limit int) (html string, truncated bool, err error) {
	return s.HTMLOf(ctx, "", limit)
}

// HTMLOf implements [browser.Session].
func (s *Session) HTMLOf(ctx context.Context, ref browser.Ref, limit int) (_ string, truncated bool, err error) {
	defer errtypes.Wrap(&err, "chrome.HTML")
	return s.html(ctx, ref, limit, false)
}

// VisibleHTML implements [browser.Session].
func (s *Session) VisibleHTML(ctx context.Context, limit int) (_ string, truncated bool, err error) {
	defer errtypes.Wrap(&err, "chrome.VisibleHTML")
	return s.html(ctx, "", limit, true)
}

func (s *Session) html(ctx context.Context, ref browser.Ref, limit int, shownOnly bool) (_ string, truncated bool, err error) {
	if limit < 0 {
		return "", false, errtypes.Field("limit", "must not be negative")
	}
	t, done, err := s.work(&ctx)
	if err != nil {
		return "", false, err
	}
	defer done()
	w := &htmlWriter{s: s, shownOnly: shownOnly, frames: s.opts.Limits.Frames, ref: ref}
	f := t.mainFrame()
	if ref != "" {
		if f, w.root, err = s.resolve(t, ref); err != nil {
			return "", false, s.Explain(ctx, err)
		}
	}
	html, err := w.document(ctx, f, limit, 0)
	if ref != "" {
		err = staleIfLost(f, ref, err)
	}
	if err != nil {
		return "", false, s.Explain(ctx, err)
	}
	return html, w.truncated, nil
}

// serialised is a document with gaps for those of its frames.
type serialised struct {
	Parts     []string `json:"parts"`  // one more than there are frames
	Frames    []int    `json:"frames"` // numbers of their elements
	Truncated bool     `json:"truncated"`
	Next      int      `json:"next"`
	Suspects  int      `json:"suspects"`
	Stale     bool     `json:"stale"` // the element to begin at has gone
}

func (d serialised) size() (n int) {
	for _, p := range d.Parts {
		n += len(p)
	}
	return n
}

// An htmlWriter puts a page together from the documents of its frames. The
// page itself comes first: its frames get what it leaves of the limit.
type htmlWriter struct {
	s         *Session
	shownOnly bool
	ref       browser.Ref // that it begins at; empty for the document
	root      int         // its number
	frames    int         // that may still be entered
	truncated bool
}

// document serialises a frame's document and those in it, of which level says
// how deep they are nested, into at most limit bytes.
func (w *htmlWriter) document(ctx context.Context, f *frame, limit, level int) (string, error) {
	d, err := w.serialise(ctx, f, max(limit, 0), f.parent != nil)
	if err != nil {
		return "", err
	}
	if d.Stale {
		return "", &browser.StaleError{Ref: w.ref}
	}
	w.root = 0
	w.s.next = max(w.s.next, d.Next)
	w.truncated = w.truncated || d.Truncated
	if d.Truncated && level > 0 { // only the end of the page may be half of something
		return "", nil
	}
	limit -= d.size()
	var b strings.Builder
	for i, part := range d.Parts {
		b.WriteString(part)
		if i == len(d.Frames) {
			break
		}
		inner, err := w.inner(ctx, f, d.Frames[i], limit-len(srcdocStart)-len(srcdocEnd), level+1)
		if err != nil {
			return "", err
		}
		if inner != "" {
			b.WriteString(srcdocStart + inner + srcdocEnd)
			limit -= len(srcdocStart) + len(inner) + len(srcdocEnd)
		}
	}
	return b.String(), nil
}

// serialise reads a frame's document: again when it turns out to have closed
// shadow roots.
func (w *htmlWriter) serialise(ctx context.Context, f *frame, limit int, framed bool) (d serialised, err error) {
	for range closedRounds {
		d, err = eval[serialised](ctx, f, "html", limit, w.s.next, framed, w.shownOnly, w.root)
		if err != nil || d.Suspects == 0 || !w.s.openClosed(ctx, f) {
			break
		}
	}
	return d, err
}

const srcdocStart, srcdocEnd = ` srcdoc="`, `"`

// escapeSrcdoc escapes what an attribute value needs escaped, and no more: each
// frame in a frame is escaped again.
var escapeSrcdoc = strings.NewReplacer("&", "&amp;", `"`, "&quot;")

// inner returns the document of a frame, escaped. One that cannot be entered,
// or does not fit, is left out.
func (w *htmlWriter) inner(ctx context.Context, parent *frame, owner, limit, level int) (string, error) {
	if w.frames <= 0 || level > w.s.opts.Limits.FrameDepth || limit <= 0 {
		w.truncated = true
		return "", nil
	}
	w.frames--
	frameCtx, done := w.s.Bounded(ctx, frameTime, "answer in a frame")
	defer done()
	f, err := w.s.enter(frameCtx, parent, owner)
	if err != nil || f == nil {
		return "", w.skipped(ctx, err)
	}
	html, err := w.document(frameCtx, f, limit, level)
	if html = escapeSrcdoc.Replace(html); len(html) > limit {
		w.truncated = true
		return "", w.skipped(ctx, err)
	}
	return html, w.skipped(ctx, err)
}

// skipped notes that a frame could not be read; only the end of the call is an
// error.
func (w *htmlWriter) skipped(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	w.s.opts.Logger.Debug("chrome: a frame cannot be read", "session", w.s.ID(), "error", err)
	w.truncated = true
	return nil
}
