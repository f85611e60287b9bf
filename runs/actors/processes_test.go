package actors

import (
	"testing"
	"time"

	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// One process starts, follows and changes runs that another one executes.
func TestRunsOfAnotherProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	g := newGate()
	host := start(t, setup{dir: dir, actors: []Definition{echo, g.deaf("deaf"), g.heeding("heeding")}, limits: Limits{HandlerGrace: time.Millisecond}})
	must(host.Actors(t.Context(), Filter{}))(t) // the project has them now
	w := startOn(t, storagetest.OpenWith(t, storage.Options{Dir: dir}), setup{dir: dir, idle: true})

	if r := w.run(t, "~echo", Start{Input: input(`{"a":1}`)}); r.Status != Succeeded || w.output(t, r) != `{"a":1}` {
		t.Errorf("%+v", r)
	}
	r := must(w.Start(t.Context(), "~deaf", Start{}))(t)
	<-g.entered
	must(w.Reboot(t.Context(), r.ID))(t)
	<-g.entered
	must(w.Metamorph(t.Context(), r.ID, Metamorph{Actor: "~heeding"}))(t)
	<-g.entered
	must(w.Abort(t.Context(), r.ID, false))(t)
	if r = w.end(t, r.ID); r.Status != Aborted || r.Stats.Reboots != 1 || r.Stats.Metamorphs != 1 {
		t.Errorf("%+v", r)
	}
	close(g.leave)
}

// What comes while the host closes is told so.
func TestProcessesThatBeginLateAreTold(t *testing.T) {
	t.Parallel()
	l := &live{all: map[*process]bool{}}
	early, late := (*service)(nil).newProcess(execution.Attempt[runRow]{}, runRow{}, nil), (*service)(nil).newProcess(execution.Attempt[runRow]{}, runRow{}, nil)
	defer l.add(early)()
	l.tell(Event{Migrating, time.Second})
	defer l.add(late)()
	for _, p := range []*process{early, late} {
		if e := <-p.events; e != (Event{Migrating, time.Second}) {
			t.Errorf("%+v", e)
		}
	}
}
