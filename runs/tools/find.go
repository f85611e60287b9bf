package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/sight"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
)

const findName = "find"

func (s *Set) findTool() tool {
	return tool{
		Tool: model.Tool{
			Name: findName,
			Description: "Finds lines of the page, also those that were left out or are out of view, and returns them with what stands around them. " +
				"Every line has a reference then, texts too. Of a long text it shows the places. Give text or regex.",
			Input: object(0,
				"text", property("string", "What a line has to say, in any case."),
				"regex", property("string", "A regular expression (RE2) in place of text."),
				"near", property("string", "Only lines that stand near one with this text, as in the same row.")),
		},
		run: s.runFind,
	}
}

const (
	// maxPattern bounds a regular expression, in bytes.
	maxPattern = 1000
	// maxFound is how many lines are shown at most.
	maxFound = 50
	// foundAround is how many lines are shown before and after each, and
	// nearLines how far away near is where nothing holds both.
	foundAround = 2
	nearLines   = 5
)

type findInput struct {
	Text  string `json:"text"`
	Regex string `json:"regex"`
	Near  string `json:"near"`
}

// pattern is what finds a text.
func (in findInput) pattern() (*regexp.Regexp, error) {
	switch {
	case in.Text != "" && in.Regex != "":
		return nil, badInput("text and regex must not both be given")
	case in.Text != "":
		return textPattern(in.Text), nil
	case in.Regex == "":
		return nil, badInput("text is required, or regex")
	case len(in.Regex) > maxPattern:
		return nil, badInput("regex must be at most %d bytes long", maxPattern)
	}
	re, err := regexp.Compile(in.Regex)
	if err != nil {
		return nil, badInput("regex is no regular expression of RE2")
	}
	return re, nil
}

// textPattern finds a text, whatever its case.
func textPattern(text string) *regexp.Regexp {
	return regexp.MustCompile("(?i)" + regexp.QuoteMeta(strings.ToValidUTF8(text, "\uFFFD")))
}

func (s *Set) runFind(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[findInput](raw)
	if err != nil {
		return Result{}, err
	}
	re, err := in.pattern()
	if err != nil {
		return Result{}, err
	}
	session, r, err := s.session(ctx)
	if err != nil {
		return r, err
	}
	v, err := s.lookFor(ctx, session, in.Text)
	if err != nil {
		return Result{Fatal: dead(session)}, err
	}
	s.view.body = ""
	found := linesThat(v, re, in.Near)
	said := fmt.Sprintf("%d of %d lines are such.\n", len(found), v.Total)
	if len(found) > maxFound {
		said = fmt.Sprintf("%d of %d lines are such; these are the first %d.\n", len(found), v.Total, maxFound)
		found = found[:maxFound]
	}
	showPlaces(v.Lines, found, re)
	part := around(v, found)
	s.rememberNames(part)
	text, _ := part.Text(s.fence, s.opts.MaxOutput-len(said))
	out := said + text
	if v.Cut && len(found) < maxFound {
		out += s.findInText(ctx, session, re.MatchString)
	}
	return Result{Output: model.TextOutput(out)}, nil
}

// lookFor takes a snapshot in which everything has a reference, and its texts are
// whole. What says the text is in it however large the page is.
func (s *Set) lookFor(ctx context.Context, session browser.Session, text string) (outline.View, error) {
	snap, err := session.SnapshotOf(ctx, browser.SnapshotOptions{Refs: true, Find: text})
	if stands(err) {
		return s.standing(ctx, session, browser.Page{})
	}
	if err != nil {
		return outline.View{}, err
	}
	return s.wholeViewOf(snap, browser.Page{}), nil
}

// linesThat are the lines with a text, near another if that is asked for.
func linesThat(v outline.View, re *regexp.Regexp, near string) (found []int) {
	near = strings.ToLower(near)
	for i, l := range v.Lines {
		if slices.ContainsFunc(sayings(l), re.MatchString) && (near == "" || isNear(v, i, near)) {
			found = append(found, i)
		}
	}
	return found
}

// holders are what holds one thing of several.
var holders = []string{"row", "listitem", "article", "treeitem", "group", "region", "dialog", "form", "option", "menuitem"}

// isNear reports whether a text stands in the same row, card or the like, or a few
// lines away where there is none.
func isNear(v outline.View, at int, low string) bool {
	from, to := max(at-nearLines, 0), min(at+nearLines+1, len(v.Lines))
	if holder := holderOf(v, at); holder >= 0 {
		from, to = holder, v.End(holder)
	}
	return slices.ContainsFunc(v.Lines[from:to], func(l outline.Line) bool { return strings.Contains(searched(l), low) })
}

// holderOf is the innermost of the holders around a line; -1 for none.
func holderOf(v outline.View, at int) int {
	for _, i := range v.Around(at) {
		if slices.Contains(holders, v.Lines[i].Role) {
			return i
		}
	}
	return -1
}

// around is the view of some lines, with what they stand in and what stands beside
// them.
func around(v outline.View, found []int) outline.View {
	keep := map[int]bool{}
	for _, at := range found {
		for i := max(at-foundAround, 0); i <= min(at+foundAround, len(v.Lines)-1); i++ {
			keep[i] = true
		}
		for _, i := range v.Around(at) {
			keep[i] = true
		}
	}
	part := outline.View{Page: v.Page, Scroll: v.Scroll, Part: "lines that were found, and those around them", Total: v.Total, Cut: v.Cut}
	gap := 0
	for i, l := range v.Lines {
		if !keep[i] {
			gap++
			continue
		}
		if gap > 0 {
			part.Gaps = append(part.Gaps, outline.Gap{At: len(part.Lines), Lines: gap})
			gap = 0
		}
		part.Lines = append(part.Lines, l)
	}
	if gap > 0 {
		part.Gaps = append(part.Gaps, outline.Gap{At: len(part.Lines), Lines: gap})
	}
	return part
}

// findInText looks through the text of a page that has more elements than can be
// listed.
func (s *Set) findInText(ctx context.Context, session browser.Session, matches func(string) bool) string {
	html, truncated, err := session.HTML(ctx, s.opts.MaxHTML)
	if err != nil {
		return ""
	}
	if truncated {
		html = html[:max(len(html)-s.opts.Variables.Longest(), 0)]
	}
	text, err := sight.Text(html)
	if err != nil {
		return ""
	}
	var lines []string
	for line := range strings.SplitSeq(s.clean(text), "\n") {
		if matches(line) && len(lines) < maxFound {
			lines = append(lines, fmt.Sprintf("- text %q", cut(line, 300)))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return fmt.Sprintf("\nIn the text of the page, which has more elements than can be listed (scroll to a text to see the element):\n[page %s]\n%s\n[end of page %s]",
		s.fence, strings.Join(lines, "\n"), s.fence)
}
