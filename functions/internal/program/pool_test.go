//go:build unix

package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover/functions/internal/runtime"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/testlevel"
)

// newPool returns a pool for the functions of testdata/program.mjs.
func newPool(t *testing.T, change ...func(*Config)) *Pool {
	t.Helper()
	testlevel.External()
	node, err := exec.LookPath("node")
	if err != nil {
		testlevel.Missing(t, "NODE: %v", err)
	}
	children, err := child.Open(child.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	memory, err := admission.New(admission.Options{Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	endpoint := runtime.New(runtime.Options{})
	c := Config{Children: children, Memory: memory, Endpoint: endpoint, Node: node}
	for _, f := range change {
		f(&c)
	}
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Close()
		endpoint.Close()
		if err := children.Close(); err != nil {
			t.Error(err)
		}
		if used := memory.State().Used; used != 0 {
			t.Errorf("%d bytes are still granted", used)
		}
	})
	return p
}

func version(t *testing.T, id string) Version {
	t.Helper()
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	return Version{ID: id, Dir: dir, Entrypoint: "program.mjs"}
}

// lines collects what an invocation logs.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) log(line child.Line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, line.Text)
}

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.all, "\n")
}

func invocation(function, params string) runtime.Invocation {
	return runtime.Invocation{Function: function, Params: json.RawMessage(params), Context: func(string) (json.RawMessage, error) { return json.RawMessage(`{}`), nil }}
}

func do(t *testing.T, p *Pool, v Version, function, params string) (runtime.Outcome, error) {
	t.Helper()
	return p.Do(t.Context(), v, invocation(function, params), func(child.Line) {})
}

func pid(t *testing.T, p *Pool, v Version) string {
	t.Helper()
	out, err := do(t, p, v, "pid", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	return string(out.Result)
}

func TestAProcessIsUsedAgain(t *testing.T) {
	t.Parallel()
	p := newPool(t)
	first := pid(t, p, version(t, "a"))
	if again := pid(t, p, version(t, "a")); again != first {
		t.Errorf("%s, then %s", first, again)
	}
	if other := pid(t, p, version(t, "b")); other == first {
		t.Error("a process serves another version")
	}
}

func TestLinesBelongToTheInvocation(t *testing.T) {
	t.Parallel()
	p := newPool(t)
	for round := range 5 {
		var got lines
		if _, err := p.Do(t.Context(), version(t, "a"), invocation("prints", `{"lines":100}`), got.log); err != nil {
			t.Fatal(err)
		}
		var numbers []int
		for _, line := range got.all {
			n, err := strconv.Atoi(strings.TrimPrefix(line, "line "))
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, n)
		}
		if slices.Sort(numbers); len(numbers) != 100 || numbers[0] != 0 || numbers[99] != 99 {
			t.Errorf("round %d: %d lines", round, len(numbers))
		}
	}
}

func TestAFunctionThatFailsCostsItsProcess(t *testing.T) {
	t.Parallel()
	p := newPool(t)
	first := pid(t, p, version(t, "a"))
	out, err := do(t, p, version(t, "a"), "fails", `{}`)
	if err != nil || out.Failure == nil || *out.Failure != (runtime.Failure{Type: "RangeError", Message: "out of luck"}) {
		t.Errorf("%+v %v", out, err)
	}
	if pid(t, p, version(t, "a")) == first {
		t.Error("its process is used again")
	}
}

func TestAProcessThatExits(t *testing.T) {
	t.Parallel()
	p := newPool(t)
	for _, code := range []int{0, 3} {
		_, err := do(t, p, version(t, "a"), "exits", fmt.Sprintf(`{"code":%d}`, code))
		var end child.End
		if !errors.As(err, &end) || end.Cause != child.Exited || end.Code != code {
			t.Errorf("%v", err)
		}
	}
}

