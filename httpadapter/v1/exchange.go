package v1

import (
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
)

// exchange is one request to this interface and its answer.
type exchange struct {
	*api.Exchange
	*handler
}

// answer is what a call comes to.
type answer = api.Answer

// call does what a route is for.
type call func(x *exchange) (answer, error)

// id is an id in the path, in the form it is stored in.
func (x *exchange) id(name string) string { return ids.Canonical(x.Path(name)) }

// idIn is an id in a body.
func idIn(dst *string) strictjson.Value {
	return strictjson.Then(strictjson.Text(dst), func() { *dst = ids.Canonical(*dst) })
}
