package v1

import (
	"net/http"

	"github.com/drover-go/drover/httpadapter/openapi"
)

// document is the description of this interface, which anybody may read.
func document(*exchange) (answer, error) {
	return answer{http.StatusOK, openapi.V1()}, nil
}
