package route

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// segment is what stands between two slashes of a pattern.
type segment struct {
	kind kind
	text string // of a literal; else the name
}

type kind int

const (
	literal kind = iota
	variable
	rest // of the path
)

var nameForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// parse panics where a pattern is malformed: patterns stand in the program.
func parse(pattern string) (all []segment) {
	path, ok := strings.CutPrefix(pattern, "/")
	if !ok {
		panic(fmt.Sprintf("route: %q does not begin with a slash", pattern))
	}
	texts := strings.Split(path, "/")
	for i, text := range texts {
		s, ok := parseSegment(text, i == len(texts)-1)
		if !ok || s.kind != literal && slices.ContainsFunc(all, func(other segment) bool { return other.kind != literal && other.text == s.text }) {
			panic(fmt.Sprintf("route: the segment %q of %q is malformed or stands twice", text, pattern))
		}
		all = append(all, s)
	}
	return all
}

func parseSegment(text string, last bool) (s segment, ok bool) {
	inner, opened := strings.CutPrefix(text, "{")
	inner, closed := strings.CutSuffix(inner, "}")
	name, manifold := strings.CutSuffix(inner, "...")
	switch {
	case text == "":
		return segment{rest, ""}, last
	case text == "{$}":
		return segment{literal, ""}, last
	case !opened && !closed:
		return segment{literal, text}, !strings.ContainsAny(text, "{}")
	case manifold:
		return segment{rest, name}, opened && closed && last && nameForm.MatchString(name)
	}
	return segment{variable, inner}, opened && closed && nameForm.MatchString(inner)
}
