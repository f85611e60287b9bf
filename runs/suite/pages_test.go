package suite_test

import (
	"os"
	"path"
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

// measure has a model try tasks of a suite.
func measure(t testing.TB, s *suite.Suite, m model.Model, o suite.Options) suite.Report {
	t.Helper()
	chrometest.RequireChromium(t)
	d := drovertest.New(t, drover.Options{
		Models: map[string]runs.ModelConfig{"script": {Model: m}}, DefaultModel: "script",
		AllowPrefixes: suite.Prefixes(), Runs: runs.Limits{Concurrent: 2},
	})
	o.Runs = d.Runs
	report, err := suite.Run(t.Context(), s, o)
	if err != nil {
		t.Error(err)
	}
	return report
}

// TestSolutions has each page solved by its script. A quick run does a sample.
func TestSolutions(t *testing.T) {
	t.Parallel()
	s := widgets(t)
	only := os.Getenv("DROVER_SUITE_ONLY")
	if only == "" {
		only = testlevel.Of("[a-c]*", "")
	}
	if _, err := path.Match(only, ""); err != nil {
		t.Fatal(err)
	}
	report := measure(t, s, s.Script(), suite.Options{Only: only, Each: func(a suite.Attempt) {
		if !a.Passed {
			t.Errorf("%s: %s", a.Task, a.Why)
		}
	}})
	t.Logf("%d of %d", report.Models[0].Passed, report.Models[0].Tried)
}
