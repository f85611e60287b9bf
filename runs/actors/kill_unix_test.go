//go:build unix

package actors

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/records"
)

// hostEnv makes the test binary a host of the data directory that it names, which
// brings a run into the phase that phaseEnv names and says so.
const (
	hostEnv  = "DROVER_ACTORS_TEST_HOST"
	phaseEnv = "DROVER_ACTORS_TEST_PHASE"
)

// pushes pushes numbers for ever, and says of each that it was acknowledged. A second
// process of a run comes to an end. Ending is what it does when it is broken off.
func pushes(say func(...any), ending func(error) error) Definition {
	return Func("pushes", func(ctx context.Context, a *Run) error {
		var again bool
		if _, err := a.Value(ctx, "AGAIN", &again); err != nil || again {
			return err
		}
		if err := a.SetValue(ctx, "AGAIN", true); err != nil {
			return err
		}
		for n := 0; ; n++ {
			switch err := a.Push(ctx, map[string]int{"n": n}); {
			case errtypes.Is(err, errtypes.Conflict), ctx.Err() != nil:
				return ending(err)
			case err != nil:
				return err
			}
			say("pushed")
		}
	}, FuncOptions{})
}

// hostMain is a host until it is killed.
func hostMain(dir, phase string) error {
	ctx := context.Background()
	db, err := storage.Open(ctx, storage.Options{Dir: dir})
	if err != nil {
		return err
	}
	w, err := openOn(ctx, db, setup{
		dir: dir, actors: []Definition{pushes(func(words ...any) { fmt.Println(words...) }, func(error) error { select {} }), echo}, idle: phase == "READY", limits: Limits{HandlerGrace: time.Hour},
	})
	if err != nil {
		return err
	}
	second, name := time.Second, "~pushes"
	o := RunOptions{RestartOnError: new(phase == "restarted")}
	switch phase {
	case "TIMING-OUT":
		o.Timeout = &second
	case "SUCCEEDED":
		name = "~echo"
	}
	r, err := w.Start(ctx, name, Start{Options: o, Input: input(`{"a":1}`)})
	if err != nil {
		return err
	}
	fmt.Println("run", r.ID)
	switch phase {
	case "TIMING-OUT":
		err = w.executorOf(kindOf("pushes")).Follow(ctx, r.ID, func() (bool, error) { now, err := w.Run(ctx, r.ID); return now.Status == TimingOut, err })
	case "ABORTING":
		if err := w.executorOf(kindOf("pushes")).Follow(ctx, r.ID, func() (bool, error) { now, err := w.Run(ctx, r.ID); return now.Status == Running, err }); err != nil {
			return err
		}
		_, err = w.Abort(ctx, r.ID, false)
	case "SUCCEEDED":
		_, err = w.Wait(ctx, r.ID, -1)
	}
	if err != nil {
		return err
	}
	fmt.Println("phase")
	select {} // until it is killed
}

// killed brings a run of another host into a phase and kills the host. It returns how
// many pushes were acknowledged.
func killed(t *testing.T, dir, phase string) (id string, pushed int) {
	t.Helper()
	host := exec.Command(os.Args[0], "-test.run=^$")
	host.Env = append(os.Environ(), hostEnv+"="+dir, phaseEnv+"="+phase)
	host.Stderr = os.Stderr
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	there := false
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		switch word, rest, _ := strings.Cut(lines.Text(), " "); word {
		case "run":
			id = rest
		case "pushed":
			pushed++
		case "phase":
			there = true
		}
		if there && (pushed > 3 || phase == "READY" || phase == "SUCCEEDED" || phase == "ABORTING" || phase == "TIMING-OUT") {
			break
		}
	}
	host.Process.Kill()
	for lines.Scan() { // what it said before
		if lines.Text() == "pushed" {
			pushed++
		}
	}
	host.Wait()
	if !there {
		t.Fatal("the host did not get there")
	}
	return id, pushed
}

// A host is killed in each phase of a run: the run comes to an honest end, or goes on,
// and what was acknowledged is there (DECISIONS 29).
func TestAHostIsKilled(t *testing.T) {
	t.Parallel()
	for phase, want := range map[string]struct {
		status  Status
		message string
	}{
		"READY":      {Aborted, abortedMessage}, // it starts, and is aborted
		"RUNNING":    {Failed, "the process that executed it died"},
		"restarted":  {Succeeded, "exit code 0"},
		"TIMING-OUT": {TimedOut, ""},
		"ABORTING":   {Aborted, abortedMessage},
		"SUCCEEDED":  {Succeeded, "exit code 0"},
	} {
		t.Run(phase, func(t *testing.T) {
			t.Parallel()
			for range testlevel.Rounds(1, 3) {
				dir := t.TempDir()
				id, pushed := killed(t, dir, phase)
				w := start(t, setup{dir: dir, actors: []Definition{pushes(func(...any) {}, func(err error) error { return err }), echo}, limits: Limits{HandlerGrace: time.Millisecond}})
				if phase == "READY" {
					w.until(t, id, func(r RunInfo) bool { return r.Status == Running })
					must(w.Abort(t.Context(), id, false))(t)
				}
				r := w.end(t, id)
				if r.Status != want.status || !strings.Contains(r.StatusMessage, want.message) {
					t.Errorf("%+v", r)
				}
				if st := must(w.records.Get(t.Context(), records.Dataset, r.DatasetID))(t); st.Items < int64(pushed) {
					t.Errorf("%d items of %d are there", st.Items, pushed)
				}
				if w.value(t, r, "INPUT") != `{"a":1}` || phase == "SUCCEEDED" && w.output(t, r) != `{"a":1}` {
					t.Errorf("%s %s", w.value(t, r, "INPUT"), w.output(t, r))
				}
				if phase == "restarted" && r.Stats.Restarts != 1 {
					t.Errorf("%+v", r.Stats)
				}
				runs, memory, err := unfinishedOf(w, r.ProjectID)
				if err != nil || runs != 0 || memory != 0 {
					t.Errorf("%d runs go on, %v", runs, err)
				}
			}
		})
	}
}

func unfinishedOf(w *world, projectID string) (runs, memory int, err error) {
	err = w.db.Read(context.Background(), func(ctx context.Context, q storage.Querier) (err error) {
		runs, memory, err = unfinished(ctx, q, projectID)
		return err
	})
	return runs, memory, err
}
