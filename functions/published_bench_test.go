//go:build linux

package functions

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/internal/testlevel"
)

// BenchmarkProgramWarm is an invocation that a warm process handles, from invoke to
// COMPLETED: all of it but the function's own time, which is none.
func BenchmarkProgramWarm(b *testing.B) {
	w := publishing(b, setup{})
	w.program(b, one)
	w.do(b, "one", Invoke{})
	var took []time.Duration
	for b.Loop() {
		took = append(took, timed(func() { w.do(b, "one", Invoke{}) }))
	}
	b.ReportMetric(median(took), "p50-ms")
}

// BenchmarkProgramCold is one for which a process is started, in turns with a bare
// start of Node.js.
func BenchmarkProgramCold(b *testing.B) {
	w := publishing(b, setup{})
	made, err := BuiltBy(w.program(b, one))
	if err != nil {
		b.Fatal(err)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		b.Fatal(err)
	}
	var bare, cold []time.Duration
	for b.Loop() {
		bare = append(bare, timed(func() { err = exec.Command(node, "-e", "0").Run() }))
		if err != nil {
			b.Fatal(err)
		}
		w.programs.pool.Drop(made[0].Version.ID)
		cold = append(cold, timed(func() { w.do(b, "one", Invoke{}) }))
	}
	b.ReportMetric(median(bare), "node-p50-ms")
	b.ReportMetric(median(cold), "cold-p50-ms")
}

func timed(do func()) time.Duration {
	from := time.Now()
	do()
	return time.Since(from)
}

func median(all []time.Duration) (ms float64) {
	slices.Sort(all)
	return float64(all[len(all)/2].Microseconds()) / 1000
}

// BenchmarkBuildWithSharedDependencies is a build whose lock file was installed
// before, from publish to COMPLETED.
func BenchmarkBuildWithSharedDependencies(b *testing.B) {
	w := publishing(b, setup{})
	files := map[string]string{
		"index.ts": `import { define } from "./runtime.mjs"; ` + one, "runtime.mjs": runtimeFile(b),
		"package.json": `{"name":"p","version":"1.0.0"}`, "package-lock.json": lock,
	}
	w.build(b, files)
	for b.Loop() {
		if made := w.build(b, files); made.Status != builds.Succeeded {
			b.Fatal(made.Cause)
		}
	}
}

// BenchmarkAHundredInvocationsASecond invokes a trivial Go function a hundred times a
// second, for a minute with -benchtime 6000x.
func BenchmarkAHundredInvocationsASecond(b *testing.B) {
	w := start(b, setup{functions: []Definition{Func("nothing", nothing, FuncOptions{})}})
	const every = 10 * time.Millisecond
	took := make(chan time.Duration, b.N)
	b.ResetTimer()
	began := time.Now()
	for i := range b.N {
		<-time.After(time.Until(began.Add(time.Duration(i) * every)))
		go func() {
			at := time.Now()
			w.do(b, "nothing", Invoke{})
			took <- time.Since(at)
		}()
	}
	var worst, all time.Duration
	for range b.N {
		d := <-took
		worst, all = max(worst, d), all+d
	}
	b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "invocations/s")
	b.ReportMetric(float64(all.Milliseconds())/float64(b.N), "mean-ms")
	b.ReportMetric(float64(worst.Milliseconds()), "worst-ms")
}

// After a thousand invocations of a program there are as many processes and files
// as after a hundred, and about as much memory.
func TestAThousandInvocationsLeaveNothing(t *testing.T) {
	testlevel.Long(t, "a thousand invocations")
	w := publishing(t, setup{})
	w.program(t, one)
	rounds := func(n int) usage {
		for range n {
			if inv := w.do(t, "one", Invoke{}); inv.Status != Completed {
				t.Fatal(inv.Cause)
			}
		}
		return w.usage(t)
	}
	before, after := rounds(100), rounds(900)
	t.Logf("%+v, then %+v", before, after)
	if after.files != before.files || after.descriptors > before.descriptors+3 || after.processes != before.processes || after.memory > before.memory+64<<20 {
		t.Errorf("%+v, then %+v", before, after)
	}
}

// usage is what a service takes.
type usage struct {
	processes, files, descriptors int
	memory                        int64
}

func (w *working) usage(t *testing.T) (u usage) {
	t.Helper()
	err := filepath.WalkDir(w.programs.dir, func(string, os.DirEntry, error) error {
		u.files++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	status, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var pages, resident int64
	if _, err := fmt.Sscan(string(status), &pages, &resident); err != nil {
		t.Fatal(err)
	}
	u.descriptors, u.memory = len(open), resident*int64(os.Getpagesize())
	u.processes = w.programs.pool.Processes()
	return u
}
