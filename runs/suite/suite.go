// Package suite measures agents on folders of task pages.
//
// A suite is a folder with a file suite.json and the pages that are served from
// it. A page decides by itself whether its task is done, and says so to the
// harness, or the task asks for an answer, which is compared. [Run] gives each
// attempt a server, a session and a run of its own, and returns a [Report].
// docs/suites.md tells how a suite is written; "drover suite" runs one.
package suite

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Suite is a folder of task pages.
type Suite struct {
	// Title names it in reports.
	Title string
	// Adapter makes pages of another suite report as ours do; nil for none.
	Adapter *Adapter
	// Tasks in the order in which they are done. Their ids differ.
	Tasks []Task

	files fs.FS
	// hidden are names of files that say how tasks are solved.
	hidden map[string]bool
}

// Task is one thing to do on a page.
type Task struct {
	// ID names it in reports.
	ID string `json:"id"`
	// Page is the path that the agent begins at, with a query if need be. Default
	// the id with ".html".
	Page string `json:"page"`
	// Task is what the agent is asked for. Empty where the page itself says it:
	// see [Adapter.Text].
	Task string `json:"task"`
	// Variables are the values of placeholders in the task. Default none.
	Variables map[string]string `json:"variables"`
	// ResultSchema is the schema of the answer. Default that of Expect.
	ResultSchema json.RawMessage `json:"resultSchema"`
	// Expect is the right answer. A number equals the one number in a text; case,
	// spaces and a final stop of texts do not count; of an object the members
	// that are expected count. Default none: the page tells.
	Expect json.RawMessage `json:"expect"`
	// Reports says that the page reports besides, where there is an Expect: both
	// have to be right. Default false.
	Reports bool `json:"reports"`
	// MaxSteps is how often the model may be asked. Default that of the suite, or
	// else of the service.
	MaxSteps int `json:"maxSteps"`
	// Time is how long an attempt may take. Default that of the suite, or else of
	// the service.
	Time Duration `json:"time"`
	// Tags group tasks; "pictures" says that one has to see the page.
	Tags []string `json:"tags"`
	// Plain is the task as steps of the built-in model, one a line, without that
	// which opens the page. Default none: it is not asked.
	Plain []string `json:"plain"`
	// Solution are the calls that solve the task: see [Suite.Script]. Default none.
	Solution []Step `json:"solution"`
}

// Adapter translates what pages of another suite say.
type Adapter struct {
	// Script is a file of the suite that runs before the scripts of each page,
	// behind that which defines "task". Default none.
	Script string `json:"script"`
	// Pages are patterns of [path.Match] of the paths that it runs on. Default all
	// pages.
	Pages []string `json:"pages"`
	// Text selects the element of the page that the task is written in, for tasks
	// without words of their own. Default none: the script calls task.text.
	Text string `json:"text"`
}

// Duration is written in JSON as [time.ParseDuration] reads it.
type Duration time.Duration

// UnmarshalText reads a duration such as "90s".
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = Duration(v)
	return err
}

// Solvable are the tasks that have a solution.
func (s *Suite) Solvable() []Task { return s.those(func(t Task) bool { return len(t.Solution) > 0 }) }

// Only are the tasks whose id or one of whose tags fits one of the patterns of
// [path.Match], between which commas stand. No patterns mean all.
func (s *Suite) Only(patterns string) []Task {
	return s.those(func(t Task) bool {
		for pattern := range strings.SplitSeq(patterns, ",") {
			if pattern == "" || slices.ContainsFunc(append([]string{t.ID}, t.Tags...), func(name string) bool { return matches(pattern, name) }) {
				return true
			}
		}
		return false
	})
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

func (s *Suite) those(fit func(Task) bool) (all []Task) {
	for _, t := range s.Tasks {
		if fit(t) {
			all = append(all, t)
		}
	}
	return all
}

// adapts reports whether the adapter's script runs on a page.
func (a *Adapter) adapts(page string) bool {
	if a == nil || len(a.Pages) == 0 {
		return a != nil
	}
	return slices.ContainsFunc(a.Pages, func(pattern string) bool {
		return matches(strings.TrimPrefix(pattern, "/"), page)
	})
}

// String is the duration as [time.Duration] writes it.
func (d Duration) String() string { return time.Duration(d).String() }
