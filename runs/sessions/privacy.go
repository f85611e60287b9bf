package sessions

import (
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/drover-go/drover/runs/browser"
)

// privacy keeps out of the log and the recording of a session what a person does
// in it who has taken it over from an agent.
type privacy struct {
	mu sync.Mutex
	// holders are the takeovers under way: runs may share a session.
	holders []*holder
	// shown says that what was typed may be on the screen still: no frame is kept
	// any more.
	shown   bool
	writing []rune // the text that is not finished
}

// holder is one takeover, with the texts that were finished in it.
type holder struct{ typed []string }

// maxTyped bounds what is remembered of a person's texts, in bytes: more of it is
// kept out of frames, but not known again in a page.
const maxTyped = 64 << 10

// Private keeps what happens in the session out of its log and recording until
// each that has called it has called end, which tells what was typed in the live
// view meanwhile, text by text, before anything is logged again.
func (h *held) Private() (end func(learn func(typed string))) { return h.live.privacy.begin() }

func (p *privacy) begin() (end func(learn func(typed string))) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h := &holder{}
	p.holders = append(p.holders, h)
	return func(learn func(string)) { p.end(h, learn) }
}

func (p *privacy) end(h *holder, learn func(typed string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h.add(string(p.writing)) // the others may have more of it
	p.holders = slices.DeleteFunc(p.holders, func(o *holder) bool { return o == h })
	if len(p.holders) == 0 {
		p.writing = nil
	}
	for _, text := range h.typed {
		learn(text)
	}
}

// hides reports whether nothing is to be logged or recorded now, and hidesFrames
// whether no picture is.
func (p *privacy) hides() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.holders) > 0
}

func (p *privacy) hidesFrames() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.holders) > 0 || p.shown
}

// heard notes an act of a viewer: what it writes belongs to one text until
// something else is done.
func (p *privacy) heard(a act) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.holders) == 0 {
		return
	}
	switch {
	case a.Type == "text":
		p.write(a.Text)
	case a.Type == "dialog" && a.Text != "":
		p.finishText()
		p.write(a.Text)
		p.finishText()
	case a.Type == "key" && a.Action == "down" && utf8.RuneCountInString(a.Key) == 1 && a.Modifiers&(1|2|4) == 0:
		p.write(a.Key)
	case a.Type == "key" && a.Action == "down" && a.Key == "Backspace":
		p.writing = p.writing[:max(len(p.writing)-1, 0)]
	case a.Type == "key" && (a.Action != "down" || a.Key == "Shift" || a.Key == "CapsLock"), a.Type == "mouse" && a.Action == "move":
	default:
		p.finishText()
	}
}

func (p *privacy) write(text string) {
	p.shown = true
	if len(p.writing)+len(text) <= maxTyped {
		p.writing = append(p.writing, []rune(text)...)
	}
}

func (p *privacy) finishText() {
	text := string(p.writing)
	p.writing = nil
	for _, h := range p.holders {
		h.add(text)
	}
}

func (h *holder) add(text string) {
	size := len(text)
	for _, known := range h.typed {
		size += len(known)
	}
	if text != "" && size <= maxTyped && !slices.Contains(h.typed, text) {
		h.typed = append(h.typed, text)
	}
}

// keepFrame keeps a picture, if a person has not hidden what it may show.
func (l *live) keepFrame(f browser.Frame) error {
	if !l.privacy.hidesFrames() {
		l.rec.frame(f)
	}
	return nil
}
