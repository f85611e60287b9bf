package httpadapter

import (
	"net/http"
	"regexp"

	"github.com/drover-go/drover/internal/ids"
)

const requestIDHeader = "X-Request-Id"

// saneID is what is taken over from a caller or a proxy: nothing that a log
// could be confused with.
var saneID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// requestID returns the id that came with the request, or a new one.
func requestID(r *http.Request) string {
	if id := r.Header.Get(requestIDHeader); saneID.MatchString(id) {
		return id
	}
	return ids.New()
}
