package suite

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model"
)

// Report is what a measurement has found. Its JSON is for comparisons.
type Report struct {
	Suite     string    `json:"suite"`
	StartedAt time.Time `json:"startedAt"`
	// Models in the order of the options.
	Models []Measured `json:"models"`
}

// Measured is what one model has done.
type Measured struct {
	// Model is empty for the default one.
	Model string `json:"model"`
	// Passed of Tried attempts; Score is their share, 0 to 1.
	Passed int     `json:"passed"`
	Tried  int     `json:"tried"`
	Score  float64 `json:"score"`
	// Sums over all attempts.
	Steps   int     `json:"steps"`
	Seconds float64 `json:"seconds"`
	Read    int64   `json:"tokensRead"`
	Cached  int64   `json:"tokensCached"`
	Written int64   `json:"tokensWritten"`
	// Cost in millionths of the currency of the prices; Unpriced says that some of
	// it has no price.
	Cost     int64 `json:"cost"`
	Unpriced bool  `json:"unpriced,omitempty"`
	// Attempts in the order of the tasks.
	Attempts []Attempt `json:"attempts"`
}

// Attempt is one try of one task.
type Attempt struct {
	Task string `json:"task"`
	// Number counts from 1 where tasks are tried several times.
	Number int    `json:"attempt"`
	Model  string `json:"model"`
	Passed bool   `json:"passed"`
	// Why it did not pass; empty if it did.
	Why     string  `json:"why,omitempty"`
	Steps   int     `json:"steps"`
	Seconds float64 `json:"seconds"`
	// Read counts all tokens that the model read, Cached those of them that came
	// from a cache.
	Read     int64 `json:"tokensRead"`
	Cached   int64 `json:"tokensCached"`
	Written  int64 `json:"tokensWritten"`
	Cost     int64 `json:"cost"`
	Unpriced bool  `json:"unpriced,omitempty"`
	// Report is what the page said; nil for nothing.
	Report *PageReport `json:"report,omitempty"`
	// Status, Cause and Result are those of the run. A run is STOPPED when its page
	// has reported.
	Status runs.Status     `json:"status,omitempty"`
	Cause  string          `json:"cause,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	// Last are the last messages of an attempt that did not pass.
	Last []model.Message `json:"last,omitempty"`

	task Task
}

// fill takes over what a run says of itself.
func (a *Attempt) fill(r runs.Run) {
	u := r.Usage.Tokens
	a.Status, a.Cause, a.Result = r.Status, r.Cause.String(), r.Result
	a.Read, a.Cached, a.Written = u.Total()-u.Output, u.CacheRead, u.Output
	a.Cost, a.Unpriced = r.Usage.Cost, r.Usage.Unpriced
}

// judge says whether the attempt has passed.
func (a *Attempt) judge(err error) {
	switch t := a.task; {
	case a.Report != nil && !a.Report.OK:
		a.Why = "the page says: " + a.Report.Note
	case a.Report == nil && (len(t.Expect) == 0 || t.Reports):
		a.Why = a.ended("the page has reported nothing", err)
	case len(t.Expect) > 0 && a.Status != runs.Completed:
		a.Why = a.ended("there is no answer", err)
	case len(t.Expect) > 0 && !same(t.Expect, a.Result):
		a.Why = fmt.Sprintf("the answer is %s, not %s", orNothing(a.Result), t.Expect)
	default:
		a.Passed = true
	}
}

func (a *Attempt) ended(what string, err error) string {
	switch {
	case err != nil:
		return what + ": " + err.Error()
	case a.Cause != "":
		return what + ": " + a.Cause
	}
	return what
}

func orNothing(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "nothing"
	}
	return string(raw)
}

// measured sums up.
func measured(name string, all []Attempt) Measured {
	m := Measured{Model: name, Attempts: all, Tried: len(all)}
	for _, a := range all {
		if a.Passed {
			m.Passed++
		}
		m.Steps += a.Steps
		m.Seconds += a.Seconds
		m.Read += a.Read
		m.Cached += a.Cached
		m.Written += a.Written
		m.Cost += a.Cost
		m.Unpriced = m.Unpriced || a.Unpriced
	}
	m.Score = float64(m.Passed) / float64(max(1, m.Tried))
	return m
}

// Least is the lowest score of a model, 0 to 1.
func (r Report) Least() float64 {
	least := 1.0
	for _, m := range r.Models {
		least = min(least, m.Score)
	}
	return least
}

// Table writes a line for each attempt, and the sums of each model.
func (r Report) Table(w io.Writer) error {
	for _, m := range r.Models {
		if err := m.table(w); err != nil {
			return err
		}
	}
	return nil
}

func (m Measured) table(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "task\tresult\tsteps\tread\twritten\tcost\tseconds\twhy\n")
	for _, a := range m.Attempts {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\t%.1f\t%s\n", a.title(), passed(a.Passed), a.Steps, a.Read, a.Written, money(a.Cost, a.Unpriced), a.Seconds, cutLine(a.Why))
	}
	fmt.Fprintf(t, "%s\t%d of %d\t%d\t%d\t%d\t%s\t%.1f\t\n", "all", m.Passed, m.Tried, m.Steps, m.Read, m.Written, money(m.Cost, m.Unpriced), m.Seconds)
	n := float64(max(1, m.Tried))
	fmt.Fprintf(t, "mean\t%.3f\t%.1f\t%.0f\t%.0f\t%s\t%.1f\t\n", m.Score, float64(m.Steps)/n, float64(m.Read)/n, float64(m.Written)/n, money(m.Cost/int64(n), m.Unpriced), m.Seconds/n)
	if m.Model != "" {
		fmt.Fprintf(w, "model %s\n", m.Model)
	}
	return t.Flush()
}

func (a Attempt) title() string {
	if a.Number > 1 {
		return fmt.Sprintf("%s (%d)", a.Task, a.Number)
	}
	return a.Task
}

func passed(ok bool) string {
	if ok {
		return "pass"
	}
	return "FAIL"
}

func money(cost int64, unpriced bool) string {
	if unpriced && cost == 0 {
		return "-"
	}
	return runs.Money(cost)
}

// maxWhy is how much of a reason a table shows, in characters.
const maxWhy = 140

func cutLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if all := []rune(s); len(all) > maxWhy {
		s = string(all[:maxWhy-1]) + "…"
	}
	return s
}

// String is the attempt in one line.
func (a Attempt) String() string {
	line := fmt.Sprintf("%s %s, %d steps, %.1f s", passed(a.Passed), a.title(), a.Steps, a.Seconds)
	if a.Why != "" {
		line += ": " + cutLine(a.Why)
	}
	return line
}
