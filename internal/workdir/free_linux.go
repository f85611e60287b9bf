package workdir

import "syscall"

// Free returns how many bytes can still be written in a directory, and whether
// that can be told here.
func Free(dir string) (bytes uint64, known bool) {
	var fs syscall.Statfs_t
	if syscall.Statfs(dir, &fs) != nil {
		return 0, false
	}
	return fs.Bavail * uint64(fs.Bsize), true
}
