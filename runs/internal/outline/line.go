package outline

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/drover-go/drover/runs/browser"
)

const (
	// maxIndent bounds what a deeply nested page costs.
	maxIndent = 12
	// maxURL is how long an address is written where not all is asked for, and
	// maxOptions how long a list of options is, both in bytes.
	maxURL     = 200
	maxOptions = 400
)

// String returns the line without its end, all of it.
func (l Line) String() string { return l.text(style{full: true}) }

// style is how lines are written.
type style struct {
	site string // of the page, which is left out of addresses
	full bool   // long addresses and lists are not cut
}

func (l Line) text(s style) string {
	b := append([]byte(nil), strings.Repeat("  ", min(max(l.Depth, 0), maxIndent))...)
	b = append(b, "- "...)
	if l.New {
		b = append(b, '*')
	}
	b = append(b, word(l.Role, "generic")...)
	if l.Name != "" {
		b = strconv.AppendQuote(append(b, ' '), l.Name)
	}
	if l.Ref != "" {
		b = fmt.Appendf(b, " [%s]", word(string(l.Ref), "none"))
	}
	if l.saysType() {
		l.Type = ""
	}
	l.URL = s.url(l.URL)
	for _, a := range l.attributes() {
		if *a.text != "" {
			b = fmt.Appendf(b, " %s=%q", a.name, *a.text)
		}
	}
	if l.Level > 0 {
		b = fmt.Appendf(b, " level=%d", l.Level)
	}
	b = l.appendOptions(b, s)
	b = l.appendPlace(b)
	for _, word := range l.StateWords() {
		if browser.StateOf(word)&browser.Outside == 0 {
			b = append(append(b, ' '), word...)
		}
	}
	return string(b)
}

// impliedTypes are those that a role says already.
var impliedTypes = map[string]string{
	"textbox": " text ", "checkbox": " checkbox ", "radio": " radio ", "slider": " range ", "spinbutton": " number ", "searchbox": " search ",
	"button": " submit button reset image ",
}

func (l Line) saysType() bool { return strings.Contains(impliedTypes[l.Role], " "+l.Type+" ") }

// url is an address as it is written: without the site where that is the page's.
func (s style) url(url string) string {
	if s.site != "" && strings.HasPrefix(url, s.site+"/") {
		url = url[len(s.site):]
	}
	if !s.full && len(url) > maxURL {
		url = strings.ToValidUTF8(url[:maxURL], "") + "…"
	}
	return url
}

// siteOf is the scheme and host of an address; empty where it has none.
func siteOf(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok || strings.ContainsAny(scheme, "/?#") {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return scheme + "://" + rest
}

// appendOptions writes the options there is room for, and how many more there are.
func (l Line) appendOptions(b []byte, s style) []byte {
	if len(l.Options) == 0 {
		return b
	}
	b = append(b, " options="...)
	start, more := len(b), l.MoreOptions
	for i, o := range l.Options {
		if i > 0 && !s.full && len(b)-start+len(o) > maxOptions {
			more += len(l.Options) - i
			break
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendQuote(b, o)
	}
	if more > 0 {
		b = fmt.Appendf(b, "+%d", more)
	}
	return b
}

// appendPlace writes where the element is, and how far it can be scrolled.
func (l Line) appendPlace(b []byte) []byte {
	if l.Unlisted > 0 {
		b = fmt.Appendf(b, " unlisted=%d", l.Unlisted)
	}
	if l.Scroll != nil {
		b = fmt.Appendf(b, " scroll=%q", scrollText(*l.Scroll))
	}
	if l.Box != nil {
		b = fmt.Appendf(b, ` box="%.0f,%.0f %.0fx%.0f"`, l.Box.X, l.Box.Y, l.Box.Width, l.Box.Height)
	}
	return b
}

// directions are those in which things are scrolled.
func directions(s *browser.Scroll) []direction {
	return []direction{{"above", &s.Above}, {"below", &s.Below}, {"left", &s.Left}, {"right", &s.Right}}
}

type direction struct {
	name string
	far  *float64
}

// scrollText says how many heights or widths there are in each direction.
func scrollText(s browser.Scroll) string {
	var all []string
	for _, d := range directions(&s) {
		if *d.far > 0 {
			all = append(all, strconv.FormatFloat(*d.far, 'f', -1, 64)+" "+d.name)
		}
	}
	return strings.Join(all, ", ")
}

func parseScroll(text string) *browser.Scroll {
	var s browser.Scroll
	for part := range strings.SplitSeq(text, ", ") {
		number, name, _ := strings.Cut(part, " ")
		for _, d := range directions(&s) {
			if n, err := strconv.ParseFloat(number, 64); err == nil && n > 0 && n < 1e9 && d.name == name {
				*d.far = n
			}
		}
	}
	if s == (browser.Scroll{}) {
		return nil
	}
	return &s
}

type attribute struct {
	name string
	text *string
}

func (l *Line) attributes() []attribute {
	return []attribute{
		{"value", &l.Value}, {"type", &l.Type}, {"placeholder", &l.Placeholder}, {"description", &l.Description}, {"error", &l.Error},
		{"min", &l.Min}, {"max", &l.Max}, {"step", &l.Step}, {"url", &l.URL}, {"frame", &l.Frame},
	}
}
