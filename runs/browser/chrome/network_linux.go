package chrome

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// awaitPID waits for the end of a process that names itself on its command
// line, or until the channel is closed. It is not sure where the system does not
// let it wait, or where the process is another: the browser may be in a
// container of its own, with its own numbers.
func awaitPID(pid int, name string, stop <-chan struct{}) (gone, sure bool) {
	fd, err := unix.PidfdOpen(pid, unix.PIDFD_NONBLOCK)
	if err != nil {
		return false, false
	}
	f := os.NewFile(uintptr(fd), "pidfd")
	defer f.Close()
	cmdline, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
	if err != nil || !bytes.Contains(cmdline, []byte(name)) {
		return false, false
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-stop:
			f.SetReadDeadline(time.Unix(0, 1)) // ends the wait
		case <-ended:
		}
	}()
	err = readable(f)
	return err == nil, err == nil || errors.Is(err, os.ErrDeadlineExceeded)
}

// readable waits until a file can be read from: that of a process, when the
// process has ended.
func readable(f *os.File) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	return conn.Read(func(fd uintptr) bool {
		n, _ := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
		return n > 0
	})
}
