package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/sessions"
)

// Options configure [Run]. Runs is required.
type Options struct {
	// Runs is what does the tasks. It has to be able to reach [Prefixes].
	Runs runs.Service
	// Sessions are those of Runs, for suites whose tasks stand on their pages.
	// Default none: such a suite is refused.
	Sessions sessions.Service
	// Models are names of models of Runs, which are measured one after the other.
	// The one named "plain" gets the tasks as their plain steps. Default the
	// default model.
	Models []string
	// Only is which tasks: see [Suite.Only]. Default all.
	Only string
	// Repeat is how often each task is tried. Default 1.
	Repeat int
	// AtOnce is how many attempts go on at the same time. Default 2.
	AtOnce int
	// MaxSteps and Time bound each attempt where they are less than its task
	// allows. Default nothing.
	MaxSteps int
	Time     time.Duration
	// Each is told of each attempt when it has ended; one call at a time. Default
	// nobody.
	Each func(Attempt)
}

func (o Options) withDefaults() Options {
	o.Repeat, o.AtOnce = cmp.Or(o.Repeat, 1), cmp.Or(o.AtOnce, 2)
	if len(o.Models) == 0 {
		o.Models = []string{""}
	}
	if o.Each == nil {
		o.Each = func(Attempt) {}
	}
	return o
}

func (o Options) validate(s *Suite) error {
	_, bad := path.Match(o.Only, "")
	switch {
	case o.Runs == nil:
		return errtypes.Field("Options.Runs", "is required")
	case o.Sessions == nil && slices.ContainsFunc(s.Tasks, func(t Task) bool { return t.Task == "" }):
		return errtypes.Field("Options.Sessions", "is required: tasks stand on their pages")
	case o.Repeat < 0 || o.AtOnce < 0 || o.MaxSteps < 0 || o.Time < 0:
		return errtypes.Field("Options", "must have no number below 0")
	case bad != nil:
		return errtypes.Field("Options.Only", "is no pattern: %q", o.Only)
	case len(s.Only(o.Only)) == 0:
		return errtypes.Field("Options.Only", "fits no task: %q", o.Only)
	}
	return nil
}

// Run has each model try the tasks. A task that is not solved is no error. Error
// kinds: Invalid; those of the context, with what was measured until then.
func Run(ctx context.Context, s *Suite, o Options) (_ Report, err error) {
	defer errtypes.Wrap(&err, "suite.Run")
	if err := o.validate(s); err != nil {
		return Report{}, err
	}
	o = o.withDefaults()
	report := Report{Suite: s.Title, StartedAt: time.Now().UTC()}
	for _, name := range o.Models {
		report.Models = append(report.Models, measured(name, s.tryAll(ctx, o, name)))
		if ctx.Err() != nil {
			break
		}
	}
	return report, context.Cause(ctx)
}

// tryAll has one model try each task as often as it is to.
func (s *Suite) tryAll(ctx context.Context, o Options, name string) []Attempt {
	var todo []Attempt
	for _, t := range s.Only(o.Only) {
		for i := range o.Repeat {
			todo = append(todo, Attempt{Task: t.ID, Number: i + 1, Model: name, task: t})
		}
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	places := make(chan struct{}, o.AtOnce)
	for i := range todo {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			s.try(ctx, o, &todo[i])
			mu.Lock()
			defer mu.Unlock()
			o.Each(todo[i])
		})
	}
	all.Wait()
	return todo
}

// plainName is the model that follows written steps.
const plainName = "plain"

// try makes one attempt and writes down what came of it.
func (s *Suite) try(ctx context.Context, o Options, a *Attempt) {
	if ctx.Err() != nil {
		a.Why = "not tried: " + context.Cause(ctx).Error()
		return
	}
	if a.Model == plainName && len(a.task.Plain) == 0 {
		a.Why = "not tried: there are no plain steps"
		return
	}
	site, err := openSite(s, a.task)
	if err != nil {
		a.Why = err.Error()
		return
	}
	start := time.Now()
	run, err := s.attempt(ctx, o, *a, site)
	a.Seconds = time.Since(start).Seconds()
	err = errors.Join(err, site.close())
	a.Report = site.outcome()
	a.fill(run)
	a.judge(err)
	if run.ID != "" {
		a.messages(context.WithoutCancel(ctx), o.Runs, run.ID)
	}
}

