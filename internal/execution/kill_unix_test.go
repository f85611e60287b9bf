//go:build unix

package execution_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// host is another process on the same file.
type host struct {
	t   *testing.T
	cmd *exec.Cmd
}

// startHost returns once the host holds its parcel in the state.
func startHost(t *testing.T, dir, state string) *host {
	t.Helper()
	h := &host{t: t, cmd: exec.Command(os.Args[0])}
	h.cmd.Env = append(os.Environ(), hostEnv+"="+dir, hostEnv+"_STATE="+state)
	h.cmd.Stderr = os.Stderr
	if _, err := h.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.kill)
	if lines := bufio.NewScanner(out); !lines.Scan() || lines.Text() != state {
		t.Fatalf("the host says %q, %v", lines.Text(), lines.Err())
	}
	return h
}

// unheard does something while the process stands still. If that happened in the
// midst of a transaction, the process goes on for a while.
func (h *host) unheard(do func() error) {
	h.t.Helper()
	err := error(errtypes.New(errtypes.Unavailable, "not tried"))
	for errtypes.Is(err, errtypes.Unavailable) {
		resumed, stopped := h.cmd.Process.Signal(syscall.SIGCONT), h.cmd.Process.Signal(syscall.SIGSTOP)
		if err = errors.Join(resumed, stopped); err == nil {
			err = do()
		}
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// kill is kill -9.
func (h *host) kill() {
	if h.cmd.ProcessState == nil {
		h.cmd.Process.Kill()
		h.cmd.Wait()
	}
}

// TestAHostThatIsKilledInEachState: the next process brings the row to an
// honest end, and repeats the work only where that is allowed and no stop was
// accepted.
func TestAHostThatIsKilledInEachState(t *testing.T) {
	t.Parallel()
	died := execution.ErrHostDied.Error()
	for _, c := range []struct {
		state      string
		stop       bool // accepted before the kill
		repeatable bool
		status     string
		cause      string
		works      int
	}{
		{state: "pending", status: "DELIVERED", works: 1},
		{state: "pending", stop: true, status: "STOPPED", cause: "by its sender"},
		{state: "started", status: "LOST", cause: died},
		{state: "started", repeatable: true, status: "DELIVERED", works: 1},
		{state: "started", stop: true, status: "STOPPED", cause: died},
		{state: "started", stop: true, repeatable: true, status: "STOPPED", cause: died},
		{state: "executing", status: "LOST", cause: died, works: 1},
		{state: "executing", repeatable: true, status: "DELIVERED", works: 2},
		{state: "executing", stop: true, repeatable: true, status: "STOPPED", cause: died, works: 1},
		{state: "ending", status: "LOST", cause: died, works: 1},
		{state: "ending", repeatable: true, status: "DELIVERED", works: 2},
	} {
		t.Run(fmt.Sprintf("%s, stop %t, repeatable %t", c.state, c.stop, c.repeatable), func(t *testing.T) {
			t.Parallel()
			db := storagetest.OpenWith(t, storage.Options{Dir: t.TempDir(), BusyTimeout: time.Second})
			d := open(t, setup{db: db, idle: true, queue: jobs.Options{Patrol: 50 * time.Millisecond}, config: func(conf *execution.Config[parcel, delivery]) {
				if c.repeatable {
					repeatable(conf)
				}
				conf.Execute = func(ctx context.Context, a execution.Attempt[parcel]) (delivery, error) {
					if err := work(ctx, db, a.Row.id); err != nil {
						return delivery{}, err
					}
					return deliver(ctx, a)
				}
			}})
			d.write(func(ctx context.Context, tx *storage.Tx) error {
				_, err := tx.Exec(ctx, `CREATE TABLE works (parcel TEXT NOT NULL)`)
				return err
			})
			h := startHost(t, db.Dir(), c.state)
			if c.stop {
				h.unheard(func() error { _, err := d.tryCancel("p1"); return err })
			}
			h.kill()
			d.start()
			if p := d.until("p1", c.status); p.cause != c.cause {
				t.Errorf("%+v", p)
			}
			d.finished()
			if n := d.works(); n != c.works {
				t.Errorf("worked %d times, want %d", n, c.works)
			}
		})
	}
}

// A row whose values died with its host is not begun.
func TestAHostThatIsKilledWithTheValuesOfAPendingRow(t *testing.T) {
	t.Parallel()
	db := storagetest.OpenFile(t)
	gone := errors.New("the values are gone")
	d := open(t, setup{db: db, queue: jobs.Options{Patrol: 50 * time.Millisecond}, config: func(c *execution.Config[parcel, delivery]) {
		values := newValues(t, c.DB, c.Notify)
		c.Release = values.Drop
		c.Check = func(p parcel) error {
			if _, ok := values.Get(p.id); !ok {
				return gone
			}
			return nil
		}
	}})
	h := startHost(t, db.Dir(), "pending")
	if p := d.get("p1"); p.status != "PENDING" {
		t.Errorf("while its host lives: %+v", p)
	}
	h.kill()
	if p := d.until("p1", "LOST"); p.cause != gone.Error() {
		t.Errorf("%+v", p)
	}
	d.finished()
}
