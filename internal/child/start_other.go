//go:build !linux

package child

import "os"

// exit is how the first process ended. It is known when that has been reaped,
// since not every system has a look at it before.
type exit struct {
	state *os.ProcessState
	err   error
}

// awaitExit waits for the first process, and reaps it. From then on its group is
// killed by a number that another group could have, were it empty by then, and
// the number given anew within moments.
func (p *Process) awaitExit() { p.exit.state, p.exit.err = p.proc.Wait() }

func (p *Process) takeExit() (*os.ProcessState, error) { return p.exit.state, p.exit.err }

// endRest ends what the first process has left in its group. What has left the
// group is not found here.
func (p *Process) endRest() (unended int) {
	p.cut()
	return 0
}
