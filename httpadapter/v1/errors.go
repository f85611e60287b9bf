package v1

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/sessions"
)

// errorBody is the body of every error (DECISIONS 10).
type errorBody struct {
	StatusCode int    `json:"statusCode"`
	Error      string `json:"error"`
	Message    string `json:"message"`
	// ID is the id of a fetch.
	ID string `json:"id,omitempty"`
}

// errorOut is a failure on this interface.
func (h *handler) errorOut(x *api.Exchange, f api.Failure) answer {
	switch header := x.W.Header(); f.Public.Kind {
	case errtypes.Unauthenticated:
		challenge(header, h.opts.KeyHeaders)
	case errtypes.Conflict:
		header.Set("X-Should-Retry", "false") // the clients repeat every 409 otherwise
	}
	limitHeaders(x.W.Header(), f.Err)
	x.Record.ID = fetchID(f.Err)
	return answer{Status: f.Status, Body: errorBody{f.Status, http.StatusText(f.Status), f.Public.Message, x.Record.ID}}
}

// limitHeaders say how many sessions the project may have open. When the next
// place comes free nobody knows.
func limitHeaders(h http.Header, err error) {
	var limit *sessions.LimitError
	if errors.As(err, &limit) {
		h.Set("X-RateLimit-Limit", strconv.Itoa(limit.Limit))
		h.Set("X-RateLimit-Remaining", "0")
		h.Set("X-RateLimit-Reset", "1")
	}
}
