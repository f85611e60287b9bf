package runs

import (
	"slices"

	"github.com/drover-go/drover/runs/model"
)

// A transcript is what has been said in a run, as its model is told it. It is
// whole: what a language model is shown of it is a view.
type transcript struct {
	turns []turn
	// short is how many turns are shown short; they stay so, in order that the
	// beginning of the conversation is the same from one step to the next and
	// providers find it in their caches.
	short int
	// most is how long the view may be since the model could not read a longer one,
	// in bytes; 0 for any length.
	most int
	// page is the newest answer with the page in it; nil for none.
	page *shownPage
}

// turn is a message, and how it is shown once it is old.
type turn struct {
	model.Message
	old *model.Message
	// since is the message with the page as what has changed since the turn base;
	// nil for none.
	since *model.Message
	base  int
}

func (t *transcript) add(m model.Message) { t.turns = append(t.turns, turn{Message: m}) }

// hint adds words of the loop to the model, which are in no message of the run.
func (t *transcript) hint(text string) {
	t.add(model.Message{Role: model.User, Content: []model.Part{model.Text(text)}})
}

// whole is everything that was said.
func (t *transcript) whole() []model.Message {
	all := make([]model.Message, len(t.turns))
	for i := range t.turns {
		all[i] = t.turns[i].Message
	}
	return all
}

// knows reports whether a call has the id.
func (t *transcript) knows(id string) bool {
	return slices.ContainsFunc(t.turns, func(u turn) bool { return hasCall(u.Message, id) })
}

func hasCall(m model.Message, id string) bool {
	return slices.ContainsFunc(m.Calls(), func(c model.Part) bool { return c.ToolCallID == id })
}

// maxImages is how many images there may be, of which keptImages stay when there
// are more.
const (
	maxImages  = 12
	keptImages = 3
)

// view is what a language model is shown: old observations are cut short, and old
// images left out, once they are more than limit bytes. That is done for many
// turns at once and seldom.
func (t *transcript) view(limit int, shorten func(model.Message) model.Message) []model.Message {
	if t.most > 0 {
		limit = min(limit, t.most)
	}
	t.fit(limit, shorten)
	if t.images() > maxImages {
		t.cut(t.newest(keptImages, hasImage), shorten)
	}
	return t.shown()
}

// stalePage is after how many turns the newest page is as old as the others.
const stalePage = 8

// fit shortens old turns where the view is longer than the limit: until it is a
// quarter of that, so that it is not done again soon, but for the newest page.
func (t *transcript) fit(limit int, shorten func(model.Message) model.Message) {
	if t.size() <= limit {
		return
	}
	last := t.newest(1, hasPage)
	if now := len(t.turns) - 2; last == 0 || now-last > stalePage {
		last = now // there is no page, or the agent has long gone on from it
	}
	for i := t.short; i < last && t.size() > limit/4; i++ {
		t.cut(i+1, shorten)
	}
}

// cut has the first n turns shown short.
func (t *transcript) cut(n int, shorten func(model.Message) model.Message) {
	for ; t.short < n; t.short++ {
		short := shorten(t.turns[t.short].Message)
		t.turns[t.short].old = &short
	}
}

// newest is the place of the nth newest turn that is so.
func (t *transcript) newest(n int, is func(model.Message) bool) int {
	for i := len(t.turns) - 1; i >= 0; i-- {
		if is(t.turns[i].Message) {
			if n--; n == 0 {
				return i
			}
		}
	}
	return 0
}

// size is how long the view is, in bytes.
func (t *transcript) size() (n int) {
	for _, m := range t.shown() {
		n += sizeOf(m)
	}
	return n
}

func sizeOf(m model.Message) (n int) {
	for _, p := range m.Content {
		n += partSize(p)
	}
	return n
}

func (t *transcript) images() (n int) {
	for _, u := range t.turns[t.short:] {
		for _, p := range u.Content {
			if p.Type == model.FilePart {
				n++
			}
		}
	}
	return n
}

// pageSize is from how many bytes on an answer is taken for one with a page.
const pageSize = 1000

func hasPage(m model.Message) bool {
	return slices.ContainsFunc(m.Results(), func(p model.Part) bool { return partSize(p) >= pageSize })
}

func hasImage(m model.Message) bool {
	return slices.ContainsFunc(m.Content, func(p model.Part) bool { return p.Type == model.FilePart })
}
