package publish

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// key names a set of dependencies, which is what the same installer installs of the
// same files on such a machine. It is of one project alone, unless the lock file says
// of each package what it has to be: the places that packages come from can give one
// who asks something else than another.
func (p *Publisher) key(how installer, files map[string][]byte, project string) string {
	if fixed(how) {
		project = ""
	}
	sum := sha256.New()
	note := func(part string) { fmt.Fprintf(sum, "%d:%s", len(part), part) }
	for _, part := range append([]string{runtime.GOOS, runtime.GOARCH, identity(p.conf.Node), version(how.program), project}, how.args...) {
		note(part)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		note(name)
		note(string(files[name]))
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// identity tells a program from another version of it in the same place, without
// starting it.
func identity(program string) string {
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	info, err := os.Stat(program)
	if err != nil {
		return program
	}
	return strings.Join([]string{program, strconv.FormatInt(info.Size(), 10), strconv.FormatInt(info.ModTime().UnixNano(), 10)}, "\n")
}

// version is that of an installer, which is a program of a package for Node.js.
func version(program string) string {
	var m struct{ Name, Version string }
	text, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(program)), manifestOf))
	if err != nil || json.Unmarshal(text, &m) != nil || m.Version == "" {
		return identity(program)
	}
	return m.Name + "@" + m.Version
}
