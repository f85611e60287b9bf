package suite_test

import (
	"cmp"
	"os"
	"slices"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/drovertest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/suite"
)

// widgets is the suite of this repository.
func widgets(t testing.TB) *suite.Suite {
	t.Helper()
	s, err := suite.Load(os.DirFS("testdata/widgets"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// measure has the model "script", or those that the options name, try tasks of a
// suite.
func measure(t testing.TB, s *suite.Suite, m model.Model, o suite.Options) suite.Report {
	t.Helper()
	chrometest.RequireChromium(t)
	d := opened(t, m)
	o.Runs, o.Sessions = d.Runs, d.Sessions
	report, err := suite.Run(t.Context(), s, o)
	if err != nil {
		t.Error(err)
	}
	return report
}

// opened is a Drover with one model.
func opened(t testing.TB, m model.Model) *drovertest.Drover {
	return drovertest.New(t, drover.Options{
		Models: map[string]runs.ModelConfig{"script": {Model: m}}, DefaultModel: "script",
		AllowPrefixes: suite.Prefixes(), Runs: runs.Limits{Concurrent: 2},
	})
}

// sample are patterns of the tasks that a quick run does, unless DROVER_SUITE_ONLY
// names others.
func sample(quick string) string {
	return cmp.Or(os.Getenv("DROVER_SUITE_ONLY"), testlevel.Of(quick, "*"))
}

// TestSolutions has each page solved by its script. A quick run does a sample.
func TestSolutions(t *testing.T) {
	t.Parallel()
	s := widgets(t)
	report := measure(t, s, s.Script(), suite.Options{Only: sample("c*,frame*,shadow*"), Each: failing(t)})
	t.Logf("%d of %d", report.Models[0].Passed, report.Models[0].Tried)
}

// TestPlain has the built-in model follow the plain steps of each task that has
// some.
func TestPlain(t *testing.T) {
	t.Parallel()
	s := widgets(t)
	s.Tasks = slices.DeleteFunc(s.Tasks, func(t suite.Task) bool { return len(t.Plain) == 0 })
	report := measure(t, s, s.Script(), suite.Options{Models: []string{"plain"}, Only: sample("t*,list*"), Each: failing(t)})
	t.Logf("%d of %d", report.Models[0].Passed, report.Models[0].Tried)
}

// failing makes errors of tasks that are not solved.
func failing(t testing.TB) func(suite.Attempt) {
	return func(a suite.Attempt) {
		if !a.Passed {
			t.Errorf("%s: %s", a.Task, a.Why)
		}
	}
}
