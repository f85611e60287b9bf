package quality

import (
	"fmt"
	"log/slog"
	"os"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model/plain"
	"github.com/drover-go/drover/runs/suite"
)

// TestWidgets prints how many of the task pages are solved by their scripts, and
// how many the built-in model does, of all there are.
func TestWidgets(t *testing.T) {
	s, err := suite.Load(os.DirFS("../../runs/suite/testdata/widgets"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := drover.Open(ctx, drover.Options{
		Data: drover.InMemory, Logger: slog.New(slog.DiscardHandler), AllowPrefixes: suite.Prefixes(), DefaultModel: "script",
		Models: map[string]runs.ModelConfig{"script": {Model: s.Script()}, "plain": {Model: plain.New()}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	report, err := suite.Run(ctx, s, suite.Options{Runs: d.Runs, Sessions: d.Sessions, Models: []string{"script", "plain"}})
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]float64{"tasks": float64(len(s.Tasks)) / 100} // a page that goes is a loss, too
	text := ""
	for _, m := range report.Models {
		text += fmt.Sprintf("widgets solved by %s: %d of %d, %d steps, %.0f s\n", m.Model, m.Passed, m.Tried, m.Steps, m.Seconds)
		for _, a := range m.Attempts {
			if !a.Passed && (m.Model != "plain" || a.Steps > 0) {
				text += "  " + a.String() + "\n"
			}
		}
		scores[m.Model] = m.Score
	}
	t.Log(text)
	held(t, "widgets", scores)
}
