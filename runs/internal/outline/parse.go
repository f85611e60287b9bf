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
	gapLine      = regexp.MustCompile(`^… (\d{1,9}) lines? left out`)
	unlistedLine = regexp.MustCompile(`^[^:]*: some (\d{1,9}) out of view`)
	boxForm      = regexp.MustCompile(`^(-?\d{1,9}),(-?\d{1,9}) (\d{1,9})x(\d{1,9})$`)
	moreForm     = regexp.MustCompile(`^\+(\d{1,9})`)
	refForm      = regexp.MustCompile(`^\[([A-Za-z0-9_-]+)\]`)
	lineForm     = regexp.MustCompile(`^( *)- (\*?)([A-Za-z0-9_-]+)`)
)

// Parse returns the view in a tool's answer; ok is false if there is none.
func Parse(text string) (v View, ok bool) {
	var end string
	var at browser.States // where the lines are that follow
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
			v.parseLine(line, &at)
		}
	}
	return View{}, false
}

func (v *View) parseLine(line string, at *browser.States) {
	for place, marker := range places {
		if line == marker {
			*at = place
			return
		}
	}
	switch {
	case strings.HasPrefix(line, "URL: "):
		v.Page.URL = unquote(line[len("URL: "):])
	case strings.HasPrefix(line, "Title: "):
		v.Page.Title = unquote(line[len("Title: "):])
	case strings.HasPrefix(line, "Status: "):
		v.Page.Status, _ = strconv.Atoi(line[len("Status: "):])
	case strings.HasPrefix(line, "Scroll: "):
		v.Scroll = parseScroll(unquote(line[len("Scroll: "):]))
	case strings.HasPrefix(line, "Part: "):
		v.Part = unquote(line[len("Part: "):])
	case line == loadingLine:
		v.Page.Loading = true
	case strings.HasPrefix(line, cutBegin):
		v.Cut = true
		if m := unlistedLine.FindStringSubmatch(line); m != nil {
			v.Unlisted, _ = strconv.Atoi(m[1])
		}
	default:
		v.parseOther(line, *at)
	}
}

func (v *View) parseOther(line string, at browser.States) {
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
	} else if m := gapLine.FindStringSubmatch(line); m != nil {
		n, _ := strconv.Atoi(m[1])
		v.Gaps = append(v.Gaps, Gap{At: len(v.Lines), Lines: n})
	} else if l, ok := parseElement(line); ok {
		l.States |= at
		if strings.HasPrefix(l.URL, "/") {
			l.URL = siteOf(v.Page.URL) + l.URL
		}
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
	switch name {
	case "level":
		number, rest, _ := strings.Cut(after, " ")
		if n, err := strconv.Atoi(number); err == nil {
			l.Level = max(n, 0)
		}
		return rest, true
	case "unlisted":
		number, rest, _ := strings.Cut(after, " ")
		if n, err := strconv.Atoi(number); err == nil {
			l.Unlisted = max(n, 0)
		}
		return rest, true
	case "options":
		return l.parseOptions(after)
	case "scroll":
		text, rest, ok := quoted(after)
		l.Scroll = parseScroll(text)
		return rest, ok
	case "box":
		text, rest, ok := quoted(after)
		l.Box = parseBox(text)
		return rest, ok
	}
	for _, a := range l.attributes() {
		if a.name == name {
			*a.text, rest, ok = quoted(after)
			return rest, ok
		}
	}
	return after, browser.StateOf(name)&browser.Outside == 0 && l.SetState(name)
}

func (l *Line) parseOptions(after string) (rest string, ok bool) {
	for {
		prefix, err := strconv.QuotedPrefix(after)
		if err != nil || prefix[0] != '"' {
			return "", false
		}
		l.Options, after = append(l.Options, unquote(prefix)), after[len(prefix):]
		if !strings.HasPrefix(after, ",") {
			break
		}
		after = after[1:]
	}
	if m := moreForm.FindStringSubmatch(after); m != nil {
		l.MoreOptions, _ = strconv.Atoi(m[1])
		after = after[len(m[0]):]
	}
	return strings.TrimPrefix(after, " "), true
}

func parseBox(text string) *browser.Box {
	m := boxForm.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	var n [4]float64
	for i := range n {
		n[i], _ = strconv.ParseFloat(m[i+1], 64)
	}
	return &browser.Box{X: n[0], Y: n[1], Width: n[2], Height: n[3]}
}
