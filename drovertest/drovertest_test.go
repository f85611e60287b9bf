package drovertest_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/drovertest"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
	"github.com/drover-go/drover/storage/downloads"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

func TestADroverIsClosedWithItsTest(t *testing.T) {
	t.Parallel()
	var d *drovertest.Drover
	var site drovertest.Site
	t.Run("a host's", func(t *testing.T) {
		d, site = drovertest.New(t, drover.Options{}), drovertest.NewSite(t)
		page, err := d.Fetch.Get(t.Context(), site.URL, fetch.Options{Format: fetch.Markdown})
		if err != nil || !strings.Contains(page.Content, "Harbour desk lamp") {
			t.Errorf("%+v, %v", page, err)
		}
	})
	if err := d.Health(t.Context()); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("it is still open: %v", err)
	}
}

func TestTimeStandsStillUntilItIsPutForward(t *testing.T) {
	t.Parallel()
	d := drovertest.New(t, drover.Options{Clock: drovertest.NewStandingClock(noon), Workers: drover.WorkersAlways})
	a, err := d.Agents.Create(t.Context(), agents.Create{Name: "a"})
	if err != nil || !a.CreatedAt.Equal(noon) {
		t.Errorf("made at %v, %v", a.CreatedAt, err)
	}
	d.Clock.Advance(time.Hour)
	if a, err = d.Agents.Create(t.Context(), agents.Create{Name: "b"}); err != nil || !a.CreatedAt.Equal(noon.Add(time.Hour)) {
		t.Errorf("made at %v, %v", a.CreatedAt, err)
	}
}

// What is kept for thirty days goes when the clock is put past them.
func TestWhatIsKeptForAWhileGoes(t *testing.T) {
	t.Parallel()
	d := drovertest.New(t, drover.Options{Clock: drovertest.NewClock(noon), DownloadRetention: 24 * time.Hour})
	file, err := d.Downloads.Store(t.Context(), downloads.New{SessionID: "s", Content: strings.NewReader("x")})
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		d.Clock.Advance(time.Hour)
		_, err = d.Downloads.Get(t.Context(), file.ID)
	}
	if !errtypes.Is(err, errtypes.NotFound) {
		t.Error(err)
	}
	if age := d.Clock.Now().Sub(noon); age < 24*time.Hour {
		t.Errorf("it was kept for %v", age)
	}
}

// Time may pass while an agent is at work: its run goes on, and its lease too.
func TestTimePassesDuringARun(t *testing.T) {
	t.Parallel()
	chrometest.RequireChromium(t)
	site, clock := drovertest.NewSite(t), drovertest.NewClock(noon)
	later := func(then scripted.Turn) scripted.Turn {
		return scripted.Turn{Do: func(context.Context, model.Request) (model.Response, error) {
			clock.Advance(time.Minute)
			return model.Response{Content: then.Say, Finish: model.FinishCalls}, nil
		}}
	}
	d := drovertest.New(t, drover.Options{Clock: clock, Model: scripted.New(
		later(scripted.Call("navigate", map[string]any{"url": site.URL})),
		later(scripted.Call("read", nil)),
		later(scripted.Call("done", map[string]any{"success": true, "result": "seen"})),
	)})
	run, err := d.Runs.Create(t.Context(), runs.Create{Task: "look at " + site.URL})
	if err != nil {
		t.Fatal(err)
	}
	if run, err = d.Runs.Wait(t.Context(), run.ID); err != nil || run.Status != runs.Completed || run.EndedAt.Sub(run.StartedAt) < 3*time.Minute {
		t.Errorf("%s %+v after %v, %v", run.Status, run.Cause, run.EndedAt.Sub(run.StartedAt), err)
	}
}
