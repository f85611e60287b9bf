package v1

import (
	"net/http"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/httpadapter/internal/access"
	"github.com/drover-go/drover/httpadapter/internal/request"
	"github.com/drover-go/drover/httpadapter/internal/strictjson"
	"github.com/drover-go/drover/internal/ids"
)

// exchange is one request and its answer.
type exchange struct {
	*handler
	w       http.ResponseWriter
	r       *http.Request
	record  *access.Record
	started bool // the answer has begun
}

// optionalBody decodes the body, if there is one.
func (x *exchange) optionalBody(v strictjson.Value) (there bool, err error) {
	data, err := request.JSON(x.w, x.r, x.opts.Limits)
	if data == nil || err != nil {
		return false, err
	}
	return true, strictjson.Decode(data, x.jsonOptions(), v)
}

// body decodes the body, which must be there.
func (x *exchange) body(v strictjson.Value) error {
	there, err := x.optionalBody(v)
	if err == nil && !there {
		err = errtypes.New(errtypes.Invalid, "a body is required")
	}
	return err
}

func (x *exchange) query() *request.Query { return request.ParseQuery(x.r) }

// id is an id in the path, in the form it is stored in.
func (x *exchange) id(name string) string { return ids.Canonical(x.r.PathValue(name)) }

// idIn is an id in a body.
func idIn(dst *string) strictjson.Value {
	return strictjson.Then(strictjson.Text(dst), func() { *dst = ids.Canonical(*dst) })
}
