package api

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// endpoint is one path and what can be done with it; without methods it stands
// for all paths that are not there.
type endpoint struct {
	pattern string // the first that the path has
	public  bool   // in all that can be done
	methods map[string]operation
}

// operation is a route of the endpoint, and the names of the variables in its
// pattern.
type operation struct {
	Route
	names []string
}

func (e *endpoint) add(r Route, names []string) {
	if _, twice := e.methods[r.Method]; twice {
		panic(fmt.Sprintf("api: %s %s is there twice", r.Method, r.Pattern))
	}
	if e.methods == nil {
		*e = endpoint{pattern: r.Pattern, public: true, methods: map[string]operation{}}
	}
	e.public = e.public && r.Public
	e.methods[r.Method] = operation{r, names}
}

// serve asks for the key before it says anything else, even that a path is
// unknown: who has no key learns nothing.
func (e *endpoint) serve(x *Exchange) (Answer, error) {
	op, known := e.operation(x.R.Method)
	x.Record.Route, x.names = e.pattern, op.names
	if known {
		x.Record.Route = op.Pattern
	}
	if !e.public && !op.Public {
		if err := x.enter(op.Authenticate); err != nil {
			return Answer{}, err
		}
	}
	switch {
	case known:
		return op.Call(x)
	case e.methods == nil:
		return Answer{}, errtypes.New(errtypes.NotFound, "there is no such path").WithType(errtypes.TypePageNotFound)
	}
	return e.otherwise(x)
}

func (e *endpoint) operation(method string) (op operation, known bool) {
	if method == http.MethodHead {
		if op, known = e.methods[method]; known {
			return op, known
		}
		method = http.MethodGet
	}
	op, known = e.methods[method]
	return op, known
}

// otherwise answers to a method that no route has.
func (e *endpoint) otherwise(x *Exchange) (Answer, error) {
	x.W.Header().Set("Allow", e.allowed())
	if x.R.Method == http.MethodOptions {
		return NoContent(), nil
	}
	return Answer{}, errtypes.New(errtypes.MethodNotAllowed, "the method must be one of %s", e.allowed()).WithType(errtypes.TypeMethodNotAllowed)
}

// allowed are the methods of the one pattern that the path is of: what others
// would do with it, which fit it less well, is not to be had.
func (e *endpoint) allowed() string {
	all := append(slices.Collect(maps.Keys(e.methods)), http.MethodOptions)
	if slices.Contains(all, http.MethodGet) {
		all = append(all, http.MethodHead)
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ", ")
}
