package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
)

const snapshotName = "snapshot"

func (s *Set) snapshot() tool {
	return tool{
		Tool: model.Tool{
			Name: snapshotName,
			Description: "Returns the page as it is now: its elements in order, with references for those that can be acted on. " +
				"Of a long page it shows what can be seen without scrolling first, and says what it leaves out.",
			Input: object(0,
				"find", property("string", "Only lines with this text in them."),
				"offset", property("integer", "Only lines from this one on; for a page that was cut. Default 0."),
				"ref", property("string", "Only this element and what is in it, such as e12."),
				"depth", property("integer", "How many levels below the first. Default 0, all."),
				"boxes", property("boolean", "With the place of each element, as left,top widthxheight in pixels. Default false."),
				"full", property("boolean", "With long addresses and all options of lists. Default false.")),
		},
		run: s.runSnapshot,
	}
}

// snapshotInput is what a model asks of a snapshot.
type snapshotInput struct {
	Find   string `json:"find"`
	Offset int    `json:"offset"`
	Ref    string `json:"ref"`
	Depth  int    `json:"depth"`
	Boxes  bool   `json:"boxes"`
	Full   bool   `json:"full"`
}

func (in snapshotInput) check() error {
	switch {
	case in.Offset < 0:
		return badInput("offset must not be negative")
	case in.Depth < 0:
		return badInput("depth must not be negative")
	}
	return nil
}

// part says of what the view is; empty for the page.
func (in snapshotInput) part() string {
	var parts []string
	if in.Ref != "" {
		parts = append(parts, "element "+in.Ref)
	}
	if in.Depth > 0 {
		parts = append(parts, fmt.Sprintf("%d levels", in.Depth))
	}
	if in.Find != "" {
		parts = append(parts, "lines with a text")
	}
	return strings.Join(parts, ", ")
}

func (s *Set) runSnapshot(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[snapshotInput](raw)
	if err == nil {
		err = in.check()
	}
	if err != nil {
		return Result{}, err
	}
	in.Ref = strings.Trim(in.Ref, "[]")
	session, r, err := s.session(ctx)
	if err != nil {
		return r, err
	}
	v, err := s.lookAt(ctx, session, in)
	if err != nil {
		return Result{Fatal: dead(session)}, err
	}
	if in.Boxes { // places are of the viewport now
		s.picture = picture{}
	}
	v.Part, v.Full = s.field(in.part()), in.Full
	said := ""
	if in.Find != "" {
		said = fmt.Sprintf("%d of %d lines have %q in them.\n", filter(&v, in.Find), v.Total, cut(s.clean(in.Find), 200))
	}
	cutTexts(v.Lines)
	v.Lines = v.Lines[min(in.Offset, len(v.Lines)):]
	if v.First = in.Offset; in.Find != "" {
		v.Total = in.Offset + len(v.Lines)
	}
	text, _ := v.Text(s.fence, s.opts.MaxOutput)
	s.view.body = "" // a part of the page, or all of it anew
	return Result{Output: model.TextOutput(said + text)}, nil
}

// lookAt takes the snapshot that a model asks for.
func (s *Set) lookAt(ctx context.Context, session browser.Session, in snapshotInput) (outline.View, error) {
	o := browser.SnapshotOptions{Ref: browser.Ref(in.Ref), Depth: in.Depth, Boxes: in.Boxes, Find: in.Find}
	snap, err := session.SnapshotOf(ctx, o)
	if err != nil {
		return outline.View{}, err
	}
	v := s.wholeViewOf(snap, browser.Page{})
	if o.Ref == "" && o.Depth == 0 {
		s.remember(&v)
	} else {
		s.rememberPart(&v)
	}
	return v, nil
}

// filter keeps the lines that have the text in them, whatever its case, and
// returns how many there are.
func filter(v *outline.View, find string) int {
	low, re := strings.ToLower(find), textPattern(find)
	kept := v.Lines[:0:0]
	for _, l := range v.Lines {
		if strings.Contains(searched(l), low) {
			for _, text := range textsOf(&l) {
				*text = placesIn(*text, re)
			}
			kept = append(kept, l)
		}
	}
	v.Lines = kept
	return len(kept)
}

// searched is what of a line texts are looked for in, in lower case.
func searched(l outline.Line) string { return strings.ToLower(strings.Join(sayings(l), "\n")) }

// sayings are the texts of a line.
func sayings(l outline.Line) []string {
	return append([]string{l.Name, l.Value, l.Placeholder, l.Description, l.Error}, l.Options...)
}
