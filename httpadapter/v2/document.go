package v2

import (
	"github.com/drover-go/drover/httpadapter/openapi"
	"github.com/drover-go/drover/internal/wire/api"
)

// document is the description of the interface.
func document(x *api.Exchange) (api.Answer, error) { return api.OK(openapi.V2(x.BasePath())), nil }
