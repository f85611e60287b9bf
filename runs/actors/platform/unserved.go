package platform

import (
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// notServed are the operations of the public clients (wire-v2-stores, 10) that are
// not implemented, by path. They answer so: a 404 would look like an object that is
// not there, and the clients take it for that.
var notServed = []struct{ methods, pattern string }{
	{"GET POST PUT DELETE", "/v2/actors/{rest...}"},
	{"GET POST PUT DELETE", "/v2/tools/{rest...}"},
}

// unserved are the routes of what is not implemented.
func unserved() (all []Route) {
	for _, u := range notServed {
		for method := range strings.FieldsSeq(u.methods) {
			all = append(all, Route{Method: method, Pattern: u.pattern, call: notImplemented, open: true})
		}
	}
	return all
}

// NotServed returns the operations that answer not-implemented, for documentation to be
// held against.
func NotServed() []Route { return unserved() }

// notImplemented names the operation (DECISIONS 30).
func notImplemented(x *exchange) (answer, error) {
	const longest = 200
	path := x.R.URL.Path
	return answer{}, errtypes.New(errtypes.Invalid, "%s %s is not implemented", x.R.Method, path[:min(len(path), longest)]).WithType(errtypes.TypeNotImplemented)
}
