package extensions

import (
	"archive/zip"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/filename"
)

// names are the files and directories of an archive, as a disk that does not
// tell upper from lower case would see them.
type names struct {
	limits Limits
	seen   map[string]name
}

type name struct {
	as    string // as it is written
	isDir bool
	entry bool // it has an entry of its own
}

func newNames(l Limits) *names { return &names{l, map[string]name{}} }

// add takes an entry in, or says why not. Error kind Invalid.
func (n *names) add(f *zip.File) error {
	if err := n.check(f); err != nil {
		return err
	}
	at := strings.TrimSuffix(f.Name, "/")
	if err := n.enter(name{at, f.Mode().IsDir(), true}); err != nil {
		return err
	}
	for dir := path.Dir(at); dir != "."; dir = path.Dir(dir) {
		known := len(n.seen)
		if err := n.enter(name{dir, true, false}); err != nil {
			return err
		}
		if len(n.seen) == known { // and so are those above it
			return nil
		}
	}
	return nil
}

// enter wants every name to be there once, in one case, and as one thing.
// Directories count that have no entry of their own: they are made all the same.
func (n *names) enter(e name) error {
	key := strings.ToLower(strings.ToUpper(e.as))
	there, known := n.seen[key]
	switch {
	case !known && len(n.seen) >= n.limits.MaxFiles:
		return invalid("has more than %d files and directories", n.limits.MaxFiles)
	case !known:
		n.seen[key] = e
	case there.as != e.as:
		return invalid("holds %s and %s, which differ only in the case of their letters", quoted(there.as), quoted(e.as))
	case there.isDir != e.isDir:
		return invalid("holds %s as a file and as a directory", quoted(e.as))
	case there.entry && e.entry:
		return invalid("holds %s twice", quoted(e.as))
	case e.entry:
		n.seen[key] = e
	}
	return nil
}

// has reports whether a file of that name is there.
func (n *names) has(file string) bool {
	e, known := n.seen[strings.ToLower(strings.ToUpper(file))]
	return known && e.as == file && !e.isDir
}

func (n *names) check(f *zip.File) error {
	switch mode := f.Mode(); {
	case f.Flags&1 != 0:
		return invalid("is encrypted: %s needs a password", quoted(f.Name))
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return invalid("is compressed in a way that browsers do not know: %s", quoted(f.Name))
	case !mode.IsDir() && !mode.IsRegular():
		return invalid("holds %s, which is a link or a device; only files and directories may be there", quoted(f.Name))
	case mode.IsDir() != strings.HasSuffix(f.Name, "/"):
		return invalid("holds %s as a file and as a directory", quoted(f.Name))
	}
	return n.checkPath(f.Name)
}

func (n *names) checkPath(at string) error {
	switch {
	case !utf8.ValidString(at):
		return invalid("holds %s, whose name is not UTF-8", quoted(at))
	case strings.Contains(at, `\`):
		return invalid("holds %s, with a backslash in its path; paths are written with /", quoted(at))
	case strings.HasPrefix(at, "/"):
		return invalid("holds %s, whose path is absolute", quoted(at))
	case len(at) > n.limits.MaxPath:
		return invalid("holds a path of %d bytes; there may be %d", len(at), n.limits.MaxPath)
	case strings.Count(at, "/") > n.limits.MaxDepth:
		return invalid("holds %s, which lies %d directories deep; there may be %d", quoted(at), strings.Count(at, "/"), n.limits.MaxDepth)
	}
	for i, part := range strings.Split(strings.TrimSuffix(at, "/"), "/") {
		if part == ".." {
			return invalid("holds %s, which leads out of it", quoted(at))
		}
		if !plain(part) {
			return invalid("holds %s, which is not a name for a file on every system", quoted(at))
		}
		if i == 0 && reserved(part) {
			return invalid("holds %s: names at the root that begin with _ are the browser's own", quoted(at))
		}
	}
	return nil
}

// plain reports whether a part of a path can be a name on any system. Unlike a
// download's, it may begin with dots.
func plain(part string) bool {
	if len(part) > filename.MaxLen {
		return false
	}
	rest := strings.TrimLeft(part, ".")
	return rest != "" && filename.Clean(rest) == rest
}

// reserved reports whether the browser refuses the name at the root of an
// extension.
func reserved(part string) bool {
	switch part {
	case "_locales", "_platform_specific", "_metadata", "__MACOSX":
		return false
	}
	return strings.HasPrefix(part, "_")
}

// ignored reports whether a file is left out: what the shop for extensions and
// a system's archiver add is not the extension's.
func ignored(at string) bool {
	return strings.HasPrefix(at, "_metadata/") || strings.HasPrefix(at, "__MACOSX/")
}

// maxQuoted is how much of a name stands in an error, in characters.
const maxQuoted = 80

// quoted is a name from an archive for an error.
func quoted(s string) string {
	if r := []rune(s); len(r) > maxQuoted {
		s = string(r[:maxQuoted]) + "…"
	}
	return strconv.Quote(s)
}
