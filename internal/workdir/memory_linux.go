package workdir

import (
	"math"
	"os"
	"syscall"
)

// Numbers by which Linux names file systems that live in memory.
const (
	tmpfsMagic = 0x01021994
	ramfsMagic = 0x858458f6
)

// memoryPlaces are where Linux systems keep such a file system for everybody,
// and for the user.
func memoryPlaces() []string {
	return []string{"/dev/shm", os.Getenv("XDG_RUNTIME_DIR")}
}

// roomInMemory returns how many bytes a directory in memory has left; 0 for one
// that is not in memory, or that this process cannot write to.
func roomInMemory(dir string) int64 {
	const writeAndSearch = 2 | 1
	var fs syscall.Statfs_t
	if dir == "" || syscall.Statfs(dir, &fs) != nil || syscall.Access(dir, writeAndSearch) != nil {
		return 0
	}
	if magic := uint32(fs.Type); magic != tmpfsMagic && magic != ramfsMagic {
		return 0
	}
	return int64(min(fs.Bavail*uint64(fs.Bsize), math.MaxInt64))
}
