package suite

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/drover-go/drover/runs/internal/outline"
)

// find returns the reference of the element that a text names; empty if there is
// none. The form is "role name", where the name may have * for any text, "#2" behind
// it means the second one, "row {Kettle}" a row that has that text in it, and
// "row {Kettle} > button Edit" what stands below another line. An element of which
// there are several has to be counted.
func find(lines []outline.Line, text string) (string, error) {
	below := -1
	parts := strings.Split(text, " > ")
	for i, part := range parts {
		found := among(lines, below, part)
		_, _, n := nameOf(part)
		switch {
		case len(found) < max(n, 1):
			return "", nil
		case len(found) > 1 && n == 0:
			return "", fmt.Errorf("there are %d of %q", len(found), part)
		}
		below = found[max(n, 1)-1]
		if i == len(parts)-1 {
			return string(lines[below].Ref), nil
		}
	}
	return "", nil
}

// among are the lines that a part of a name fits: those below the line with that
// index, and of the last part only those with a reference.
func among(lines []outline.Line, below int, part string) (found []int) {
	role, name, _ := nameOf(part)
	for i := below + 1; i < len(lines); i++ {
		if below >= 0 && lines[i].Depth <= lines[below].Depth {
			break
		}
		if inner, ok := braced(name); ok && lines[i].Role == role && holds(lines, i, inner) || !ok && fits(lines[i], role, name) {
			found = append(found, i)
		}
	}
	return found
}

// braced takes a text out of its braces.
func braced(name string) (string, bool) {
	inner, ok := strings.CutPrefix(name, "{")
	return strings.TrimSuffix(inner, "}"), ok && strings.HasSuffix(inner, "}")
}

// holds reports whether a line below that with the index has the name.
func holds(lines []outline.Line, i int, name string) bool {
	for j := i + 1; j < len(lines) && lines[j].Depth > lines[i].Depth; j++ {
		if fits(lines[j], lines[j].Role, name) {
			return true
		}
	}
	return false
}

func fits(l outline.Line, role, name string) bool {
	if role != "*" && l.Role != role {
		return false
	}
	if !strings.Contains(name, "*") {
		return l.Name == name
	}
	ok, err := path.Match(strings.ReplaceAll(name, "/", "\x00"), strings.ReplaceAll(l.Name, "/", "\x00"))
	return ok && err == nil
}

// nameOf takes "button Save #2" apart. The number is 0 where none is said.
func nameOf(part string) (role, name string, n int) {
	role, name, _ = strings.Cut(strings.TrimSpace(part), " ")
	if i := strings.LastIndex(name, "#"); i >= 0 && (i == 0 || name[i-1] == ' ') {
		if k, err := strconv.Atoi(name[i+1:]); err == nil && k > 0 {
			name, n = strings.TrimSpace(name[:i]), k
		}
	}
	return role, name, n
}

// lastName is the name of the element that a text means in the end.
func lastName(text string) string {
	parts := strings.Split(text, " > ")
	_, name, _ := nameOf(parts[len(parts)-1])
	return name
}
