package shape

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// isCountOf reports whether a field may be how many there are of what a property
// counts: by its very name, or because the number stands beside the word.
func (sh *shaper) isCountOf(p *prop, f *graph.Field) bool {
	if p.counted == "" || names.Counted(f.Name) == p.counted {
		return true
	}
	v := sh.view(p.sub)
	if v.typed && v.types&(typeNumber|typeInteger) == 0 {
		return true
	}
	have := sh.name(f.Name)
	if names.Match(p.key, have) >= names.Plural || p.label.Key != "" && names.Match(p.label, have) >= names.Plural {
		return true
	}
	return f.Values[0].Kind != graph.Thing && countIn(f.Values[0].Text, p.counted, sh.o.Language) != ""
}

// besideCount is a number with the words around it.
var besideCount = lexicon.Pattern(`(\d{1,3}(?:[., \x{a0}\x{202f}]\d{3})+|\d+)\+?[ \x{a0}](?:\pL+[ \x{a0}])?(\pL+)`)

// countIn returns the number that stands before a word, stemmed, or before one
// for the same kind of things in another language: "124 offres d'emploi" are
// jobs.
func countIn(text, counted, lang string) string {
	if len(text) > maxSaid*2 {
		return ""
	}
	for _, m := range besideCount().FindAllStringSubmatch(text, 4) {
		rest := text[strings.Index(text, m[0])+len(m[1]):]
		words := names.Words(cutWords(rest))
		if slices.ContainsFunc(words[:min(len(words), 2)], func(w string) bool { return names.SameCounted(w, counted) }) {
			if n, ok := mention.Count(strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "").Replace(m[1]), lang); ok {
				return n
			}
		}
	}
	return ""
}

func cutWords(text string) string {
	fields := strings.Fields(text)
	return strings.Join(fields[:min(len(fields), 2)], " ")
}

// counted takes a number from a heading of the page that has it before the word
// for what is counted.
func (sh *shaper) countShown(p *prop, v *view, s scope) *node {
	if p.counted == "" || s.depth > 0 {
		return nil
	}
	for _, e := range sh.things.page {
		if e.Source != graph.Document {
			continue
		}
		for _, name := range []string{"h1", "title", "sections"} {
			for _, val := range e.Get(name) {
				sh.m.Step(2 + len(val.Text)/8)
				n := countIn(val.Text, p.counted, sh.o.Language)
				if n == "" || val.Kind == graph.Thing || val.Aside {
					continue
				}
				text := val
				text.Kind, text.Text, text.Shown = graph.Number, n, ""
				if got := sh.scalar(p, v, found{e, name, text}, 0); got != nil {
					return got
				}
			}
		}
	}
	return nil
}

// isOtherCount reports whether a field is how many there are of something, and a
// property asks for how good it is, or the one counts votes and the other not: a
// question has votes, and no reviews.
func (sh *shaper) isOtherCount(p *prop, e *graph.Entity, f *graph.Field) bool {
	if !p.is("ratingValue", "aggregateRating", "reviewRating", "ratingCount", "reviewCount", "review") {
		return false
	}
	votes := strings.Contains(strings.ToLower(f.Name), "vote")
	switch {
	case p.is("ratingCount", "reviewCount"):
		wanted := strings.Contains(p.key.Key, "vote")
		if votes != wanted && !(votes && sh.isA(e, "AggregateRating")) {
			return votes || sh.name(f.Name).Is("reviewCount")
		}
		return false
	case votes:
		return sh.isCount(f.Name)
	}
	return false
}
