package outline

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/drover-go/drover/runs/browser"
)

var (
	beginLine    = regexp.MustCompile(`^\[page ([0-9A-Za-z]+)\]$`)
	cutLine      = regexp.MustCompile(`^Lines (\d+) to (\d+) of (\d+);`)
	dialogLine   = regexp.MustCompile(`^Dialog: ([A-Za-z0-9_-]+) (".*"), (accepted|dismissed)$`)
	openLine     = regexp.MustCompile(`^Open dialog: ([A-Za-z0-9_-]+) (".*)$`)
	tabLine      = regexp.MustCompile(`^Tab: ([A-Za-z0-9_-]+) (".*)$`)
	downloadLine = regexp.MustCompile(`^Download: (".*"), (?:` + downloadKept + `|` + downloadRefused + `(".*"))$`)
	refForm      = regexp.MustCompile(`^\[([A-Za-z0-9_-]+)\]`)
	lineForm     = regexp.MustCompile(`^( *)- (\*?)([A-Za-z0-9_-]+)`)
)

// Parse returns the view in a tool's answer; ok is false if there is none.
func Parse(text string) (v View, ok bool) {
	var end string
	v.Total = -1
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch m := beginLine.FindStringSubmatch(line); {
		case end == "" && m != nil:
			end = "[end of page " + m[1] + "]"
		case end != "" && line == end:
			if v.Total < 0 {
				v.Total = len(v.Lines)
			}
			return v, true
		case end != "":
			v.parseLine(line)
		}
	}
	return View{}, false
}

func (v *View) parseLine(line string) {
	switch {
	case strings.HasPrefix(line, "URL: "):
		v.Page.URL = unquote(line[len("URL: "):])
	case strings.HasPrefix(line, "Title: "):
		v.Page.Title = unquote(line[len("Title: "):])
	case strings.HasPrefix(line, "Status: "):
		v.Page.Status, _ = strconv.Atoi(line[len("Status: "):])
	case line == loadingLine:
		v.Page.Loading = true
	case strings.HasPrefix(line, "The page has more"):
		v.Cut = true
	default:
		v.parseOther(line)
	}
}

func (v *View) parseOther(line string) {
	if m := cutLine.FindStringSubmatch(line); m != nil {
		v.First, _ = strconv.Atoi(m[1])
		v.Total, _ = strconv.Atoi(m[3])
	} else if m := dialogLine.FindStringSubmatch(line); m != nil {
		v.Page.Dialogs = append(v.Page.Dialogs, browser.Dialog{Type: m[1], Message: unquote(m[2]), Accepted: m[3] == "accepted"})
	} else if m := openLine.FindStringSubmatch(line); m != nil {
		message, rest, _ := quoted(m[2])
		v.Page.Dialog = &browser.OpenDialog{Type: m[1], Message: message, Default: unquote(strings.TrimPrefix(rest, "default="))}
	} else if m := tabLine.FindStringSubmatch(line); m != nil {
		title, rest, _ := quoted(m[2])
		url, rest, _ := quoted(rest)
		v.Page.Tabs = append(v.Page.Tabs, browser.Tab{Name: m[1], Title: title, URL: url, Current: rest == ", current"})
	} else if m := downloadLine.FindStringSubmatch(line); m != nil {
		v.Page.Downloads = append(v.Page.Downloads, browser.Started{Filename: unquote(m[1]), Refused: unquote(m[2])})
	} else if l, ok := parseElement(line); ok {
		v.Lines = append(v.Lines, l)
	}
}

func unquote(s string) string {
	text, err := strconv.Unquote(s)
	if err != nil {
		return ""
	}
	return text
}

func parseElement(line string) (l Line, ok bool) {
	m := lineForm.FindStringSubmatch(line)
	if m == nil {
		return l, false
	}
	l.Depth, l.New, l.Role = len(m[1])/2, m[2] != "", m[3]
	rest := strings.TrimPrefix(line[len(m[0]):], " ")
	if name, after, ok := quoted(rest); ok {
		l.Name, rest = name, after
	}
	if m := refForm.FindStringSubmatch(rest); m != nil {
		l.Ref, rest = browser.Ref(m[1]), rest[len(m[0]):]
	}
	return l, l.parseAttributes(rest)
}

// quoted cuts a quoted text off the beginning of s.
func quoted(s string) (text, after string, ok bool) {
	prefix, err := strconv.QuotedPrefix(s)
	if err != nil || prefix[0] != '"' {
		return "", s, false
	}
	return unquote(prefix), strings.TrimPrefix(s[len(prefix):], " "), true
}

func (l *Line) parseAttributes(rest string) bool {
	for rest = strings.TrimPrefix(rest, " "); rest != ""; {
		name, after, _ := strings.Cut(rest, " ")
		if i := strings.IndexByte(name, '='); i >= 0 {
			name, after = rest[:i], rest[i+1:]
		}
		var ok bool
		if rest, ok = l.parseAttribute(name, after); !ok {
			return false
		}
	}
	return true
}

func (l *Line) parseAttribute(name, after string) (rest string, ok bool) {
	if name == "level" {
		number, rest, _ := strings.Cut(after, " ")
		if n, err := strconv.Atoi(number); err == nil {
			l.Level = max(n, 0)
		}
		return rest, true
	}
	for _, a := range l.attributes() {
		if a.name == name {
			*a.text, rest, ok = quoted(after)
			return rest, ok
		}
	}
	for _, s := range l.states() {
		if s.name == name {
			*s.on = true
			return after, true
		}
	}
	return "", false
}
