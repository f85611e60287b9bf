package v1

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/projects"
)

// authenticate finds the caller's project and puts it in the context, where
// the domains look for it.
func (x *exchange) authenticate() error {
	secret, err := x.key()
	if err != nil {
		return err
	}
	ctx, err := x.Projects.As(x.r.Context(), secret)
	if err != nil {
		return err
	}
	p, _ := projects.From(ctx)
	x.record.ProjectID = p.ID
	x.r = x.r.WithContext(ctx)
	return nil
}

// key returns what the first key header says. One that stands twice is
// refused: a proxy in front might have checked the other one.
func (x *exchange) key() (string, error) {
	for _, name := range x.opts.KeyHeaders {
		switch values := x.r.Header.Values(name); {
		case len(values) > 1:
			return "", errtypes.New(errtypes.Unauthenticated, "the header %s stands %d times", name, len(values))
		case len(values) == 1 && values[0] != "":
			return values[0], nil
		}
	}
	return "", errtypes.New(errtypes.Unauthenticated, "an API key is required in %s", keyPlaces(x.opts.KeyHeaders))
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
