//go:build unix

package seal

import "io/fs"

// othersMay reports whether others than the owner may do anything with a file.
func othersMay(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }
