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
			Name:        snapshotName,
			Description: "Returns the page as it is now: its elements in order, with references for those that can be acted on.",
			Input: object(0,
				"find", property("string", "Only lines with this text in them."),
				"offset", property("integer", "Only lines from this one on; for a page that was cut. Default 0.")),
		},
		run: s.runSnapshot,
	}
}

func (s *Set) runSnapshot(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Find   string `json:"find"`
		Offset int    `json:"offset"`
	}](raw)
	if err != nil {
		return Result{}, err
	}
	if in.Offset < 0 {
		return Result{}, badInput("offset must not be negative")
	}
	session, r, err := s.session(ctx)
	if err != nil {
		return r, err
	}
	v, err := s.look(ctx, session, browser.Page{})
	if err != nil {
		return Result{Fatal: dead(session)}, err
	}
	said := ""
	if in.Find != "" {
		said = fmt.Sprintf("%d of %d lines have %q in them.\n", filter(&v, in.Find), v.Total, cut(s.clean(in.Find), 200))
	}
	v.Lines = v.Lines[min(in.Offset, len(v.Lines)):]
	if v.First = in.Offset; in.Find != "" {
		v.Total = in.Offset + len(v.Lines)
	}
	text, _ := v.Text(s.fence, s.opts.MaxOutput)
	s.view.body = "" // a part of the page, or all of it anew
	return Result{Output: model.TextOutput(said + text)}, nil
}

// filter keeps the lines that have the text in them, whatever its case, and
// returns how many there are.
func filter(v *outline.View, find string) int {
	find = strings.ToLower(find)
	kept := v.Lines[:0:0]
	for _, l := range v.Lines {
		if strings.Contains(strings.ToLower(l.Name+"\n"+l.Value+"\n"+l.Placeholder), find) {
			kept = append(kept, l)
		}
	}
	v.Lines = kept
	return len(kept)
}
