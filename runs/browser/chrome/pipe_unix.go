//go:build unix

package chrome

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/chromedp/chromedp"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// startPiped starts a browser with a pipe on its file descriptors 3 and 4. No
// other process gets an end of the pipe, so when this process dies, however
// that happens, the browser reads the end of its pipe and leaves.
//
// The browser gets a process group of its own: a Ctrl-C in a terminal is then
// for the host alone, which closes its browsers in order.
func startPiped(cmd *exec.Cmd) (_ chromedp.Transport, err error) {
	browserR, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	r, browserW, err := os.Pipe()
	if err != nil {
		browserR.Close()
		w.Close()
		return nil, err
	}
	cmd.ExtraFiles = []*os.File{browserR, browserW}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = cmd.Start()
	browserR.Close()
	browserW.Close()
	if err != nil {
		r.Close()
		w.Close()
		return nil, err
	}
	return mux.NewPipe(r, w), nil
}

// killGroup kills the browser and what it started in its process group.
func killGroup(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}
