//go:build !linux

package child

// PIDs returns the number of the first process: no other is known here.
func (p *Process) PIDs() []int { return []int{p.PID()} }
