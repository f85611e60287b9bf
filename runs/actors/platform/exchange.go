package platform

import (
	"context"

	"github.com/drover-go/drover/internal/wire/api"
)

// exchange is one request to this interface and its answer.
type exchange struct {
	*api.Exchange
	*handler

	// found are values of variables that the path does not have, by name: the store of a
	// run, say.
	found map[string]string
}

// Path returns the value of a variable in the path, or what was found for it. It
// panics where there is neither.
func (x *exchange) Path(name string) string {
	if value, ok := x.found[name]; ok {
		return value
	}
	return x.Exchange.Path(name)
}

// find has a value stand for a variable.
func (x *exchange) find(name, value string) {
	if x.found == nil {
		x.found = map[string]string{}
	}
	x.found[name] = value
}

// untilClosing is the context of a request that only waits.
func (x *exchange) untilClosing() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(x.R.Context())
	stop := context.AfterFunc(x.Accepting, cancel)
	return ctx, func() { stop(); cancel() }
}

// answer is what a call comes to.
type answer = api.Answer

// call does what a route is for.
type call func(x *exchange) (answer, error)
