package visible

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// phrases reads the parts of a line that open with such words or are such texts:
// "Apply by 31 May 2024", "EAN 4006381333931", "Cook 20 min", "4 servings", and
// how many of something the page lists.
func (r *reader) phrases(i int, line string) {
	if r.nodes[i].is(isStruck) || len(line) > 2*maxPattern {
		return
	}
	r.counted(line, i)
	r.roomsIn(line, i)
	for _, s := range mention.Parts(line) {
		r.phraseIn(i, s)
	}
}

// phraseIn reads a part of a line. Behind a comma may stand another phrase.
func (r *reader) phraseIn(i int, s string) {
	name, value := mention.Phrase(s, r.lang)
	if at := strings.LastIndex(s, ", "); name == "" && at > 0 {
		if name, value = mention.Phrase(s[at+2:], r.lang); name != "" {
			r.phraseIn(i, s[:at])
		}
	}
	if name != "" {
		r.addLabelled(i, name, value)
		return
	}
	if name, value = mention.Kind(s); name == "" {
		_, value = mention.SplitLabel(s)
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

// roomText is how many rooms of a kind a home has, or how large it is.
var (
	roomText = lexicon.Pattern(`^(\d{1,2}(?:[.,]\d)?)\s+(\p{L}[\p{L} -]{2,24})$`)
	areaText = lexicon.Pattern(`(?i)^\d[\d.,\x{A0}\x{202F} ]*\s?(?:m²|m2|qm|sq\.? ?m|sq\.? ?ft|sqft|ft²)(?:\s\p{L}+)?$`)
)

// roomsIn notes a line that says how many rooms a home has, or how large it is: "3 bedrooms",
// "92 sq m".
func (r *reader) roomsIn(s string, i int) {
	if n := &r.nodes[i]; len(s) > maxMoney || n.part != 0 || n.is(isAside) || len(r.rooms) >= maxOfAKind || !mention.HasDigit(s[:1]) {
		return
	}
	if areaText().MatchString(s) {
		r.rooms = append(r.rooms, sign{i, "area", s})
	} else if m := roomText().FindStringSubmatch(s); m != nil {
		of := names.Parse(m[2])
		if of.Is("numberOfRooms", "numberOfBedrooms", "numberOfBathroomsTotal") {
			r.rooms = append(r.rooms, sign{i, m[2], m[1]})
		}
	}
}

// home adds what was noted of a home where that is of two kinds, and nothing can be bought: paint covers rooms.
func (r *reader) home() {
	if r.has(0, "availability") || !slices.ContainsFunc(r.rooms, func(s sign) bool { return s.name != r.rooms[0].name }) {
		return
	}
	for _, s := range r.rooms {
		r.addLabelled(s.node, s.name, s.value)
	}
}

// few reads a text of an item that says how many it has of something.
func (r *reader) few(s string, i int) {
	if r.nodes[i].part == 0 {
		return
	}
	thing, number := mention.FewOf(s)
	if _, votes := mention.Rating(s); thing != "" && votes == "" {
		r.addLike(i, thing, number, s)
	}
}

// counted reads a line that says how many of something the page lists.
func (r *reader) counted(s string, i int) {
	thing, number := mention.Counted(s)
	if thing == "" || r.nodes[i].part != 0 {
		return
	}
	v := r.said(i, number, graph.Label)
	r.add(0, thing+" count", v)
	if thing == "job" || thing == "product" || thing == "listing" {
		r.add(0, "result count", v)
	}
}
