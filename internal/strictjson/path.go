package strictjson

import (
	"regexp"
	"strconv"
)

var plainName = regexp.MustCompile(`^[A-Za-z0-9_$-]{1,64}$`)

// maxShown is how many characters of a name that the caller made up are
// repeated in a message.
const maxShown = 64

// join appends a member's name to a path. A name that is not plain is quoted,
// so that it can be told from the path and prints.
func join(at, name string) string {
	switch {
	case plainName.MatchString(name) && at == "":
		return name
	case plainName.MatchString(name):
		return at + "." + name
	}
	if runes := []rune(name); len(runes) > maxShown {
		name = string(runes[:maxShown]) + "…"
	}
	return at + "[" + strconv.Quote(name) + "]"
}
