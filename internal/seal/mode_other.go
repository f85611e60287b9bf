//go:build !unix

package seal

import "io/fs"

// othersMay is for the folder's access rights to say where modes tell nothing.
func othersMay(fs.FileInfo) bool { return false }
