//go:build unix

package functions

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
)

// hostEnv makes the test binary a host that invokes a function which never
// returns, in the data directory it names.
const hostEnv = "DROVER_FUNCTIONS_TEST_HOST"

func stuck() Definition {
	return Func("stuck", func(ctx context.Context, inv *Invocation) (any, error) {
		fmt.Println(inv.ID)
		<-ctx.Done()
		return nil, ctx.Err()
	}, FuncOptions{})
}

// hostMain is a host until it is killed.
func hostMain(dir string) error {
	w, err := openWorking(context.Background(), setup{dir: dir, functions: []Definition{stuck()}})
	if err != nil {
		return err
	}
	if _, err = w.Invoke(context.Background(), "stuck", Invoke{}); err != nil {
		return err
	}
	select {} // until it is killed
}

// An invocation whose host died is not repeated (DECISIONS 26).
func TestAHostIsKilled(t *testing.T) {
	t.Parallel()
	for range testlevel.Rounds(1, 3) {
		dir := t.TempDir()
		host := exec.Command(os.Args[0], "-test.run=^$")
		host.Env = append(os.Environ(), hostEnv+"="+dir)
		out, err := host.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := host.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		if !lines.Scan() {
			t.Fatal("the host said nothing")
		}
		id := lines.Text()
		host.Process.Kill()
		host.Wait()

		w := start(t, setup{dir: dir, functions: []Definition{stuck()}})
		inv, err := w.Wait(t.Context(), id)
		if err != nil || inv.Status != Failed || inv.Cause.Code != CauseInternal || inv.Cause.Message != "the process that executed the invocation died" {
			t.Errorf("%+v %+v %v", inv, inv.Cause, err)
		}
	}
}
