package schema

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is the processor time that the thread has used.
func threadTime() (time.Duration, bool) {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts) != nil {
		return 0, false
	}
	return time.Duration(ts.Nano()), true
}
