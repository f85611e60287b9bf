// Package route finds what there is for the path of a request.
//
// http.ServeMux refuses patterns that fit a path both while neither is more
// special than the other, such as /v1/functions/{id}/invoke and
// /v1/functions/builds/{id}. Here the first segment in which two differ
// decides: what is written out goes before what stands in braces. Of patterns
// that a mux takes, both find the same.
package route

import (
	"net/url"
	"strings"
)

// Table holds a value of type T for each of its patterns; see [Table.At]. The
// zero value is empty. It is safe to search from several goroutines once
// nothing is added any more.
type Table[T any] struct{ root node[T] }

// node is where all paths are that have begun alike.
type node[T any] struct {
	value    *T                  // of the pattern that ends here
	literals map[string]*node[T] // by the next segment; "" is a slash at the end
	variable *node[T]            // whatever the next segment is
	rest     *node[T]            // whatever follows
}

// At returns where the value of a pattern is, for the caller to set it, and the
// names of the pattern's variables. Patterns that differ in these names only
// have one value. Patterns are written as for http.ServeMux, without method
// and host:
//
//	/v1/agents            that path
//	/v1/agents/{agentId}  with any one segment that is not empty
//	/files/{path...}      all that begins with /files/
//	/files/               the same; the name is empty
//	/files/{$}            /files/ alone
//
// It panics where the pattern is malformed.
func (t *Table[T]) At(pattern string) (value *T, names []string) {
	n := &t.root
	for _, s := range parse(pattern) {
		if s.kind != literal {
			names = append(names, s.text)
		}
		n = n.child(s)
	}
	if n.value == nil {
		n.value = new(T)
	}
	return n.value, names
}

// child returns the node behind a segment of a pattern, which it makes where
// there is none.
func (n *node[T]) child(s segment) *node[T] {
	place := &n.variable
	switch s.kind {
	case literal:
		if n.literals == nil {
			n.literals = map[string]*node[T]{}
		}
		if n.literals[s.text] == nil {
			n.literals[s.text] = &node[T]{}
		}
		return n.literals[s.text]
	case rest:
		place = &n.rest
	}
	if *place == nil {
		*place = &node[T]{}
	}
	return *place
}

// Find returns the value of the pattern that fits a path, and those of its
// variables in the order of their names; nil where none fits. The path is that
// of url.URL.EscapedPath: segments are compared and given back with their
// escapes undone, so that %2F separates none. No slash is put to its end or
// taken off it.
func (t *Table[T]) Find(path string) (value *T, variables []string) {
	if !strings.HasPrefix(path, "/") {
		return nil, nil
	}
	return t.root.find(path, nil)
}

// find goes on with what is left of a path, which is nothing or begins with a
// slash. It comes back from a literal that leads nowhere to try a variable: each
// node is visited once at most.
func (n *node[T]) find(path string, variables []string) (*T, []string) {
	if path == "" {
		return n.value, variables
	}
	text, left := path[1:], ""
	if i := strings.IndexByte(text, '/'); i >= 0 {
		text, left = text[:i], text[i:]
	}
	text = unescaped(text)
	if next := n.literals[text]; next != nil {
		if value, all := next.find(left, variables); value != nil {
			return value, all
		}
	}
	if n.variable != nil && text != "" {
		if value, all := n.variable.find(left, append(variables, text)); value != nil {
			return value, all
		}
	}
	if n.rest != nil {
		return n.rest.value, append(variables, unescaped(path[1:]))
	}
	return nil, nil
}

// unescaped leaves what is malformed as it is; of a url.URL nothing is.
func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}
