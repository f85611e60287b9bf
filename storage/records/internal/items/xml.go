package items

import (
	"bufio"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/storage/records/internal/rawjson"
)

const xmlHead = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

func (d *Document) xml(w *bufio.Writer, src Source) error {
	root, row := xmlName(d.Root), xmlName(d.Row)
	d.begin(w)
	w.WriteString(xmlHead + "<" + root + ">\n")
	err := d.xmlItems(w, row, src)
	w.WriteString("</" + root + ">\n")
	return err
}

func (d *Document) rss(w *bufio.Writer, src Source) error {
	d.begin(w)
	w.WriteString(xmlHead + `<rss version="2.0"><channel>` + "\n<title>")
	w.WriteString(xmlText(d.Title))
	w.WriteString("</title>\n<description>")
	w.WriteString(xmlText(d.Description))
	w.WriteString("</description>\n")
	err := d.xmlItems(w, "item", src)
	w.WriteString("</channel></rss>\n")
	return err
}

func (d *Document) xmlItems(w *bufio.Writer, row string, src Source) error {
	return d.records(src, func(record []Field) error {
		members := make([]rawjson.Member, len(record))
		for i, f := range record {
			members[i] = f.Member
		}
		xmlObject(w, row, members)
		return w.WriteByte('\n')
	})
}

// xmlElement writes a value: an array as an element for each of its own, null as
// an empty one.
func xmlElement(w *bufio.Writer, name string, value []byte) {
	switch value[0] {
	case '[':
		for _, e := range rawjson.Elements(nil, value) {
			xmlElement(w, name, e)
		}
	case '{':
		xmlObject(w, name, rawjson.Members(nil, value))
	default:
		w.WriteString("<" + name + ">" + xmlText(text(value)) + "</" + name + ">")
	}
}

// xmlObject writes an object: the members of "@" are attributes, "#" is text.
func xmlObject(w *bufio.Writer, name string, members []rawjson.Member) {
	w.WriteString("<" + name)
	for _, m := range members {
		if m.Name == "@" {
			xmlAttributes(w, m.Value)
		}
	}
	w.WriteByte('>')
	for _, m := range members {
		switch {
		case m.Name == "@" && m.Value[0] == '{':
		case m.Name == "#" && m.Value[0] != '{' && m.Value[0] != '[':
			w.WriteString(xmlText(text(m.Value)))
		default:
			xmlElement(w, xmlName(m.Name), m.Value)
		}
	}
	w.WriteString("</" + name + ">")
}

func xmlAttributes(w *bufio.Writer, value []byte) {
	if value[0] != '{' {
		return
	}
	written := map[string]bool{}
	for _, m := range rawjson.Members(nil, value) {
		if name := xmlName(m.Name); !written[name] { // names may have become the same
			written[name] = true
			w.WriteString(" " + name + `="` + xmlText(text(m.Value)) + `"`)
		}
	}
}

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// xmlText is text without characters that XML does not have.
func xmlText(s string) string {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, notXML) {
		s = strings.Map(func(r rune) rune {
			if notXML(r) {
				return utf8.RuneError
			}
			return r
		}, s)
	}
	return xmlEscapes.Replace(s)
}

func notXML(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff
}

// xmlName is a name with "_" in place of what names cannot have.
func xmlName(s string) string {
	if s == "" {
		return "_"
	}
	first := true
	return strings.Map(func(r rune) rune {
		ok := nameStart(r) || !first && namePart(r)
		if first = false; ok {
			return r
		}
		return '_'
	}, s)
}

// nameStart reports whether a name may begin with r (XML 1.0, 2.3), but for the
// colon of namespaces.
func nameStart(r rune) bool {
	switch {
	case r == '_', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z':
		return true
	case r < 0xc0, r == 0xd7, r == 0xf7, r == 0x37e, r >= 0x300 && r <= 0x36f:
		return false
	case r <= 0x1fff, r == 0x200c, r == 0x200d, r >= 0x2070 && r <= 0x218f, r >= 0x2c00 && r <= 0x2fef:
		return true
	}
	return r >= 0x3001 && r <= 0xd7ff || r >= 0xf900 && r <= 0xfdcf || r >= 0xfdf0 && r < 0xfffd || r >= 0x10000 && r <= 0xeffff
}

func namePart(r rune) bool {
	return r == '-' || r == '.' || r >= '0' && r <= '9' || r == 0xb7 || r >= 0x300 && r <= 0x36f
}
