//go:build unix && !linux

package child

import (
	"os"
	"syscall"
)

// startProcess starts the program in a process group of its own. Nothing here
// ends it with a host that is killed.
func (p *Process) startProcess(attr *os.ProcAttr) (*os.Process, error) {
	attr.Sys = &syscall.SysProcAttr{Setpgid: true}
	if u := p.spec.User; u != nil {
		attr.Sys.Credential = &syscall.Credential{Uid: u.UID, Gid: u.GID, Groups: u.Groups}
	}
	program, argv := p.command()
	return os.StartProcess(program, argv, attr)
}
