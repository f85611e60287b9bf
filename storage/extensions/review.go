package extensions

import (
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
)

// value is what stands at a place of the manifest; nil where nothing does.
type value struct {
	at string // such as content_scripts[0].js
	v  any
}

// review looks through a manifest and keeps the first fault that it finds.
type review struct {
	files *names
	err   error
}

// fail notes a fault of the manifest at a place.
func (r *review) fail(at, format string, args ...any) {
	if r.err == nil {
		r.err = invalid("has a manifest.json whose %s %s", at, fmt.Sprintf(format, args...))
	}
}

// field is a member of an object, which fails for what is none.
func (r *review) field(v value, key string) value {
	at := key
	if v.at != "" {
		at = v.at + "." + key
	}
	return value{at, r.object(v)[key]}
}

func (r *review) object(v value) map[string]any {
	m, ok := v.v.(map[string]any)
	if !ok && v.v != nil {
		r.fail(v.at, "is not an object")
	}
	return m
}

// fields are all members of an object, in order.
func (r *review) fields(v value) (all []value) {
	for _, key := range slices.Sorted(maps.Keys(r.object(v))) {
		all = append(all, r.field(v, key))
	}
	return all
}

func (r *review) list(v value) (all []value) {
	l, ok := v.v.([]any)
	if !ok && v.v != nil {
		r.fail(v.at, "is not a list")
	}
	for i, one := range l {
		all = append(all, value{fmt.Sprintf("%s[%d]", v.at, i), one})
	}
	return all
}

// text is empty where nothing stands.
func (r *review) text(v value) string {
	s, ok := v.v.(string)
	if !ok && v.v != nil {
		r.fail(v.at, "is not a string")
	}
	return s
}

// file wants what is named to be in the archive.
func (r *review) file(v value) {
	named := r.text(v)
	if v.v == nil || r.err != nil || r.holds(named) {
		return
	}
	r.err = invalid("has no %s, which its manifest.json names in %s", quoted(named), v.at)
}

// fileList is a list of files. It is the list that a fault is about.
func (r *review) fileList(v value) {
	for _, one := range r.list(v) {
		r.file(value{v.at, one.v})
	}
}

// holds reports whether the archive has the file. Paths are relative to its
// root, and those of pages are addresses, too.
func (r *review) holds(named string) bool {
	named, _, _ = strings.Cut(named, "#")
	named, _, _ = strings.Cut(named, "?")
	if r.files.has(relative(named)) {
		return true
	}
	plain, err := url.PathUnescape(named)
	return err == nil && r.files.has(relative(plain))
}

func relative(named string) string { return strings.TrimPrefix(path.Clean("/"+named), "/") }

// patterns is a list of match patterns.
func (r *review) patterns(v value, schemes []string) {
	for _, one := range r.list(v) {
		if why := patternFault(r.text(one), schemes); why != "" {
			r.fail(one.at, "is %s, which is no match pattern: %s", quoted(r.text(one)), why)
		}
	}
}