// attempt creates the run and waits until it or the page has ended it.
func (s *Suite) attempt(ctx context.Context, o Options, a Attempt, site *site) (run runs.Run, err error) {
	create := a.create(o, site)
	if a.task.Task == "" && a.Model != plainName {
		opened, err := openPage(ctx, o, site)
		if opened.SessionID != "" {
			defer func() {
				_, releaseErr := o.Sessions.Release(context.WithoutCancel(ctx), opened.SessionID)
				err = cmp.Or(err, releaseErr)
			}()
		}
		if err != nil {
			return opened, err
		}
		if create.Task, err = site.waitText(ctx); err != nil {
			return opened, err
		}
		create.SessionID, create.AllowedDomains = opened.SessionID, nil
	}
	if run, err = o.Runs.Create(ctx, create); err != nil {
		return run, err
	}
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	if len(a.task.Expect) == 0 { // what the page says is all that counts
		defer context.AfterFunc(site.decided, cancel)()
	}
	ended, err := o.Runs.Wait(waiting, run.ID)
	if err == nil {
		return ended, nil
	}
	return stop(context.WithoutCancel(ctx), o.Runs, run.ID, ctx.Err())
}

// openPage opens the page of a task that is written on it, for a run to work on
// in the same session.
func openPage(ctx context.Context, o Options, site *site) (runs.Run, error) {
	run, err := o.Runs.Create(ctx, runs.Create{Task: "Go to " + site.url(), Model: plainName, KeepSession: true, AllowedDomains: hosts()})
	if err != nil {
		return run, err
	}
	opened, err := o.Runs.Wait(ctx, run.ID)
	if err != nil {
		return stop(context.WithoutCancel(ctx), o.Runs, run.ID, err)
	}
	if opened.Status != runs.Completed {
		return opened, fmt.Errorf("the page could not be opened: %s", opened.Cause)
	}
	return opened, nil
}

// stop ends a run that is no longer needed; because is why, nil if its page has
// reported.
func stop(ctx context.Context, s runs.Service, id string, because error) (runs.Run, error) {
	if _, err := s.Stop(ctx, id); err != nil && !errtypes.Is(err, errtypes.Conflict) { // it may have ended just now
		return runs.Run{ID: id}, err
	}
	run, err := s.Wait(ctx, id)
	return run, cmp.Or(because, err)
}

// create is the run of an attempt.
func (a Attempt) create(o Options, site *site) runs.Create {
	t := a.task
	c := runs.Create{
		Task: a.words(site), Model: a.Model, ResultSchema: t.ResultSchema,
		Limits:    runs.RunLimits{MaxSteps: least(t.MaxSteps, o.MaxSteps), MaxDuration: least(time.Duration(t.Time), o.Time)},
		Variables: map[string]runs.Variable{}, AllowedDomains: hosts(),
	}
	for name, value := range t.Variables {
		c.Variables[name] = runs.Variable{Value: value}
	}
	return c
}

// words are what the model is told.
func (a Attempt) words(site *site) string {
	if a.Model == plainName {
		return "Go to " + site.url() + "\n" + strings.Join(a.task.Plain, "\n")
	}
	return fmt.Sprintf("Open %s and do this there:\n\n%s", site.url(), a.task.Task)
}

// least is the smaller of two bounds, of which 0 is none.
func least[T int | time.Duration](a, b T) T {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// lastMessages is how many messages of an attempt that failed are kept.
const lastMessages = 4

// messages counts the steps of a run, and keeps the last ones of one that failed.
func (a *Attempt) messages(ctx context.Context, s runs.Service, id string) {
	page, err := s.ListMessages(ctx, id, runs.MessageFilter{All: true})
	if err != nil {
		return
	}
	var all []model.Message
	for _, m := range page.Messages {
		all = append(all, m.Message)
		if m.Message.Role == model.Assistant {
			a.Steps++
		}
	}
	if !a.Passed {
		a.Last = slices.Clone(all[max(0, len(all)-lastMessages):])
	}
}
