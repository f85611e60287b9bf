package drover_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/schedules"
)

// schedulerEnv makes the test binary a host of the data directory that it names, which
// fires its schedules until it is killed.
const schedulerEnv = "DROVER_TEST_SCHEDULER"

// tick is what the schedules of the tests start.
var tick = actors.Func("tick", func(context.Context, *actors.Run) error { return nil }, actors.FuncOptions{})

func schedulerOptions(dir string, workers drover.Workers) drover.Options {
	return drover.Options{
		Data: dir, Workers: workers, Actors: []actors.Definition{tick}, Logger: slog.New(slog.DiscardHandler),
		Schedules: schedules.Limits{PerProject: 100_000}, ActorLimits: actors.Limits{MaxUnfinished: 1_000_000},
	}
}

func schedulerMain(dir string) error {
	_, err := drover.Open(context.Background(), schedulerOptions(dir, drover.WorkersAlways))
	if err != nil {
		return err
	}
	fmt.Println("open")
	select {}
}

// startScheduler returns a host that fires.
func startScheduler(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), schedulerEnv+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			kill(t, cmd)
		}
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "open\n" {
		t.Fatalf("%q %v", line, err)
	}
	return cmd
}

// each second so many schedules are due.
const dueEachSecond = 200

// manySchedules makes the schedules of which so many are due each second, half of which
// catch up on all that they have missed.
func manySchedules(t *testing.T, dir string) []schedules.Schedule {
	t.Helper()
	d := openScheduler(t, dir)
	defer d.Close()
	all := make([]schedules.Schedule, 10*dueEachSecond)
	for i := range all {
		rule := schedules.CatchUpAll
		if i%20 < 10 {
			rule = schedules.CatchUpLast
		}
		s, err := d.Schedules.Create(t.Context(), schedules.Create{
			Name:     fmt.Sprintf("every-%d", i),
			Settings: schedules.Settings{Cron: fmt.Sprintf("%d/10 * * * * *", i%10), Enabled: true, Parallel: i%3 > 0, CatchUp: rule},
			Actions:  []schedules.Action{{Type: schedules.RunActor, Target: "~tick"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		all[i] = s
	}
	return all
}

func openScheduler(t *testing.T, dir string) *drover.Drover {
	t.Helper()
	d, err := drover.Open(t.Context(), schedulerOptions(dir, drover.WorkersNever))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Hosts are killed while 200 schedules fire each second: alone, and beside another one. No
// slot is lost, and none has two runs.
func TestHostsAreKilledWhileSchedulesFire(t *testing.T) {
	for name, hosts := range map[string]int{"one": 1, "two": 2} {
		t.Run(name, func(t *testing.T) {
			if hosts > 1 {
				testlevel.Long(t, "kills one of two hosts again and again")
			}
			dir := t.TempDir()
			all := manySchedules(t, dir)
			running := make([]*exec.Cmd, hosts)
			for i := range running {
				running[i] = startScheduler(t, dir)
			}
			for round := range testlevel.Rounds(3, 50) {
				time.Sleep(time.Duration(100+rand.IntN(1200)) * time.Millisecond) // it is in the middle of something
				kill(t, running[round%hosts])
				running[round%hosts] = startScheduler(t, dir)
			}
			d := openScheduler(t, dir)
			defer d.Close()
			until := time.Now()
			caughtUp(t, d, until)
			for _, host := range running {
				kill(t, host)
			}
			started := 0
			seen := map[string]bool{}
			for _, s := range all {
				started += checkLedger(t, d, s, until, seen)
			}
			if len(seen) != started {
				t.Errorf("%d runs for %d slots", len(seen), started)
			}
			runs, err := d.Actors.Runs(t.Context(), actors.RunFilter{})
			if err != nil || runs.Total != started {
				t.Errorf("there are %d runs for %d slots: %v", runs.Total, started, err)
			}
			t.Logf("%d slots were started", started)
		})
	}
}

// caughtUp waits until nothing is due any more that was before a time.
func caughtUp(t *testing.T, d *drover.Drover, until time.Time) {
	t.Helper()
	for offset := 0; ; {
		l, err := d.Schedules.List(t.Context(), schedules.Filter{Offset: offset})
		if err != nil {
			t.Fatal(err)
		}
		late := slices.ContainsFunc(l.Items, func(s schedules.Schedule) bool { return !s.NextRunAt.After(until) })
		switch {
		case late:
			time.Sleep(50 * time.Millisecond)
		case offset+len(l.Items) >= l.Total:
			return
		default:
			offset += len(l.Items)
		}
	}
}

// checkLedger checks that each slot of a schedule, up to a time, is in the ledger once, and
// returns how many were started, by runs that are not in seen.
func checkLedger(t *testing.T, d *drover.Drover, s schedules.Schedule, until time.Time, seen map[string]bool) (started int) {
	t.Helper()
	l, err := d.Schedules.Slots(t.Context(), s.ID, schedules.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	due := s.NextRunAt
	for _, o := range l.Items {
		if !o.At.Equal(due) {
			t.Errorf("%s: %+v, and %s is due", s.Cron, o, due)
		}
		due = due.Add(time.Duration(o.Count) * 10 * time.Second)
		if o.Outcome != schedules.Started {
			continue
		}
		if started++; seen[o.RunID] {
			t.Errorf("%s: %+v has the run of another slot", s.Cron, o)
		}
		seen[o.RunID] = true
		if r, err := d.Actors.Run(t.Context(), o.RunID); err != nil || !r.Meta.Slot.ScheduledAt.Equal(o.At) || r.Meta.Slot.ScheduleID != s.ID {
			t.Errorf("%s: %+v: %+v %v", s.Cron, o, r.Meta, err)
		}
	}
	if !due.After(until) {
		t.Errorf("%s: nothing is known of %s", s.Cron, due)
	}
	return started
}
