package child

import (
	"os"
	"slices"
	"strings"
)

// markerName is the variable by which what a child starts is known. Its value is
// the child's directory; a host that is itself a child puts its own marker before
// it, with a separator between them.
const (
	markerName      = "DROVER_CHILD"
	markerSeparator = string(os.PathListSeparator)
)

// Inherit returns those variables of the host's environment that are named, for
// [Spec].Env. A name that ends in "*" stands for all that begin so. Name nothing
// that is a secret: the child's user can read it.
func Inherit(names ...string) (env []string) {
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if name != markerName && slices.ContainsFunc(names, func(want string) bool { return namesVariable(want, name) }) {
			env = append(env, entry)
		}
	}
	return env
}

func namesVariable(want, name string) bool {
	if prefix, ok := strings.CutSuffix(want, "*"); ok {
		return strings.HasPrefix(name, prefix)
	}
	return want == name
}

// environment is all that a child gets.
func environment(env []string, dir string) []string {
	env = slices.Clone(env)
	for _, name := range []string{"HOME", "TMPDIR", "TEMP", "TMP"} {
		if !slices.ContainsFunc(env, func(e string) bool { return strings.HasPrefix(e, name+"=") }) {
			env = append(env, name+"="+dir)
		}
	}
	marker := dir
	if outer := os.Getenv(markerName); outer != "" {
		marker = outer + markerSeparator + dir
	}
	return append(env, markerName+"="+marker)
}
