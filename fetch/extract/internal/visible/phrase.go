package visible

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// phrase is words that stand before a value without a colon, and the name of
// that value. The value has to be of the kind: words alone say little.
type phrase struct{ words, name, kind string }

// phrasesByLetter are the phrases by their first letter, the longest first.
var phrasesByLetter = sync.OnceValue(func() map[rune][]phrase {
	m := map[rune][]phrase{}
	for _, e := range lexicon.Read(files, "phrases") {
		kind, name, _ := strings.Cut(e.Name, " ")
		for _, words := range e.Words {
			words = strings.ReplaceAll(words, "_", " ")
			c, _ := utf8.DecodeRuneInString(words)
			m[c] = append(m[c], phrase{words, name, kind})
		}
	}
	for _, list := range m {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.words) - len(a.words) })
	}
	return m
})

// phrases reads the parts of lines that open with such words or are such texts:
// "Apply by 31 May 2024", "EAN 4006381333931", "Cook 20 min", "4 servings", and
// how many of something the page lists.
func (r *reader) phrases() {
	for i := range r.lines {
		r.pass(i)
		l := &r.lines[i]
		text := r.text[l.from:l.to]
		if r.nodes[l.first].is(inTable|isStruck|isTerm) || len(text) > 2*maxPattern {
			continue
		}
		r.counted(text, l.first)
		for _, s := range segments(text) {
			r.phraseIn(i, s)
		}
	}
	r.offerWork()
}

// phraseIn reads a part of a line. Behind a comma may stand another phrase.
func (r *reader) phraseIn(line int, s string) {
	i := r.lines[line].first
	name, value := phraseValue(s, r.lang)
	if at := strings.LastIndex(s, ", "); name == "" && at > 0 {
		if name, value = phraseValue(s[at+2:], r.lang); name != "" {
			r.phraseIn(line, s[:at])
		}
	}
	if name != "" {
		r.addLabelled(i, name, value)
		return
	}
	if name, value = mention.Kind(s); name == "" {
		_, value = splitLabel(s)
		name, value = mention.Kind(value)
	}
	if !is("job sign", name) {
		r.addLabelled(i, name, value)
	} else if n := &r.nodes[i]; n.part == 0 && !n.is(isAside) && !r.isForeign(i) && len(r.signs) < maxOfAKind {
		r.signs = append(r.signs, sign{i, name, value})
	}
}

// sign is a text that looks like a part of an offer of work.
type sign struct {
	node        int
	name, value string
}

// offerWork adds the signs of an offer of work. One alone says little: there are
// two, or one and a label of such offers.
func (r *reader) offerWork() {
	kinds := map[string]bool{}
	for _, s := range r.signs {
		kinds[s.name] = true
	}
	for i := range r.parts[0].entity.Fields {
		if name := strings.ToLower(r.parts[0].entity.Fields[i].Name); is("job label", name) {
			kinds[name] = true
		}
	}
	if len(kinds) < 2 {
		return
	}
	for _, s := range r.signs {
		r.addLabelled(s.node, s.name, s.value)
		if s.name == "workplace type" {
			r.addLabelled(s.node, "remote", s.value)
		}
	}
}

// phraseValue returns the name and the value of a text that opens with a phrase.
func phraseValue(s, language string) (name, text string) {
	if s == "" || len(s) > maxPattern || !hasDigit(s) {
		return "", ""
	}
	c, _ := utf8.DecodeRuneInString(s)
	lower := strings.ToLower(s)
	for _, p := range phrasesByLetter()[unicode.ToLower(c)] {
		if !strings.HasPrefix(lower, p.words) || len(lower) != len(s) {
			continue
		}
		rest := s[len(p.words):]
		if next, _ := utf8.DecodeRuneInString(rest); unicode.IsLetter(next) || rest == "" {
			continue
		}
		if rest = strings.TrimLeft(rest, " \u00A0#."); rest != "" && rest[0] == ':' && p.name != "total time" {
			return "", "" // read as a label
		}
		rest = strings.TrimLeft(rest, " \u00A0:–-")
		if p.kind == "date" { // "8 March 2026 (06:37 UTC)."
			rest, _, _ = strings.Cut(rest, " (")
			rest = strings.TrimRight(rest, " .,;")
		}
		if isOfKind(p.kind, rest, language) {
			return p.name, rest
		}
	}
	return "", ""
}

// isOfKind reports whether a text is a value of a kind and nothing more.
func isOfKind(kind, s, language string) bool {
	switch kind {
	case "date":
		_, ok := mention.ParseMoment(s, language)
		return ok || len(s) < maxMoney && mention.IsDate(s) || mention.ParsePeriod(s, language).Start != ""
	case "code":
		return len(s) >= 4 && len(s) <= maxCode && hasDigit(s) && !strings.ContainsAny(s, " $€£%@:") && !mention.IsDate(s)
	case "trade-number":
		return isTradeNumber(s)
	case "book-number":
		return isBookNumber(s)
	case "length":
		_, ok := mention.Duration(s)
		return ok && len(s) < maxMoney
	case "pay":
		return mention.IsPay(s)
	}
	return len(s) > 0 && len(s) <= 30 && s[0] >= '1' && s[0] <= '9'
}

// countedText is how many of something a list has, at the beginning of a line:
// "124 offres d'emploi", "1-20 of 1,286 results", "36 Produkte gefunden".
var (
	countedText   = lexicon.Pattern(`(?i)^(?:(?:showing|zeige|affichage de)\s+)?(?:\d{1,4}\s?[-–]\s?\d{1,4}\s+(?:of|von|sur|de|di|van)\s+)?(?:(?:about|over|rund|environ|circa)\s+)?(\d{1,3}(?:[.,\x{A0}\x{202F} ]\d{3})+|\d{1,6})\s+(?:open |new |offene |neue )?(\p{L}[\p{L}'’]*)(\s+\p{L}[\p{L}'’]*)?`)
	countedThings = lexicon.ByWord(files, "counted")
)

// thousands takes the marks out of a number of things.
var thousands = strings.NewReplacer(".", "", ",", "", " ", "", "\u00A0", "", "\u202F", "")

// counted reads a line that says how many of something the page lists.
func (r *reader) counted(s string, i int) {
	if r.nodes[i].part != 0 || len(s) > 2*maxMoney || !hasDigit(s) || !strings.ContainsAny(s[:1], "0123456789sSzZaA") {
		return
	}
	m := countedText().FindStringSubmatch(s)
	if m == nil {
		return
	}
	word := strings.ToLower(m[2])
	one := cmp.Or(countedThings()[word+strings.Replace(strings.ToLower(m[3]), " ", "_", 1)], countedThings()[word])
	if one == "" {
		return
	}
	v := r.said(i, thousands.Replace(m[1]), graph.Label)
	r.add(0, one+" count", v)
	if one == "job" || one == "product" || one == "listing" {
		r.add(0, "result count", v)
	}
}
