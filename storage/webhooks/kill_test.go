package webhooks

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage"
)

// hostEnv makes the test binary a host of the data directory that it names, whose clock
// is ahead of the machine's by aheadEnv. Things happen in it, and are told to the
// webhooks that there are, until it is killed.
const (
	hostEnv  = "DROVER_WEBHOOKS_TEST_HOST"
	aheadEnv = hostEnv + "_AHEAD"
	// killKey seals the secrets of all hosts.
	killKey = "5f0c7b9e2a4d6183c5e7f90b1d2e3a4c5b6d7e8f9a0b1c2d3e4f5a6b7c8d9eaf"
	// objects is to how many objects things happen.
	objects = 5
)

func hostSetup(dir string, ahead time.Duration) (setup, error) {
	key, err := seal.ParseKey(killKey)
	return setup{dir: dir, limits: Limits{AllowHTTP: true}, keys: seal.NewRing(key), clock: clock.NewRunning(time.Now().Add(ahead))}, err
}

func hostMain(dir string) error {
	ctx := context.Background()
	ahead, err := time.ParseDuration(os.Getenv(aheadEnv))
	if err != nil {
		return err
	}
	o, err := hostSetup(dir, ahead)
	if err != nil {
		return err
	}
	w, err := newWorld(ctx, o, func(func()) {})
	if err != nil {
		return err
	}
	project, err := w.projects.Current(ctx)
	if err != nil {
		return err
	}
	fmt.Println("open")
	for {
		if err := w.change(ctx, project.ID); err != nil {
			return err
		}
		time.Sleep(time.Duration(rand.IntN(4)) * time.Millisecond)
	}
}

// change is something that happens: a row, and in the same transaction what is told of it.
func (w *world) change(ctx context.Context, project string) error {
	return w.db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		n, err := storage.Column[int](tx.QueryRow(ctx, `INSERT INTO test_changes (object) VALUES (1) RETURNING n`))
		if err != nil {
			return err
		}
		object := fmt.Sprint("object-", n%objects)
		for _, e := range []Event{done(object, n), ended(object, n)} {
			e.ProjectID = project
			if err := w.Emit(ctx, tx, e); err != nil {
				return err
			}
		}
		return nil
	})
}

func startHost(t *testing.T, dir string, ahead time.Duration) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), hostEnv+"="+dir, aheadEnv+"="+ahead.String())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd) })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "open\n" {
		t.Fatalf("%q %v", line, err)
	}
	return cmd
}

func kill(cmd *exec.Cmd) {
	if cmd.ProcessState == nil {
		cmd.Process.Kill()
		cmd.Wait()
	}
}

// arrivals are what a receiver has got of each object, in its order.
type arrivals struct {
	mu   sync.Mutex
	last map[string]int    // state, by path and object
	ids  map[string]string // by path, object and state
	n    int
}

func (a *arrivals) note(t *testing.T, m message) {
	row, key := m.row(t), m.URL.Path+" "+m.row(t).ID
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n++
	if last := a.last[key]; row.State < last {
		t.Errorf("%s: %d came after %d", key, row.State, last)
	}
	a.last[key] = row.State
	one := fmt.Sprint(m.URL.Path, " ", row)
	if was := a.ids[one]; was != "" && was != m.id() {
		t.Errorf("%s came as %s and as %s", one, was, m.id())
	}
	a.ids[one] = m.id()
}

// receiving starts a receiver that takes its time and often fails, until it is well.
func (a *arrivals) receiving(t *testing.T) (r *receiver, well func()) {
	var mu sync.Mutex
	isWell := false
	r = receive(t, func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(time.Duration(rand.IntN(10)) * time.Millisecond) // so that hosts die meanwhile
		mu.Lock()
		defer mu.Unlock()
		if !isWell && rand.IntN(10) == 0 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	return r, func() {
		mu.Lock()
		defer mu.Unlock()
		isWell = true
	}
}

// Hosts are killed between what happens and what is sent of it, while it is sent and between
// attempts, alone and beside another host; each next one has a clock that is five minutes
// ahead. Everything arrives, under one id each, and of each object in order.
func TestHostsAreKilled(t *testing.T) {
	for name, hosts := range map[string]int{"one": 1, "two": 2} {
		t.Run(name, func(t *testing.T) {
			if hosts > 1 {
				testlevel.Long(t, "kills one of two hosts again and again")
			}
			a := &arrivals{last: map[string]int{}, ids: map[string]string{}}
			r, well := a.receiving(t)
			dir := t.TempDir()
			prepare(t, dir, r.URL)
			running := make([]*exec.Cmd, hosts)
			ahead := time.Duration(0)
			for i := range running {
				running[i] = startHost(t, dir, ahead)
			}
			for round := range testlevel.Rounds(3, 12) {
				time.Sleep(time.Duration(rand.IntN(700)) * time.Millisecond) // it is in the middle of something
				kill(running[round%hosts])
				ahead += 5 * time.Minute
				running[round%hosts] = startHost(t, dir, ahead)
			}
			for _, host := range running {
				kill(host)
			}
			well()
			settle(t, dir, ahead, r, a)
		})
	}
}

// prepare makes the webhooks, and what happens.
func prepare(t *testing.T, dir, url string) {
	t.Helper()
	o := must(hostSetup(dir, 0))(t)
	o.idle = true
	closing := []func(){}
	w := must(newWorld(t.Context(), o, func(f func()) { closing = append(closing, f) }))(t)
	w.standard(t, url+"/standard")
	w.platform(t, url+"/platform")
	w.write(t, func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `CREATE TABLE test_changes (n INTEGER PRIMARY KEY AUTOINCREMENT, object INTEGER)`)
		return err
	})
	for i := range closing {
		closing[len(closing)-1-i]()
	}
}

// settle sends what is left, and checks that all has arrived.
func settle(t *testing.T, dir string, ahead time.Duration, r *receiver, a *arrivals) {
	t.Helper()
	o := must(hostSetup(dir, ahead+48*time.Hour))(t)
	w := must(newWorld(context.Background(), o, t.Cleanup))(t)
	for offset, more := 0, true; more; offset += 1000 {
		l := must(w.Dispatches(t.Context(), Filter{Offset: offset}))(t)
		for _, d := range l.Items {
			if d = w.over(t, d.ID); d.Status != Succeeded {
				t.Errorf("%+v", d)
			}
		}
		more = offset+1000 < l.Total
	}
	for len(r.got) > 0 {
		a.note(t, <-r.got)
	}
	changes := must(storage.ReadOne(t.Context(), w.db, func(ctx context.Context, q storage.Querier) (int, error) {
		return storage.Column[int](q.QueryRow(ctx, `SELECT count(*) FROM test_changes`))
	}))(t)
	if len(a.ids) != 2*changes || changes == 0 {
		t.Errorf("%d of %d have arrived", len(a.ids), 2*changes)
	}
	t.Logf("%d things have happened, %d requests have arrived", changes, a.n)
}
