package v1

import (
	"github.com/drover-go/drover/httpadapter/openapi"
	"github.com/drover-go/drover/internal/wire/api"
)

// document is the description of this interface, which anybody may read.
func document(x *exchange) (answer, error) {
	return api.OK(openapi.V1(x.BasePath())), nil
}
