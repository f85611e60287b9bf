package plain

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/pagedata"
)

// placeholder is what stands in a text in place of a variable's value.
var placeholder = lexicon.Pattern(`%[A-Za-z0-9_-]{1,64}%`)

// coerce makes of a cell what the schema wants, in the measure that it is asked
// for in. A text stands for itself only if it is in that measure as it is.
func (p placed) coerce(s shape, lang string) (any, bool) {
	if !p.measure.Known() {
		return coerce(p.cell, s, lang)
	}
	if number, ok := inMeasure(p.measure, p.label, p.cell.Text, lang); ok && !placeholder().MatchString(p.cell.Text) {
		s := s
		s.types = slices.DeleteFunc(slices.Clone(s.types), func(t string) bool { return t == "string" })
		if v, ok := coerce(pagedata.Cell{Text: number}, s, ""); ok {
			return v, true
		}
	}
	if s.is("string") && standsIn(p.measure, p.label, p.cell.Text, lang) {
		return coerce(p.cell, s, lang)
	}
	return nil, false
}

// coerce makes of a text what the schema wants of a single value.
func coerce(c pagedata.Cell, s shape, lang string) (v any, ok bool) {
	if len(s.enum) > 0 {
		return oneOf(c.Text, s.enum)
	}
	for _, typ := range s.types {
		if typ != "string" && placeholder().MatchString(c.Text) { // what it stands for is not known here
			continue
		}
		switch typ {
		case "integer", "number":
			var n string
			n, ok = mention.Exact(c.Text, lang, typ == "integer")
			v = json.Number(n)
		case "boolean":
			v, ok = mention.Bool(c.Text)
		case "string":
			v, ok = toText(c, s, lang)
		}
		if ok {
			return v, true
		}
	}
	return nil, false
}

// toText gives texts as the page has them, and in the form that the schema asks
// for where they have one: addresses are absolute, dates those of RFC 3339.
func toText(c pagedata.Cell, s shape, lang string) (any, bool) {
	switch s.format {
	case "uri", "url":
		if c.URL != "" {
			return c.URL, true
		}
		return c.Text, strings.Contains(c.Text, "://")
	case "date", "date-time":
		if at, ok := mention.ParseMoment(c.Text, lang); ok && s.format == "date" {
			return at.Date, true
		} else if ok {
			return at.String(), true
		}
	case "email":
		for _, text := range []string{c.Text, c.URL} {
			if address, ok := mention.Email(text); ok {
				return address, true
			}
		}
	}
	return c.Text, c.Text != ""
}

// oneOf returns the member of an enum that a text means.
func oneOf(text string, enum []any) (any, bool) {
	texts := make([]string, len(enum))
	for i, member := range enum {
		texts[i], _ = member.(string)
	}
	if i := mention.Member(text, texts); i >= 0 && texts[i] != "" {
		return enum[i], true
	}
	if i := slices.IndexFunc(texts, func(t string) bool { return t != "" && slices.Equal(senses(t), senses(text)) }); i >= 0 {
		return enum[i], true
	}
	if n, ok := mention.Exact(text, "", false); ok && !placeholder().MatchString(text) {
		for _, member := range enum {
			if raw, err := json.Marshal(member); err == nil && string(raw) == n {
				return member, true
			}
		}
	}
	return nil, false
}
