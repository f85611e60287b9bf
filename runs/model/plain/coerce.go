package plain

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
	"github.com/drover-go/drover/internal/pagedata"
)

// placeholder is what stands in a text in place of a variable's value.
var placeholder = lexicon.Pattern(`%[A-Za-z0-9_-]{1,64}%`)

// measureOf is what one of the names says that the value is in: weightGrams.
func measureOf(all []string) (m names.Measure) {
	for _, n := range all {
		if m = names.MeasureOf(n); m.Known() {
			return m
		}
	}
	return m
}

// coerceIn makes of what stands under a label what the schema wants, in the
// measure that it is asked for in.
func coerceIn(m names.Measure, label string, c pagedata.Cell, s shape, lang string) (v any, ok bool) {
	if number, asIs := m.Exact(label, c.Text, lang); m.Known() {
		if number != "" && !placeholder().MatchString(c.Text) {
			s := s
			s.types = slices.DeleteFunc(slices.Clone(s.types), func(t string) bool { return t == "string" })
			v, ok = coerce(pagedata.Cell{Text: number}, s, "")
		}
		if ok || !asIs || !s.is("string") {
			return v, ok
		}
	}
	return coerce(c, s, lang)
}

// coerce makes of a text what the schema wants of a single value. What a
// placeholder stands for is not known here.
func coerce(c pagedata.Cell, s shape, lang string) (v any, ok bool) {
	hidden := placeholder().MatchString(c.Text)
	if len(s.Enum) > 0 {
		return oneOf(c.Text, s.Enum, hidden)
	}
	for _, typ := range s.types {
		switch {
		case typ == "string":
			v, ok = toText(c, s, lang)
		case hidden:
		case typ == "boolean":
			v, ok = mention.Bool(c.Text)
		case typ == "integer" || typ == "number":
			var n string
			n, ok = mention.Exact(c.Text, lang, typ == "integer")
			v = json.Number(n)
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
	switch s.Format {
	case "uri", "url":
		if c.URL != "" {
			return c.URL, true
		}
		return c.Text, strings.Contains(c.Text, "://")
	case "date", "date-time":
		if at, ok := mention.ParseMoment(c.Text, lang); ok && s.Format == "date" {
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
func oneOf(text string, enum []any, hidden bool) (any, bool) {
	texts := make([]string, len(enum))
	for i, member := range enum {
		texts[i], _ = member.(string)
	}
	i := mention.Member(text, texts)
	if i < 0 || texts[i] == "" {
		i = slices.IndexFunc(texts, func(t string) bool { return t != "" && slices.Equal(senses(t), senses(text)) })
	}
	if n, ok := mention.Exact(text, "", false); i < 0 && ok && !hidden {
		i = slices.Index(enum, any(json.Number(n)))
	}
	if i < 0 {
		return nil, false
	}
	return enum[i], true
}