// What a warm process does when nobody looks is no failure of the next invocation.
func TestAProcessThatEndsWhileItIsIdleIsReplaced(t *testing.T) {
	t.Parallel()
	p := newPool(t)
	out, err := do(t, p, version(t, "a"), "exitsLater", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	one := p.idle[0]
	p.mu.Unlock()
	<-one.child.Exited()
	if pid(t, p, version(t, "a")) == string(out.Result) {
		t.Error("it is used again")
	}
}

func TestWhatIsBrokenOffIsKilledWhole(t *testing.T) {
	t.Parallel()
	for _, function := range []string{"hangs", "spins", "forks"} {
		t.Run(function, func(t *testing.T) {
			t.Parallel()
			p := newPool(t)
			pid(t, p, version(t, "a")) // it is warm
			ctx, cancel := context.WithCancelCause(t.Context())
			cause := errors.New("no more time")
			var got lines
			forked := make(chan int, 1)
			time.AfterFunc(2*time.Second, func() { cancel(cause) })
			_, err := p.Do(ctx, version(t, "a"), invocation(function, `{}`), func(l child.Line) {
				got.log(l)
				if n, ok := strings.CutPrefix(l.Text, "forked "); ok {
					number, _ := strconv.Atoi(n)
					forked <- number
				}
			})
			if !errors.Is(err, cause) {
				t.Errorf("%v; it printed %s", err, got.text())
			}
			if function == "forks" {
				if forked := <-forked; runs(forked) {
					t.Errorf("process %d, which it forked, runs on", forked)
				}
			}
		})
	}
}

// A process that has others is not used again, and they end; one whose others have
// ended is.
func TestWhatAnInvocationLeavesRunningEnds(t *testing.T) {
	t.Parallel()
	t.Run("in a control group", func(t *testing.T) {
		t.Parallel()
		leaveRunning(t, newPool(t))
	})
	t.Run("without", func(t *testing.T) {
		t.Parallel()
		leaveRunning(t, newPool(t, func(c *Config) {
			children, err := child.Open(child.Options{TempDir: t.TempDir(), Cgroup: "off"})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { children.Close() })
			c.Children = children
		}))
	})
}

func leaveRunning(t *testing.T, p *Pool) {
	t.Helper()
	first := pid(t, p, version(t, "a"))
	if out, err := do(t, p, version(t, "a"), "runs", `{"command":"sleep 0.01"}`); err != nil || string(out.Result) != first {
		t.Errorf("%s %v", out.Result, err)
	}
	var got lines
	out, err := p.Do(t.Context(), version(t, "a"), invocation("leaves", `{}`), got.log)
	if err != nil || string(out.Result) != first || !strings.Contains(got.text(), "left processes running") {
		t.Errorf("%s %v %s", out.Result, err, got.text())
	}
	for until := time.Now().Add(time.Minute); p.Processes() != 0; goruntime.Gosched() {
		if time.Now().After(until) {
			t.Fatalf("%d processes", p.Processes())
		}
	}
	second := pid(t, p, version(t, "a"))
	if second == first {
		t.Error("it is used again")
	}
	if out, err := do(t, p, version(t, "a"), "leaves", `{"signal":"SIGUSR2"}`); err != nil || string(out.Result) != second {
		t.Errorf("%s %v", out.Result, err)
	}
	p.mu.Lock()
	one := p.idle[0]
	p.mu.Unlock()
	if err := one.child.Signal(syscall.SIGUSR2); err != nil {
		t.Error(err)
	}
	for until := time.Now().Add(time.Minute); !one.left() && time.Now().Before(until); {
		goruntime.Gosched()
	}
	if pid(t, p, version(t, "a")) == second {
		t.Error("it is used again, though it has started another since")
	}
}

// A sandbox in front is no process of an invocation's.
func TestAProcessBehindAnotherIsUsedAgain(t *testing.T) {
	t.Parallel()
	p := newPool(t, func(c *Config) { c.Wrapper = []string{"/bin/sh", "-c", `"$@"; exit $?`, "sandbox"} })
	first := pid(t, p, version(t, "a"))
	if again := pid(t, p, version(t, "a")); again != first {
		t.Errorf("%s, then %s", first, again)
	}
}

