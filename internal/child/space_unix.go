//go:build unix

package child

import (
	"io/fs"
	"syscall"
)

// space is what a file takes of its disk, which file it is, and whether it has several
// names.
func space(info fs.FileInfo) (bytes int64, file any, several bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return info.Size(), nil, false
	}
	return int64(s.Blocks) * 512, [2]uint64{uint64(s.Dev), uint64(s.Ino)}, !info.IsDir() && s.Nlink > 1
}
