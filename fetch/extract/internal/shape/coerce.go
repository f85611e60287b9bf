package shape

import (
	"embed"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

//go:embed lexicon/*.txt
var files embed.FS

// forms are how the texts of concepts are read, by the names of readers.
var forms = lexicon.ByWord(files, "forms")

// reader returns how a property's texts are read: as the schema asks, or as is
// usual for its concept; nil for plain ones.
func (p *prop) reader(format string) reader {
	switch {
	case formats[format] != nil:
		return formats[format]
	case saysTimeOnly(p):
		return (*shaper).clocks
	case len(p.concepts) > 0:
		return readers[forms()[p.concepts[0]]]
	}
	return nil
}

// isDate reports whether a property asks for a day or a time.
func (p *prop) isDate() bool { return len(p.concepts) > 0 && forms()[p.concepts[0]] == "moment" }

// texts returns the texts that a value may be, the best first.
func (sh *shaper) texts(p *prop, v *view, f found) []string {
	read := p.reader(v.Format)
	if read == nil {
		return plainTexts(f.value)
	}
	texts := read(sh, p, f.value)
	if source := sourceOf(f.entity, &f.value); v.Format == "" && source >= graph.Table && source <= graph.Label && sh.name(f.name).Key == p.key.Key {
		texts = append(texts, plainTexts(f.value)...) // what stands behind the very name is meant, whatever it is
	}
	return texts
}

// plainTexts are the words of a value: of a link those that are shown.
func plainTexts(val graph.Value) []string {
	if rest := mention.CutVocabulary(val.Text); val.Kind != graph.URL || rest != val.Text {
		return []string{rest}
	}
	return []string{val.Shown}
}

// textsIn are the text of a value for machines, and that which is shown.
func textsIn(val graph.Value) []string {
	return slices.DeleteFunc([]string{val.Text, val.Shown}, func(text string) bool { return text == "" })
}

// both reads the text for machines, and else that which is shown.
func both(val graph.Value, read func(string) (string, bool)) []string {
	for _, text := range textsIn(val) {
		if s, ok := read(text); ok {
			return []string{s}
		}
	}
	return nil
}

// when returns texts if something is true.
func when(ok bool, texts ...string) []string {
	if !ok {
		return nil
	}
	return texts
}

func (sh *shaper) moment(val graph.Value) (mention.Moment, bool) {
	for _, text := range []string{sh.machineTime(val), val.Text, val.Shown} {
		if m, ok := mention.ParseMoment(text, sh.o.Language); ok {
			return m, true
		}
	}
	return mention.Unix(val.Text)
}

// maxNear is how many nodes of an element are looked at.
const maxNear = 16

// near returns the first nodes in an element.
func near(n *html.Node) (all []*html.Node) {
	for d := range n.Descendants() {
		if all = append(all, d); len(all) == maxNear {
			break
		}
	}
	return all
}

// machineTime is what the only time element in a visible value says to a
// machine, or "".
func (sh *shaper) machineTime(val graph.Value) string {
	var times []string
	sh.m.Step(maxNear)
	for _, d := range near(val.Element) {
		if at, ok := tree.Attr(d, "datetime"); ok && d.Data == "time" {
			times = append(times, at)
		}
	}
	if len(times) != 1 {
		return ""
	}
	return times[0]
}

// addresses returns a value as an absolute address.
func (sh *shaper) addresses(_ *prop, val graph.Value) []string {
	text := strings.TrimSpace(val.Text)
	if val.Kind == graph.Text && !addressLike().MatchString(text) {
		text = sh.linkOf(val)
	}
	if val.Kind != graph.URL && !addressLike().MatchString(text) {
		return nil
	}
	sh.m.Read(len(text) * 8)
	abs := sh.o.Resolve(text)
	return when(abs != "", abs)
}

// linkOf is where the words of a visible value lead to, where they are those of a link;
// else "".
func (sh *shaper) linkOf(val graph.Value) string {
	sh.m.Step(maxNear)
	for _, d := range near(val.Element) {
		if href := tree.AttrOr(d, "href"); d.DataAtom == atom.A && page.Collapse(tree.TextOf(d)) == strings.TrimSpace(val.Text) {
			return strings.TrimSpace(href)
		}
	}
	return ""
}

// addressLike is an address on the web, or a path on its host.
var addressLike = lexicon.Pattern(`^(?:\S+://|\.{0,2}/)\S*$`)

// reader reads a value as the texts that it may be.
type reader = func(*shaper, *prop, graph.Value) []string

// byMention makes a reader of a recogniser.
func byMention(read func(string) (string, bool)) reader {
	return func(_ *shaper, _ *prop, val graph.Value) []string { return both(val, read) }
}

var uuid = lexicon.Pattern(`^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// formats read a value as the formats of JSON Schema are written, whether or not
// the draft makes them a rule. What a page does not say is not made up: date-time
// and time have a zone in RFC 3339, so that a date, or a time of some place, is
// none.
var formats = map[string]reader{
	"date": func(sh *shaper, _ *prop, val graph.Value) []string {
		m, ok := sh.moment(val)
		return when(ok, m.Date)
	},
	"date-time": func(sh *shaper, _ *prop, val graph.Value) []string {
		m, ok := sh.moment(val)
		return when(ok && m.Clock != "" && m.Zone != "", m.String())
	},
	"time": func(sh *shaper, _ *prop, val graph.Value) []string {
		return slices.DeleteFunc(sh.clock(val), func(clock string) bool { return !strings.ContainsAny(clock, "Z+-") })
	},
	"duration": byMention(func(text string) (string, bool) {
		seconds, ok := mention.Duration(text)
		return mention.ISODuration(seconds), ok
	}),
	"uuid": byMention(func(text string) (string, bool) {
		text = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), "urn:uuid:")
		return text, uuid().MatchString(text)
	}),
	"email": byMention(mention.Email), "idn-email": byMention(mention.Email),
	"uri": (*shaper).addresses, "iri": (*shaper).addresses, "url": (*shaper).addresses,
	"uri-reference": (*shaper).addresses, "iri-reference": (*shaper).addresses,
}

// readers read a value as is usual for a concept.
var readers = map[string]reader{
	"address": (*shaper).addresses, "email": byMention(mention.Email),
	"moment": func(sh *shaper, _ *prop, val graph.Value) []string {
		if m, ok := sh.moment(val); ok {
			return []string{m.String()}
		}
		return when(mention.MayBeDate(cutText(val.Text)), plainTexts(val)...)
	},
	"currency": func(sh *shaper, _ *prop, val graph.Value) []string {
		return both(val, func(text string) (string, bool) { return mention.CurrencyIn(text, sh.o.Language) })
	},
	"code": func(_ *shaper, _ *prop, val graph.Value) []string {
		val.Text = mention.LeadingCode(strings.TrimPrefix(val.Text, "sku:"))
		return plainTexts(val)
	},
	"availability": func(_ *shaper, _ *prop, val graph.Value) []string {
		return append(both(val, mention.Availability), plainTexts(val)...)
	},
	"length": func(_ *shaper, _ *prop, val graph.Value) []string {
		// "Preparation" is the name of a time and of what is done in it.
		return when(len(val.Text) < maxSaid && strings.ContainsAny(val.Text, "0123456789½¼¾⅓⅔"), plainTexts(val)...)
	},
	"person": func(_ *shaper, _ *prop, val graph.Value) []string {
		if val.Kind == graph.Text {
			val.Text = names.WithoutBy(val.Text)
		}
		return when(!strings.HasPrefix(val.Text, "@"), plainTexts(val)...) // who posts for the site
	},
	"telephone": func(_ *shaper, _ *prop, val graph.Value) []string {
		val.Text = strings.TrimPrefix(val.Text, "tel:")
		return plainTexts(val)
	},
	"isbn": func(_ *shaper, _ *prop, val graph.Value) []string { // the numbers of other goods have 8, 12 or 13 digits
		digits := mention.Key(val.Text)
		return when(strings.Contains(digits, "978") || strings.Contains(digits, "979") || len(digits) != 13 && len(digits) != 12 && len(digits) != 8, plainTexts(val)...)
	},
	"language": func(_ *shaper, _ *prop, val graph.Value) []string {
		return append(both(val, mention.Language), plainTexts(val)...)
	},
}