// runs reports whether a process runs; one that only waits to be reaped does not.
func runs(pid int) bool {
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(string(state), "Z")
}

func TestAProcessSeesNothingOfTheHost(t *testing.T) {
	t.Setenv("DROVER_TEST_SECRET", "x")
	p := newPool(t)
	out, err := do(t, p, version(t, "a"), "env", `{}`)
	if err != nil || strings.Contains(string(out.Result), "SECRET") {
		t.Errorf("%s %v", out.Result, err)
	}
}

func TestOthersMakeRoom(t *testing.T) {
	t.Parallel()
	p := newPool(t, func(c *Config) { c.Max = 2 })
	a := pid(t, p, version(t, "a"))
	b := pid(t, p, version(t, "b"))
	c := pid(t, p, version(t, "c")) // in place of a's, which was used least recently
	if again := pid(t, p, version(t, "b")); again != b {
		t.Errorf("b's process has gone")
	}
	if again := pid(t, p, version(t, "a")); again == a || again == c {
		t.Errorf("a's process is still there")
	}
	if len(p.all) > 2 {
		t.Errorf("%d processes", len(p.all))
	}
}

// Whoever waits has one process ended, however often it looks.
func TestOneProcessMakesRoomForEach(t *testing.T) {
	t.Parallel()
	p := newPool(t, func(c *Config) { c.Max = 3 })
	for _, id := range []string{"a", "b", "c"} {
		pid(t, p, version(t, id))
	}
	for range 5 {
		one, _, err := p.find(version(t, "d"))
		if err != nil {
			t.Fatal(err)
		}
		if one != nil { // the first has gone already
			p.gone(one)
			break
		}
		p.waited()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) != 2 {
		t.Errorf("%d processes are left", len(p.idle))
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	p := newPool(t, func(c *Config) { c.Max = 3 })
	var all sync.WaitGroup
	for i := range 30 {
		all.Go(func() {
			if _, err := do(t, p, version(t, fmt.Sprint(i%4)), "prints", `{"lines":3}`); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestIdleProcessesEnd(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Unix(0, 0))
	p := newPool(t, func(conf *Config) { conf.Clock, conf.Idle = c, time.Minute })
	pid(t, p, version(t, "a"))
	p.mu.Lock()
	one := p.idle[0]
	p.mu.Unlock()
	c.Advance(time.Minute)
	<-one.child.Done()
}

func TestMemoryHasALimit(t *testing.T) {
	t.Parallel()
	p := newPool(t, func(c *Config) { c.Limits.Memory = 16 << 20 }) // less than an empty Node.js takes
	_, err := do(t, p, version(t, "a"), "hangs", `{}`)
	var end child.End
	if !errors.As(err, &end) || end.Cause != child.MemoryLimit {
		t.Errorf("%v", err)
	}
}

func TestAfterClose(t *testing.T) {
	t.Parallel()
	p := newPool(t)
	pid(t, p, version(t, "a"))
	p.Close()
	if _, err := do(t, p, version(t, "a"), "pid", `{}`); !errors.Is(err, errClosed) {
		t.Errorf("%v", err)
	}
}

// What a process could not write at once, because its pipe was full, still belongs
// to the invocation that printed it.
func TestLinesThatComeLateBelongToTheInvocation(t *testing.T) {
	t.Parallel()
	p := newPool(t)
	for round := range 4 {
		var got lines
		if _, err := p.Do(t.Context(), version(t, "a"), invocation("prints", `{"lines":200000}`), got.log); err != nil {
			t.Fatal(err)
		}
		count := 0
		for _, line := range got.all {
			var bytes, dropped int
			if n, _ := fmt.Sscanf(line, "%d bytes of output were dropped, %d whole", &bytes, &dropped); n == 2 {
				count += dropped
			} else {
				count++
			}
		}
		if count != 200_000 {
			t.Errorf("round %d: %d lines", round, count)
		}
	}
}
