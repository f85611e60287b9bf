package v1

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
)

// authenticate finds the caller's project by the key.
func (h *handler) authenticate(x *api.Exchange) (context.Context, error) {
	secret, err := keyIn(x.R.Header, h.opts.KeyHeaders)
	if err != nil {
		return nil, err
	}
	return h.Projects.As(x.R.Context(), secret)
}

// keyIn returns what the first key header says. One that stands twice is
// refused: a proxy in front might have checked the other one.
func keyIn(h http.Header, places []string) (string, error) {
	for _, name := range places {
		switch values := h.Values(name); {
		case len(values) > 1:
			return "", errtypes.New(errtypes.Unauthenticated, "the header %s stands %d times", name, len(values))
		case len(values) == 1 && values[0] != "":
			return values[0], nil
		}
	}
	return "", errtypes.New(errtypes.Unauthenticated, "an API key is required in %s", keyPlaces(places))
}

// keyPlaces names the headers that a key may come in.
func keyPlaces(headers []string) string {
	if len(headers) == 1 {
		return "the header " + headers[0]
	}
	return "one of the headers " + strings.Join(headers, ", ")
}

// challenge says in which headers a key may come, each a way of its own.
func challenge(h http.Header, headers []string) {
	for _, name := range headers {
		h.Add("WWW-Authenticate", fmt.Sprintf("ApiKey header=%q", name))
	}
}
