package child

import (
	"os"

	"golang.org/x/sys/unix"
)

// waiting is how many bytes can be read from a pipe at once; 0 where that cannot
// be told.
func waiting(f *os.File) (n int) {
	conn, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	_ = conn.Control(func(fd uintptr) { n, _ = unix.IoctlGetInt(int(fd), unix.TIOCINQ) })
	return n
}
