package shape

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// texts returns the texts that a value may be, the best first.
func (sh *shaper) texts(p *prop, v *view, val graph.Value) []string {
	if read := formats[v.format]; read != nil {
		return read(sh, val)
	}
	switch {
	case p.is("url", "image", "thumbnailUrl", "logo", "sameAs", "contentUrl", "embedUrl", "mainEntityOfPage", "trailer"):
		return sh.addresses(val)
	case saysTimeOnly(p):
		return sh.clocks(p, val)
	case p.is(dateConcepts...):
		if m, ok := sh.moment(val); ok {
			return []string{m.String()}
		}
		if !mayBeDate(val.Text) {
			return nil
		}
	case p.is("priceCurrency"):
		return both(val, func(text string) (string, bool) { return mention.CurrencyIn(text, sh.o.Language) })
	case p.is("sku", "productID", "mpn"):
		val.Text = mention.LeadingCode(val.Text)
	case p.is("availability"):
		return append(both(val, mention.Availability), plainTexts(val)...)
	case p.is(lengthConcepts...) && !isShortTime(val.Text):
		return nil // "Preparation" is the name of a time and of what is done in it
	case p.is("author", "creator") && strings.HasPrefix(val.Text, "@"):
		return nil // who posts for the site
	case p.is("author", "creator") && val.Kind == graph.Text:
		val.Text = names.WithoutBy(val.Text)
	case p.is("email"):
		return both(val, mention.Email)
	case p.is("telephone", "faxNumber"):
		val.Text = strings.TrimPrefix(val.Text, "tel:")
	case p.is("isbn") && !mayBeISBN(val.Text), p.is("size", "color") && saysStock(val.Text):
		return nil
	case p.is("inLanguage"):
		return append(both(val, mention.Language), plainTexts(val)...)
	}
	return plainTexts(val)
}

var dateConcepts = []string{"datePublished", "dateModified", "dateCreated", "uploadDate", "datePosted", "validThrough", "startDate", "endDate", "doorTime", "birthDate", "foundingDate", "releaseDate", "priceValidUntil"}

// plainTexts are the words of a value: of a link those that are shown.
func plainTexts(val graph.Value) []string {
	if val.Kind == graph.URL {
		if rest := mention.CutVocabulary(val.Text); rest != val.Text {
			return []string{rest}
		}
		return []string{val.Shown}
	}
	return []string{mention.CutVocabulary(val.Text)}
}

// both reads the text for machines, and else that which is shown.
func both(val graph.Value, read func(string) (string, bool)) []string {
	for _, text := range []string{val.Text, val.Shown} {
		if s, ok := read(text); ok {
			return []string{s}
		}
	}
	return nil
}

func (sh *shaper) moment(val graph.Value) (mention.Moment, bool) {
	for _, text := range []string{sh.machineTime(val), val.Text, val.Shown} {
		if m, ok := mention.ParseMoment(text, sh.o.Language); ok {
			return m, true
		}
	}
	if val.Kind == graph.Number {
		return mention.Unix(val.Text)
	}
	return mention.Moment{}, false
}

// maxTimeNodes is how many nodes are looked at for the time element of a value.
const maxTimeNodes = 16

// machineTime is what the only time element in a visible value says to a
// machine, or "".
func (sh *shaper) machineTime(val graph.Value) string {
	if val.Kind != graph.Text || val.Element == nil || val.Place != "" {
		return ""
	}
	found, n := "", 0
	for d := range val.Element.Descendants() {
		sh.m.Step(1)
		if n++; n > maxTimeNodes {
			return ""
		}
		if at, ok := tree.Attr(d, "datetime"); ok && d.Data == "time" {
			if found != "" {
				return ""
			}
			found = at
		}
	}
	return found
}

// addresses returns a value as an absolute address.
func (sh *shaper) addresses(val graph.Value) []string {
	text := strings.TrimSpace(val.Text)
	if val.Kind != graph.URL && !looksLikeAddress(text) {
		return nil
	}
	sh.m.Read(len(text) * 8)
	if abs := sh.o.Resolve(text); abs != "" {
		return []string{abs}
	}
	return nil
}

func looksLikeAddress(text string) bool {
	return text != "" && !strings.ContainsAny(text, " \n\t") && (strings.Contains(text, "://") || strings.HasPrefix(text, "/") || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../"))
}

// formats read a value as the formats of JSON Schema are written, whether or not
// the draft makes them a rule. What a page does not say is not made up: date-time
// and time have a zone in RFC 3339, so that a date, or a time of some place, is
// none.
var formats = map[string]func(*shaper, graph.Value) []string{
	"date": func(sh *shaper, val graph.Value) []string {
		m, ok := sh.moment(val)
		return textIf(m.Date, ok)
	},
	"date-time": func(sh *shaper, val graph.Value) []string {
		m, ok := sh.moment(val)
		return textIf(m.String(), ok && m.Clock != "" && m.Zone != "")
	},
	"time": func(sh *shaper, val graph.Value) []string {
		if m, ok := sh.moment(val); ok {
			return textIf(m.Time(), m.Clock != "" && m.Zone != "")
		}
		return both(val, func(text string) (string, bool) {
			clock, ok := mention.ParseClock(text)
			return clock, ok && strings.ContainsAny(clock, "Z+-")
		})
	},
	"duration": func(_ *shaper, val graph.Value) []string {
		return both(val, func(text string) (string, bool) {
			seconds, ok := mention.Duration(text)
			return mention.ISODuration(seconds), ok
		})
	},
	"email":         func(_ *shaper, val graph.Value) []string { return both(val, mention.Email) },
	"idn-email":     func(_ *shaper, val graph.Value) []string { return both(val, mention.Email) },
	"uri":           (*shaper).addresses,
	"iri":           (*shaper).addresses,
	"url":           (*shaper).addresses,
	"uri-reference": (*shaper).addresses,
	"iri-reference": (*shaper).addresses,
}

func textIf(text string, ok bool) []string {
	if !ok {
		return nil
	}
	return []string{text}
}
