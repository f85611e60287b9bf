package plain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/pagedata"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
)

// observe takes in what came of an action.
func (m *machine) observe(a action, out model.Output) {
	if a.tool != "read" || out.IsError() {
		if v, ok := outline.Parse(out.Text()); ok {
			m.see(a, v)
		}
	}
	switch a.tool {
	case "done":
		m.refused++
		m.refusal = firstLine(out)
	case "dialog":
		m.observeDialog(out)
	case "snapshot":
		if a.input["find"] != nil || a.input["offset"] != nil {
			m.tried.searched++
		} else {
			m.tried.looked++
		}
	case "read":
		m.observeRead(m.steps[m.at], a, out)
	case "wait":
		m.observeWait(m.steps[m.at], a, out)
	default:
		m.observeAct(m.steps[m.at], out)
	}
}

// see takes in a page: all of it, or the part that follows what is known.
func (m *machine) see(a action, v outline.View) {
	if a.input["offset"] != nil && m.goesOn(v) {
		v.Lines, v.First = append(slices.Clone(m.view.Lines), v.Lines...), 0
	}
	m.view, m.filtered = &v, a.input["find"] != nil
	if n := len(m.visited); v.Page.URL != "" && (n == 0 || m.visited[n-1] != v.Page.URL) {
		m.visited = append(m.visited, v.Page.URL)
	}
}

// goesOn reports whether a part of a page follows what is known of it.
func (m *machine) goesOn(v outline.View) bool {
	return m.view != nil && m.view.First == 0 && v.First == len(m.view.Lines) && v.Page.URL == m.view.Page.URL
}

// observeDialog takes in what came of an answer.
func (m *machine) observeDialog(out model.Output) {
	switch {
	case m.at >= len(m.steps) || m.steps[m.at].verb != dialogVerb:
	case out.IsError():
		m.fail(m.steps[m.at], firstLine(out))
	default:
		m.advance()
	}
}

func (m *machine) observeWait(s step, a action, out model.Output) {
	m.tried.slept += a.input.number("seconds")
	text, most := s.input.text("text"), cmp.Or(s.input.number("seconds"), maxCall)
	over := m.tried.slept >= most
	switch {
	case s.verb != waitVerb: // for an element of another step
		m.tried.waited++
		m.tried.searched = 0
	case !out.IsError() && (text != "" || over):
		m.advance()
	case !over && (!out.IsError() || strings.Contains(firstLine(out), "did not come up")):
	case m.tried.slept > maxCall:
		m.fail(s, fmt.Sprintf("%q did not come up within %v seconds", text, most))
	default:
		m.fail(s, firstLine(out))
	}
}

// observeAct goes on, or tries again on the page as the error shows it.
func (m *machine) observeAct(s step, out model.Output) {
	text := firstLine(out)
	m.tried.failed++
	switch {
	case !out.IsError():
		switch s.verb {
		case typeVerb:
			m.field = s.target
		case openVerb, backVerb:
			m.field = target{}
		}
		if n := len(m.visited); s.verb == backVerb && n > 2 { // two pages less, and then where it led
			m.visited = append(m.visited[:n-3:n-3], m.visited[n-1])
		}
		m.filling = s.verb == selectVerb || s.verb == checkVerb || s.verb == uncheckVerb || s.verb == typeVerb && !s.input.is("submit")
		m.advance()
	case strings.Contains(text, mayHaveHappened): // or it would be done twice
		m.fail(s, "it is not known whether the step took effect: "+text)
	case m.tried.failed >= maxTries || s.verb == openVerb && m.tried.failed > 1 || isFinal().MatchString(text):
		m.fail(s, text)
	}
}

// mayHaveHappened is what tools say of a call that broke off.
const mayHaveHappened = "it may have taken effect"

// isFinal are errors with which doing the same again cannot help.
var isFinal = lexicon.Pattern(`there is no variable|has a variable in it|; trying again does not help$|^input:`)

var goOn = lexicon.Pattern(`\n[^\n]*go on with offset (\d+)\.$`)

// observeRead keeps a part of a page, and closes the reading with the last.
func (m *machine) observeRead(s step, a action, out model.Output) {
	if out.IsError() {
		if m.tried.failed++; m.tried.failed >= maxTries {
			m.fail(s, firstLine(out))
		}
		return
	}
	var part pagedata.Data
	switch m.tried.looked++; {
	case a.input["as"] == "text":
		m.reading.text += pageText(out.Text())
		if next := goOn().FindStringSubmatch(out.Text()); next != nil {
			part.Next, _ = strconv.Atoi(next[1])
		}
		m.reading.textNext = part.Next
	case json.Unmarshal(out.Value, &part) != nil:
		m.fail(s, "the data of the page cannot be read")
		return
	default:
		m.reading.data.Add(part)
		m.reading.data.Incomplete = part.Incomplete || part.Next != 0
	}
	if part.Next == 0 || m.tried.looked >= maxReads {
		m.reads = append(m.reads, *m.reading)
		m.reading = nil
		m.advance()
	}
}

// pageText is what stands between the marks of a page.
func pageText(text string) string {
	_, rest, ok := strings.Cut(text, "]\n")
	end := strings.LastIndex(rest, "\n[end of page ")
	if !ok || end < 0 {
		return text
	}
	return rest[:end]
}

// firstLine is what a tool says before it shows the page.
func firstLine(out model.Output) string {
	line, _, _ := strings.Cut(out.Text(), "\n")
	return strings.TrimPrefix(line, "Error: ")
}
