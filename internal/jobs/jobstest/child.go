package jobstest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
)

// childEnv names the data directory for a child of the test binary.
const childEnv = "DROVER_JOBSTEST_CHILD"

// Child does the work of a child process and exits, if this process was
// started as one. A test binary that runs the suite calls it first in
// TestMain.
func Child() {
	dir := os.Getenv(childEnv)
	if dir == "" {
		return
	}
	if err := childMain(dir); err != nil {
		fmt.Println("failed", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// childMain runs workers until its standard input ends. It tells what happens
// line by line on its standard output.
//
//	hold    holds the job until its context ends
//	effect  records what it does, and then returns
//	exact   records what it does and is done in one transaction
func childMain(dir string) error {
	ctx := context.Background()
	db, err := storage.Open(ctx, patient(dir))
	if err != nil {
		return err
	}
	defer db.Close()
	hub := notify.New(db, notify.Options{})
	defer hub.Close()
	q := jobs.New(db, hub, jobs.Options{})
	q.Register("hold", func(ctx context.Context, j jobs.Job) error {
		fmt.Println("holds", j.Ref, j.Attempt, j.LeaseLost)
		<-ctx.Done()
		fmt.Println("ends", j.Ref, context.Cause(ctx))
		return ctx.Err()
	}, jobs.KindOptions{})
	q.Register("effect", func(ctx context.Context, j jobs.Job) error {
		return db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error { return recordEffect(ctx, tx, j) })
	}, jobs.KindOptions{MaxAttempts: 100})
	q.Register("exact", func(ctx context.Context, j jobs.Job) error {
		return db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
			if err := recordEffect(ctx, tx, j); err != nil {
				return err
			}
			return q.Done(ctx, tx, j)
		})
	}, jobs.KindOptions{MaxAttempts: 100})
	if err := q.Start(ctx); err != nil {
		return err
	}
	fmt.Println("ready", db.InstanceID())
	io.Copy(io.Discard, os.Stdin)
	return q.Stop(past())
}

// patient are the options of a process that competes with others for the
// writer on a machine that may be overloaded: SQLite serves nobody in turn.
func patient(dir string) storage.Options {
	return storage.Options{Dir: dir, BusyTimeout: time.Minute}
}

// effects is the table that children write to: what was done, and how often.
const effects = `CREATE TABLE effects (ref TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, n INTEGER NOT NULL)`

func recordEffect(ctx context.Context, q storage.Querier, j jobs.Job) error {
	_, err := q.Exec(ctx, `INSERT INTO effects (ref, kind, n) VALUES ($1, $2, 1)
		ON CONFLICT (ref) DO UPDATE SET n = effects.n + 1`, j.Ref, j.Kind)
	return err
}

// child is a process with workers on the same file.
type child struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.Closer
	lines *bufio.Scanner
	id    string // of its instance
}

func startChild(t *testing.T, dir string) *child {
	t.Helper()
	c := &child{t: t, cmd: exec.Command(os.Args[0])}
	c.cmd.Env = append(os.Environ(), childEnv+"="+dir)
	c.cmd.Stderr = os.Stderr
	var err error
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.lines = bufio.NewScanner(out)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.end)
	c.id = strings.TrimPrefix(c.line(), "ready ")
	return c
}

// line waits for the next line of the child.
func (c *child) line() string {
	c.t.Helper()
	if !c.lines.Scan() {
		c.t.Fatalf("the child ended: %v", c.lines.Err())
	}
	return c.lines.Text()
}

func (c *child) expect(line string) {
	c.t.Helper()
	if got := c.line(); got != line {
		c.t.Errorf("the child says %q, want %q", got, line)
	}
}

// kill is kill -9.
func (c *child) kill() {
	c.cmd.Process.Kill()
	c.cmd.Wait()
}

// end asks the child to stop and waits for it.
func (c *child) end() {
	if c.cmd.ProcessState == nil {
		c.stdin.Close()
		c.cmd.Wait()
	}
}
