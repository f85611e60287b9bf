package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
)

const (
	// maxWait leaves time for a look at the page under the default timeout.
	maxWait     = 20 * time.Second
	defaultWait = 10 * time.Second
	// lookAgain is how often a page is looked at that is waited for.
	lookAgain = 250 * time.Millisecond
)

func (s *Set) wait() tool {
	return tool{
		Tool: model.Tool{
			Name:        "wait",
			Description: "Waits until a text is on the page, or for a time, and returns the page.",
			Input: object(0,
				"text", property("string", "The text to wait for. Default none: for the time."),
				"seconds", property("number", "How long at most: 0 to 20. Default 10.")),
		},
		run: s.runWait,
	}
}

func (s *Set) runWait(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Text    string   `json:"text"`
		Seconds *float64 `json:"seconds"`
	}](raw)
	if err != nil {
		return Result{}, err
	}
	most := defaultWait
	if in.Seconds != nil {
		if !(*in.Seconds >= 0 && *in.Seconds <= maxWait.Seconds()) {
			return Result{}, badInput("seconds must be 0 to %v", maxWait.Seconds())
		}
		most = time.Duration(*in.Seconds * float64(time.Second))
	}
	session, r, err := s.session(ctx)
	if err != nil {
		return r, err
	}
	v, seen, err := s.waitFor(ctx, session, s.looksFor(in.Text), most)
	if err != nil {
		return Result{Fatal: dead(session)}, err
	}
	said := fmt.Sprintf("Waited %v.", most)
	if in.Text != "" {
		said = fmt.Sprintf("%q is on the page.", cut(s.clean(in.Text), 200))
		if !seen {
			said = fmt.Sprintf("Error: %q did not come up within %v.", cut(s.clean(in.Text), 200), most)
		}
	}
	text := said + "\n" + s.describe(v, s.opts.MaxOutput-len(said))
	if in.Text != "" && !seen {
		return Result{Output: model.ErrorOutput(text)}, nil
	}
	return Result{Output: model.TextOutput(text)}, nil
}

// looksFor returns a test for a page that has the text on it; nil for an empty
// one. A variable in the text that stands in the task like that may be looked
// for by its value, if it may go anywhere: what comes out is whether it is there, and
// a page could offer one guess after the other.
func (s *Set) looksFor(text string) func(outline.View, browser.Snapshot) bool {
	if text == "" {
		return nil
	}
	wanted := []string{strings.ToLower(oneLine(text))}
	if s.opts.Variables.Uses(text) && s.opts.Variables.Stands(text, s.opts.Task) && !s.opts.Variables.Bound(text) {
		if resolved, _, err := s.opts.Variables.Resolve(text); err == nil {
			wanted = append(wanted, strings.ToLower(oneLine(resolved)))
		}
	}
	return func(v outline.View, snap browser.Snapshot) bool {
		has := func(e browser.Element) bool {
			text := strings.ToLower(e.Name + "\n" + e.Value)
			for _, w := range wanted {
				if strings.Contains(text, w) {
					return true
				}
			}
			return false
		}
		for i := range v.Lines {
			if has(v.Lines[i].Element) || has(snap.Elements[i]) {
				return true
			}
		}
		return false
	}
}

// waitFor looks at the page until it is as wanted or the time is over.
func (s *Set) waitFor(ctx context.Context, session browser.Session, wanted func(outline.View, browser.Snapshot) bool, most time.Duration) (outline.View, bool, error) {
	until := s.opts.Clock.Now().Add(most)
	for {
		snap, err := session.Snapshot(ctx)
		if err != nil {
			return outline.View{}, false, err
		}
		v := s.viewOf(snap, browser.Page{})
		left := until.Sub(s.opts.Clock.Now())
		if seen := wanted != nil && wanted(v, snap); seen || left <= 0 {
			s.remember(&v)
			return v, seen, nil
		}
		pause := left
		if wanted != nil {
			pause = min(left, lookAgain)
		}
		if err := clock.Sleep(ctx, s.opts.Clock, pause); err != nil {
			return outline.View{}, false, err
		}
	}
}
