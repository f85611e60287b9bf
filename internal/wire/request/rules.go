package request

import (
	"slices"
	"strings"
)

// Rules are what an interface says of the bodies of its requests.
type Rules struct {
	// Limits of size and time.
	Limits Limits
	// Codings are the values of Content-Encoding that are undone, of gzip (which
	// x-gzip stands for, too), deflate and br. Default gzip alone.
	Codings []string
}

func (r Rules) withDefaults() Rules {
	r.Limits = r.Limits.WithDefaults()
	if r.Codings == nil {
		r.Codings = []string{"gzip"}
	}
	return r
}

// coding returns the name of the coding that a header asks to be undone, "" for
// none; false where it is not one of the rules'.
func (r Rules) coding(header string) (name string, ok bool) {
	name = strings.ToLower(strings.TrimSpace(header))
	switch name {
	case "", "identity":
		return "", true
	case "x-gzip":
		name = "gzip"
	}
	return name, slices.Contains(r.Codings, name)
}
