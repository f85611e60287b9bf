package child

import (
	"errors"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// limitFiles limits how large a file of the process may become, and of all that it
// starts: it has been there for a moment. One that has limited itself is left alone.
func (p *Process) limitFiles(proc *os.Process) error {
	size := uint64(p.spec.Limits.FileSize)
	if size == 0 || p.limitsItself() {
		return nil
	}
	err := unix.Prlimit(proc.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: size, Max: size}, nil)
	if errors.Is(err, unix.ESRCH) { // it has ended
		return nil
	}
	return err
}

// limitsItself reports whether a shell has to limit the files of the child before it
// becomes the program: this host may not limit processes of other users.
func (p *Process) limitsItself() bool {
	return p.spec.Limits.FileSize > 0 && p.spec.User != nil && !mayLimitOthers()
}

var mayLimitOthers = sync.OnceValue(func() bool {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	return unix.Capget(&head, &data[0]) == nil && data[0].Effective&(1<<unix.CAP_SYS_RESOURCE) != 0
})

// startedAs is what is started, and its arguments with its name.
func (p *Process) startedAs() (program string, argv []string) {
	program, argv = p.command()
	if !p.limitsItself() {
		return program, argv
	}
	blocks := max(p.spec.Limits.FileSize/512, 1)
	return shell, append([]string{shell, "-c", `ulimit -f "$0" && exec "$@"`, strconv.FormatInt(blocks, 10), program}, argv[1:]...)
}

const shell = "/bin/sh"

// startProcess starts the program, from the starter's thread: in a process group
// of its own, so that a Ctrl-C in a terminal is for the host alone, in its control
// group, and bound to the host's life.
func (p *Process) startProcess(attr *os.ProcAttr) (*os.Process, error) {
	attr.Sys = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if u := p.spec.User; u != nil {
		attr.Sys.Credential = &syscall.Credential{Uid: u.UID, Gid: u.GID, Groups: u.Groups}
		if mayUnshare() {
			attr.Sys.Cloneflags = syscall.CLONE_NEWIPC
		}
	}
	program, argv := p.startedAs()
	dir, err := p.group.open()
	if dir == nil || err != nil {
		return os.StartProcess(program, argv, attr)
	}
	defer dir.Close()
	attr.Sys.UseCgroupFD, attr.Sys.CgroupFD = true, int(dir.Fd())
	proc, err := os.StartProcess(program, argv, attr)
	if err == nil || errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOEXEC) {
		return proc, err
	}
	// Old kernels, and filters of system calls, have no start in a group.
	attr.Sys.UseCgroupFD = false
	proc, again := os.StartProcess(program, argv, attr)
	if again != nil {
		return nil, again
	}
	p.m.opts.Logger.Warn("child: processes cannot be started in a control group here", "error", err)
	p.group, err = nil, p.group.remove()
	if err != nil {
		p.m.opts.Logger.Warn("child: a control group cannot be removed", "error", err)
	}
	return proc, nil
}

// mayUnshare reports whether this host may start processes with a place of their own
// for shared memory, queues and semaphores. A thread that tries it has one of its own
// from then on, so it dies.
var mayUnshare = sync.OnceValue(func() bool {
	err := make(chan error)
	go func() {
		runtime.LockOSThread()
		err <- unix.Unshare(unix.CLONE_NEWIPC)
	}()
	return <-err == nil
})

// awaitExit waits for the end of the first process and leaves it unreaped: until
// then its number, which is that of its group, is nobody else's. What it returns
// reaps it.
func (p *Process) awaitExit() (reap func() (*os.ProcessState, error), how exit) {
	for {
		err := unix.Waitid(unix.P_PID, p.proc.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return p.proc.Wait, readExit(p.proc.Pid) // ECHILD: the host lets the system reap its children
		}
	}
}

// endRest ends what the first process has left, and returns how many could not
// be ended.
func (p *Process) endRest() (unended int) {
	p.cut()
	if p.group != nil && p.removeGroup() && !p.m.family.left(p.dir) {
		return 0 // all that there was has been in the group
	}
	_, unended = p.m.family.end(p.m.opts.Clock, func(owner string) bool { return owner == p.dir }, p.m.roots)
	p.removeGroup()
	return unended
}

// removeGroup reports whether the control group has been removed, with all that was
// in it.
func (p *Process) removeGroup() bool {
	err := p.group.remove()
	if err != nil {
		p.m.opts.Logger.Warn("child: a control group cannot be removed", "child", p.id, "error", err)
	}
	return err == nil
}

// roots are what the children are known by, beside their markers.
func (m *Manager) roots() roots {
	r := m.firsts.roots()
	m.mu.Lock()
	defer m.mu.Unlock()
	for uid, p := range m.users {
		r.users[uid] = p.dir
	}
	return r
}
