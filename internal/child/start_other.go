//go:build !linux

package child

import "os"

// awaitExit waits for the first process, and reaps it, since not every system has
// a look at it before. From then on its group is killed by a number that another
// group could have, were it empty by then, and the number given anew within
// moments.
func (p *Process) awaitExit() (reap func() (*os.ProcessState, error), how exit) {
	state, err := p.proc.Wait()
	return func() (*os.ProcessState, error) { return state, err }, exitOf(state)
}

// endRest ends what the first process has left in its group. What has left the
// group is not found here.
func (p *Process) endRest() (unended int) {
	p.cut()
	return 0
}

// limitFiles limits nothing: no system but Linux has limits for processes that run.
func (p *Process) limitFiles(*os.Process) error { return nil }
