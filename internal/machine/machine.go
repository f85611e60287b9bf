// Package machine reads what the machine, and the control groups that this
// process is in, let it have. It is the one reader of these limits.
package machine

import "math"

// Unlimited is room without end.
const Unlimited int64 = math.MaxInt64

// Memory returns how many bytes of memory this process and its children can
// have at most: what the machine has, or the least limit of its control groups.
// It is [Unlimited] where the system does not say.
func Memory() int64 { return min(physicalMemory(), groupLimit()) }

// GroupRoom returns how many bytes the control groups of this process let it
// take beyond what it has taken: files in memory count for them, and who takes
// more is killed. It is [Unlimited] where there is no limit.
func GroupRoom() int64 { return groupRoom() }

// Group returns the directory of the control group (version 2) that this
// process is in, and whether there is one and it can be seen.
func Group() (dir string, ok bool) { return ownGroup() }
