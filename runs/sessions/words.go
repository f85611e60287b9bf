package sessions

import (
	"encoding/json"
	"strings"
	"time"
	"unicode"
)

// Line is something that happened in a session, in words for people. The words
// hold text of pages: untrusted, in one line, without control characters.
type Line struct {
	Time time.Time
	// Page numbers the tab as in [LogEntry]; -1 where it is not known.
	Page int
	// Kind is what it is about.
	Kind LineKind
	// Text is at most some hundred characters.
	Text string
}

// LineKind is what a [Line] is about.
type LineKind string

// The kinds of lines.
const (
	LineNavigation LineKind = "navigation"
	LineInput      LineKind = "input" // clicks and what is typed
	LineStep       LineKind = "step"  // of an agent
	LineDownload   LineKind = "download"
	LineConsole    LineKind = "console"
	LineFailure    LineKind = "failure" // what could not be loaded, errors of scripts, crashes
	LineTab        LineKind = "tab"
	LineDialog     LineKind = "dialog"
	LineNote       LineKind = "note" // of Drover itself
)

// A Narrator tells a log, or a recording, in words. It is given its entries one
// after the other, oldest first, since some refer to those before. The zero value
// is ready; it is not safe for concurrent use.
type Narrator struct {
	requests memory // addresses by the ids of requests
	files    memory // names by the ids of downloads
	servers  memory // why they were not connected to, by "host:port"
}

// Log tells an entry of a log; false for one that only a program needs to know.
func (n *Narrator) Log(e LogEntry) (Line, bool) {
	l := Line{Time: e.Time, Page: e.Page}
	l.Kind, l.Text = n.words(e.Method, e.Params)
	return l, l.Text != ""
}

// Recording tells an event of a recording; false for frames and for what only a
// program needs to know.
func (n *Narrator) Recording(e RecordingEvent) (Line, bool) {
	d := parsed[eventData[json.RawMessage]](e.Data)
	l := Line{Time: e.Time, Page: -1}
	switch d.Tag {
	case "event":
		p := parsed[eventPayload](d.Payload)
		l.Kind, l.Text = n.words(p.Method, p.Params)
	case "step":
		l.Kind, l.Text = stepWords(d.Payload)
	case "truncated":
		l.Kind, l.Text = LineNote, "From here on something was left out: there was more than a recording keeps"
	case "lost":
		l.Kind, l.Text = LineNote, shownText(parsed[struct{ Message string }](d.Payload).Message)
	}
	return l, l.Text != ""
}

// Narrate tells a log in words, without what only a program needs to know.
func Narrate(all []LogEntry) []Line {
	var n Narrator
	lines := []Line{}
	for _, e := range all {
		if l, ok := n.Log(e); ok {
			lines = append(lines, l)
		}
	}
	return lines
}

// Lengths in characters.
const (
	maxWords   = 300
	maxAddress = 2000
)

// shownText is a text in one line, without what cannot be seen, cut, and without
// the values of secret parameters.
func shownText(text string) string {
	text = strings.Join(strings.FieldsFunc(maskText(text), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsGraphic(r) || unicode.Is(unicode.Bidi_Control, r)
	}), " ")
	if runes := []rune(text); len(runes) > maxWords {
		return string(runes[:maxWords]) + "…"
	}
	return text
}

func quoted(text string) string { return "“" + shownText(text) + "”" }

// parsed reads what is as it should be, and leaves zero what is not.
func parsed[T any](data json.RawMessage) (v T) {
	_ = json.Unmarshal(data, &v)
	return v
}

// memory keeps the newest texts by their ids.
type memory struct {
	texts map[string]string
	order []string
}

// maxMemory is how many texts are kept.
const maxMemory = 1000

func (m *memory) put(id, text string) {
	if m.texts == nil {
		m.texts = map[string]string{}
	}
	if _, known := m.texts[id]; !known {
		m.order = append(m.order, id)
	}
	m.texts[id] = text
	if len(m.order) > maxMemory {
		delete(m.texts, m.order[0])
		m.order = m.order[1:]
	}
}
