package sessions

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
)

// checkCreate refuses what is wrong and fills in the defaults. What Drover
// itself opens is bounded by whoever opens it.
func (c Config) checkCreate(n *Create, free bool) error {
	l := c.Limits
	switch {
	case n.Timeout == 0:
		n.Timeout = l.DefaultTimeout
	case !free && (n.Timeout < minTimeout || n.Timeout > l.MaxTimeout):
		return errtypes.Field("timeout", "must be from %d to %d seconds", int(minTimeout/time.Second), int(l.MaxTimeout/time.Second))
	}
	if n.Region == "" {
		n.Region = DefaultRegion
	}
	if !slices.Contains(Regions(), n.Region) {
		return errtypes.Field("region", "must be one of %s", joined(Regions()))
	}
	return c.checkMetadata(n)
}

// checkMetadata keeps the object without the white space between its parts.
func (c Config) checkMetadata(n *Create) error {
	if n.UserMetadata == nil {
		return nil
	}
	var object map[string]any
	if !utf8.Valid(n.UserMetadata) || json.Unmarshal(n.UserMetadata, &object) != nil || object == nil {
		return errtypes.Field("userMetadata", "must be an object")
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, n.UserMetadata); err != nil {
		return errtypes.Field("userMetadata", "must be an object").WithCause(err)
	}
	if compact.Len() > c.Limits.MaxMetadata {
		return errtypes.Field("userMetadata", "must be at most %d bytes of JSON; it has %d", c.Limits.MaxMetadata, compact.Len())
	}
	n.UserMetadata = compact.Bytes()
	return nil
}

func joined[T ~string](all []T) string {
	words := make([]string, len(all))
	for i, w := range all {
		words[i] = string(w)
	}
	return strings.Join(words, ", ")
}
