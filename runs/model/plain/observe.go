package plain

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/internal/pagedata"
	"github.com/drover-go/drover/runs/model"
)

// observe takes in what came of an action.
func (m *machine) observe(a action, out model.Output) {
	if v, ok := outline.Parse(out.Text()); ok && a.tool != "read" {
		m.view = &v
	}
	if a.tool == "done" {
		m.refused++
		m.refusal = firstLine(out)
		return
	}
	s := m.steps[m.at]
	switch a.tool {
	case "snapshot":
		m.observeSnapshot(a)
	case "read":
		m.observeRead(s, a, out)
	case "wait":
		m.observeWait(s, out)
	default:
		m.observeAct(s, out)
	}
}

func (m *machine) observeSnapshot(a action) {
	if a.input["find"] != nil {
		m.tried.searched++
	} else {
		m.tried.looked++
	}
}

func (m *machine) observeWait(s step, out model.Output) {
	switch {
	case s.verb != waitVerb: // for an element of another step
		m.tried.waited++
	case !out.IsError():
		m.advance()
	default:
		m.fail(s, firstLine(out))
	}
}

// observeAct goes on, or tries again on the page as the error shows it.
func (m *machine) observeAct(s step, out model.Output) {
	if !out.IsError() {
		if s.verb == typeVerb {
			m.field = s.target
		}
		if s.verb == openVerb {
			m.field = target{}
		}
		m.advance()
		return
	}
	if m.tried.failed++; m.tried.failed >= maxTries || s.verb == openVerb && m.tried.failed > 1 || isFinal(out) {
		m.fail(s, firstLine(out))
	}
}

// isFinal reports whether doing the same again cannot help.
func isFinal(out model.Output) bool {
	text := firstLine(out)
	return strings.Contains(text, "there is no variable") || strings.Contains(text, "has a variable in it") || strings.HasPrefix(text, "input:")
}

func (m *machine) observeRead(s step, a action, out model.Output) {
	if out.IsError() {
		if m.tried.failed++; m.tried.failed >= maxTries {
			m.fail(s, firstLine(out))
		}
		return
	}
	if a.input["as"] == "text" {
		m.observeText(out.Text())
		return
	}
	var part pagedata.Data
	if json.Unmarshal(out.Value, &part) != nil {
		m.fail(s, "the data of the page cannot be read")
		return
	}
	m.reading.data.Add(part)
	if m.tried.looked++; part.Next == 0 || m.tried.looked >= maxReads {
		m.reading.data.Incomplete = part.Incomplete || part.Next != 0
		m.closeReading()
	}
}

var goOn = regexp.MustCompile(`\n[^\n]*go on with offset (\d+)\.$`)

func (m *machine) observeText(text string) {
	m.reading.text += pageText(text)
	next := goOn.FindStringSubmatch(text)
	if m.tried.looked++; next == nil || m.tried.looked >= maxReads {
		m.closeReading()
		return
	}
	m.reading.textNext, _ = strconv.Atoi(next[1])
}

func (m *machine) closeReading() {
	m.reads = append(m.reads, *m.reading)
	m.reading = nil
	m.advance()
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
