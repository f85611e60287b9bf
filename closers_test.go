package drover

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// The order is decision 12 of the design.
func TestClosingGoesOneWay(t *testing.T) {
	t.Parallel()
	d, err := Open(t.Context(), Options{Data: InMemory})
	if err != nil {
		t.Fatal(err)
	}
	if missing := d.Missing(); missing != "" {
		t.Errorf("there is no %s", missing)
	}
	var closed []string
	for i, one := range d.open {
		d.open[i].close = func(ctx context.Context) error {
			closed = append(closed, one.name)
			return one.close(ctx)
		}
	}
	if err := errors.Join(d.Close(), d.Close()); err != nil {
		t.Error(err)
	}
	want := []string{"schedules", "fetches", "actors", "functions", "builds", "runs", "queue", "programs", "sessions", "logs", "hub", "browser", "processes", "webhooks", "records", "downloads", "extensions", "keeper", "backups", "database", "telemetry"}
	if !slices.Equal(closed, want) {
		t.Errorf("closed %q\nwant   %q", closed, want)
	}
}

func TestEverythingIsClosedWhateverFails(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	var open closers
	var closed []string
	for _, name := range []string{"a", "b", "c"} {
		open.push(name, func(given context.Context) error {
			closed = append(closed, name)
			if given != ctx {
				t.Errorf("%s has another context", name)
			}
			return map[string]error{"a": errors.New("no disk"), "c": errors.New("no time")}[name]
		})
	}
	err := open.closeAll(ctx)
	if err == nil || err.Error() != "close c: no time\nclose a: no disk" || strings.Join(closed, "") != "cba" {
		t.Errorf("closed %q: %v", closed, err)
	}
}

// What the steps before a failed one have opened is closed.
func TestAFailedOpeningIsClosed(t *testing.T) {
	t.Parallel()
	failed := errors.New("no browser today")
	for n := range new(Drover).steps() {
		d, err := newDrover(Options{Data: InMemory})
		if err != nil {
			t.Fatal(err)
		}
		err = d.take(t.Context(), append(d.steps()[:n:n], func(context.Context) error { return failed }))
		if !errors.Is(err, failed) {
			t.Errorf("after %d steps: %v", n, err)
		}
		if err := d.Close(); err != nil {
			t.Errorf("after %d steps: %v", n, err)
		}
	}
}
