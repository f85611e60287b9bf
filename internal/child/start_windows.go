package child

import (
	"os"
	"syscall"
)

// startProcess starts the program. A job object would end what it starts, too;
// there is none yet, so only the first process is ended here.
func (p *Process) startProcess(attr *os.ProcAttr) (*os.Process, error) {
	program, argv := p.command()
	return os.StartProcess(program, argv, attr)
}

func killGroup(p *os.Process) {
	_ = p.Kill() // it fails when the process has ended
}

func signalOf(*os.ProcessState) syscall.Signal { return 0 }
