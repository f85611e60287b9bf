package functions

import (
	"errors"
	"slices"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/jobs"
)

func TestPlacesOfFunctionsAndProjects(t *testing.T) {
	t.Parallel()
	p := &places{perProject: 3, perFunction: 2, projects: map[string]int{}, shares: map[string]int{}}
	take := func(project, share string, want bool) (release func()) {
		t.Helper()
		release, err := p.Reserve(jobs.Job{ProjectID: project, Share: share})
		if (err == nil) != want || err != nil && !errors.Is(err, jobs.ErrNoRoom) {
			t.Errorf("%s of %s: %v", share, project, err)
		}
		return release
	}
	first, second := take("p", "a", true), take("p", "a", true)
	take("p", "a", false)
	if full := p.Full(); !slices.Equal(full, []string{"a"}) {
		t.Errorf("full are %v", full)
	}
	goFunction := take("p", "", true)
	take("p", "b", false) // its project has three
	take("q", "a", false)
	first()
	if full := p.Full(); full != nil {
		t.Errorf("full are %v", full)
	}
	other := take("q", "a", true)
	for _, release := range []func(){second, goFunction, other} {
		release()
	}
	if len(p.projects)+len(p.shares) != 0 {
		t.Errorf("%v %v", p.projects, p.shares)
	}
}

// However many invocations of a function wait, those of another one are executed.
func TestInvocationsOfAPublishedFunctionWaitForEachOther(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{programs: &ProgramOptions{PerFunction: 1, MaxProcesses: 4}})
	w.program(t, hangs+`define("two", async () => 2);`)
	running := w.begun(t)
	var waiting []Invocation
	for range 20 { // more than the queue looks at
		waiting = append(waiting, w.invoke(t, "one", Invoke{}))
	}
	if inv := w.do(t, "two", Invoke{}); inv.Status != Completed {
		t.Errorf("%+v", inv)
	}
	for _, inv := range waiting {
		if inv, err := w.Invocation(t.Context(), inv.ID); err != nil || inv.Status != Pending {
			t.Errorf("%+v %v", inv, err)
		}
	}
	for _, inv := range waiting[1:] {
		w.cancelled(t, inv)
	}
	w.cancelled(t, running)
	next := waiting[0]
	for e, err := range w.Follow(t.Context(), next.ID) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Message == "begun" {
			break
		}
	}
	if inv, err := w.Invocation(t.Context(), next.ID); err != nil || inv.Status != Running {
		t.Errorf("%+v %v", inv, err)
	}
	w.cancelled(t, next)
}

func TestPlacesBelowZeroAreRefused(t *testing.T) {
	t.Parallel()
	if err := (ProgramOptions{PerFunction: -1}).Validate(); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
	if err := (Limits{MaxVersions: -1}).Validate(); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
}
