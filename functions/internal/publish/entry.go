package publish

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// extensions are those of files that can be an entry point.
var extensions = []string{".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"}

// Entry reads the path of an entry point as its publisher has written it: relative
// to the root of the archive, or absolute on the publisher's own machine. It returns
// the path, slash-separated; an absolute one keeps its slash, see [find]. Error
// kind Invalid for one that leaves the archive or that cannot be run.
func Entry(typed string) (string, error) {
	const field = "entrypoint"
	name := strings.ReplaceAll(strings.TrimSpace(typed), `\`, "/")
	if len(name) > 1 && name[1] == ':' { // a drive
		name = "/" + strings.TrimPrefix(name[2:], "/")
	}
	switch {
	case name == "" || strings.ContainsRune(name, 0):
		return "", errtypes.Field(field, "is required")
	case len(name) > 1000:
		return "", errtypes.Field(field, "must be at most 1000 bytes")
	}
	name = path.Clean(name)
	if name == ".." || strings.HasPrefix(name, "../") {
		return "", errtypes.Field(field, "must be a file of the archive, and %q leaves it", typed)
	}
	if !slices.Contains(extensions, path.Ext(name)) {
		return "", errtypes.Field(field, "must be a file of TypeScript or JavaScript: %s", strings.Join(extensions, ", "))
	}
	return name, nil
}

// find returns the entry point in the archive. Of an absolute path, which is one of
// the publisher's machine, it is the longest end that is a file here.
func find(root fs.FS, entry string) (string, bool) {
	name, absolute := strings.CutPrefix(entry, "/")
	for {
		if info, err := fs.Stat(root, name); err == nil && info.Mode().IsRegular() {
			return name, true
		}
		_, rest, more := strings.Cut(name, "/")
		if !absolute || !more {
			return "", false
		}
		name = rest
	}
}
