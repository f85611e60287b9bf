package runs

import (
	"slices"

	"github.com/drover-go/drover/runs/model"
)

// maxChain is how many pages in a row are shown as what has changed: then one is
// shown whole again.
const maxChain = 8

// viewer tells pages in answers apart; the tools do.
type viewer interface {
	// Shows reports whether an answer has the page in it.
	Shows(out model.Output) bool
	// Since is the newer answer as what has changed since the older one.
	Since(old, now model.Output) (model.Output, bool)
}

// see notes how a language model may be shown the newest turn: as what has changed
// since the page that was shown before it. What is stored stays whole.
func (t *transcript) see(v viewer) {
	i := len(t.turns) - 1
	at, pages := lastPage(t.turns[i].Message, v)
	if pages == 0 {
		return
	}
	newest := t.turns[i].Content[at].Output
	before := t.page
	t.page = &shownPage{turn: i, out: *newest}
	if before == nil || pages > 1 {
		return
	}
	out, ok := v.Since(before.out, *newest)
	if !ok {
		return
	}
	m := t.turns[i].Message
	m.Content = slices.Clone(m.Content)
	m.Content[at].Output = &out
	t.turns[i].since, t.turns[i].base = &m, before.turn
}

// shownPage is an answer with the page in it.
type shownPage struct {
	turn int
	out  model.Output
}

// lastPage is the last answer of a message that has a page, and how many have.
func lastPage(m model.Message, v viewer) (at, pages int) {
	for i, p := range m.Content {
		if p.Output != nil && v.Shows(*p.Output) {
			at, pages = i, pages+1
		}
	}
	return at, pages
}

// shown are the turns as a language model sees them. One is shown as what has
// changed where that since which it has is shown, too, and not cut short.
func (t *transcript) shown() []model.Message {
	all, chain := make([]model.Message, len(t.turns)), make([]int, len(t.turns))
	for i, u := range t.turns {
		switch {
		case u.old != nil:
			all[i] = *u.old
		case u.since != nil && u.base >= t.short && chain[u.base] < maxChain:
			all[i], chain[i] = *u.since, chain[u.base]+1
		default:
			all[i] = u.Message
		}
	}
	return all
}
