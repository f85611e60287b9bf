//go:build !linux

package schema

import "time"

// threadTime is the processor time that the thread has used, which only Linux
// tells.
func threadTime() (time.Duration, bool) { return 0, false }
