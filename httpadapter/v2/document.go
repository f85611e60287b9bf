package v2

import (
	"github.com/drover-go/drover/httpadapter/internal/api"
	"github.com/drover-go/drover/httpadapter/openapi"
)

// document is the description of the interface.
func document(x *exchange) (answer, error) { return api.OK(openapi.V2(x.BasePath())), nil }
