package mux

import (
	"errors"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// ErrLost is a connection to a browser that has ended.
var ErrLost = errors.New("the connection to the browser is lost")

// TimeoutError says what a page did not do within a limit.
func TimeoutError(what string, limit time.Duration) error {
	return errtypes.New(errtypes.GatewayTimeout, "the page did not %s within %s", what, limit)
}
