package plain

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/internal/pagedata"
)

// placeholder is what stands in a text in place of a variable's value.
var placeholder = regexp.MustCompile(`%[A-Za-z0-9_-]{1,64}%`)

// coerce makes of a text what the schema wants of a single value.
func coerce(c pagedata.Cell, s shape, lang string) (v any, ok bool) {
	if len(s.enum) > 0 {
		return oneOf(c.Text, s.enum)
	}
	for _, typ := range s.types {
		if typ != "string" && placeholder.MatchString(c.Text) { // what it stands for is not known here
			continue
		}
		switch typ {
		case "integer", "number":
			v, ok = toNumber(c.Text, lang, typ == "integer")
		case "boolean":
			v, ok = toBoolean(c.Text)
		case "string":
			v, ok = toText(c, s)
		}
		if ok {
			return v, true
		}
	}
	return nil, false
}

// toText gives texts, dates among them, as the page has them; addresses are
// absolute.
func toText(c pagedata.Cell, s shape) (any, bool) {
	if s.format == "uri" || s.format == "url" {
		if c.URL != "" {
			return c.URL, true
		}
		return c.Text, strings.Contains(c.Text, "://")
	}
	return c.Text, c.Text != ""
}

// oneOf returns the member of an enum that a text means.
func oneOf(text string, enum []any) (any, bool) {
	for _, same := range []func(a, b string) bool{
		func(a, b string) bool { return a == b },
		func(a, b string) bool { return normal(a) == normal(b) },
		func(a, b string) bool { return slices.Equal(canonical(a), canonical(b)) },
	} {
		for _, member := range enum {
			if name, ok := member.(string); ok && same(name, text) {
				return member, true
			}
		}
	}
	if placeholder.MatchString(text) {
		return nil, false
	}
	for _, member := range enum {
		raw, err := json.Marshal(member)
		if n, ok := toNumber(text, "", false); err == nil && ok && string(raw) == string(n) {
			return member, true
		}
	}
	return nil, false
}

var (
	trueTexts = []string{
		"yes", "true", "y", "on", "1", "✓", "✔", "✅", "☑", "checked", "in stock", "available", "active", "enabled", "ja", "oui", "sí", "si",
	}
	falseTexts = []string{
		"no", "false", "n", "off", "0", "✗", "✘", "✕", "❌", "☐", "-", "–", "unchecked", "out of stock", "sold out", "unavailable",
		"not available", "inactive", "disabled", "none", "nein", "non",
	}
)

func toBoolean(text string) (any, bool) {
	t := normal(text)
	switch {
	case slices.Contains(trueTexts, t):
		return true, true
	case slices.Contains(falseTexts, t):
		return false, true
	case strings.HasPrefix(t, "in stock"):
		return true, true
	case strings.HasPrefix(t, "out of stock") || strings.HasPrefix(t, "sold out") || strings.HasPrefix(t, "not in stock"):
		return false, true
	}
	return nil, false
}
