package provider

import (
	"net/http"

	"github.com/drover-go/drover/errtypes"
)

// NeedKey refuses an empty key for the provider's own address, where nobody is served
// without one. A transport of the host's may bring the key itself. Error kind Invalid.
func NeedKey(key, base, own string, transport http.RoundTripper) error {
	if key == "" && (base == "" || base == own) && transport == nil {
		return errtypes.Field("Key", "is required for %s; BaseURL is for a server that wants none", own)
	}
	return nil
}
