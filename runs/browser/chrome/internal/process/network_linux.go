package process

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// named reports whether a process lives that has the name on its command line,
// which is empty once it has ended.
func named(pid int, name string) bool {
	cmdline, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
	return err == nil && bytes.Contains(cmdline, []byte(name))
}

// awaitPID waits for the end of a process, or until the channel is closed; gone
// is false then. The error says that the system does not let it wait.
func awaitPID(pid int, stop <-chan struct{}) (gone bool, err error) {
	fd, err := unix.PidfdOpen(pid, unix.PIDFD_NONBLOCK)
	if errors.Is(err, unix.ESRCH) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	f := os.NewFile(uintptr(fd), "pidfd")
	defer f.Close()
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-stop:
			f.SetReadDeadline(time.Unix(0, 1)) // ends the wait
		case <-ended:
		}
	}()
	err = awaitReadable(f)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return false, nil
	}
	return err == nil, err
}

// awaitReadable waits until a file can be read from: that of a process, when
// the process has ended.
func awaitReadable(f *os.File) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	return conn.Read(func(fd uintptr) bool {
		n, _ := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
		return n > 0
	})
}
