package dialect

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// notesMember is where keywords that are told in words are collected.
const notesMember = "\x00notes"

// note has a keyword told in words.
func (c *converter) note(o *object, name string, v any) {
	text := encode(v)
	c.count(len(text) / 16)
	if len(text) <= maxNote {
		o.set(notesMember, append(slices.Clip(o.list(notesMember)), any(name+": "+string(text))))
	}
}

// keywords writes the others: as they are, or in words.
func (c *converter) keywords(n *node, f *object) {
	for _, name := range slices.Clone(f.names) {
		v := f.values[name]
		if c.rules.keep[name] && c.fits(name, v) {
			c.count(len(encode(v)) / 16)
			n.sent.set(name, v)
			f.drop(name)
		}
	}
}

// fits reports whether the dialect takes the value of a keyword that it knows.
func (c *converter) fits(name string, v any) bool {
	switch name {
	case "format":
		format, _ := v.(string)
		return c.rules.formats == nil || c.rules.formats[format]
	case "pattern":
		pattern, _ := v.(string)
		return !c.rules.strict || !strings.Contains(strings.ReplaceAll(pattern, "(?:", ""), "(?") // no look-around
	case "minItems":
		return c.rules != rulesOf[Anthropic] || v == json.Number("0") || v == json.Number("1")
	case "enum", "const":
		return c.rules != rulesOf[Gemini] || texts(asList(v))
	}
	return true
}

// texts reports whether all are texts with characters in them, or null.
func texts(list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool { s, ok := v.(string); return v != nil && (!ok || s == "") })
}

// describe writes the description, and behind it the keywords that are left.
func (c *converter) describe(n *node, f *object, at string) {
	left := newObject()
	for _, name := range f.names {
		switch {
		case name == "title" && !n.sent.has(name):
			n.sent.set(name, f.values[name])
		case name == notesMember || silent[name] || n.sent.has(name) && c.rules.keep[name]:
		default:
			c.note(left, name, f.values[name])
			c.changed(at, "%s is told in words", strconv.Quote(name))
		}
	}
	notes := append(names(f.list(notesMember)), names(left.list(notesMember))...)
	text := f.text("description")
	var all strings.Builder
	for _, note := range notes {
		if all.Len()+len(note) > maxNotes {
			break
		}
		all.WriteString(prefixed("; ", note))
	}
	if all.Len() > 0 {
		text = strings.TrimPrefix(text+" ("+all.String()[2:]+")", " ")
	}
	if text != "" {
		c.count(len(text) / 16)
		n.sent.set("description", text)
	}
}

// prefixed puts something before a text that is not empty.
func prefixed(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}
