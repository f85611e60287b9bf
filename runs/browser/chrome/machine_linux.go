package chrome

import (
	"golang.org/x/sys/unix"

	"github.com/drover-go/drover/internal/workdir"
)

// machineMemory is how much memory there is for this process and its children,
// as far as the machine and their control groups say; 0 if they do not.
func machineMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return min(int64(info.Totalram)*int64(info.Unit)/4*3, workdir.RoomInGroup())
}
