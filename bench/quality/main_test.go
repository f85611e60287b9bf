package quality

import (
	"context"
	"regexp"
)

// ctx never ends.
var ctx = context.Background()

// links are the addresses of markdown's links, which are no text.
var links = regexp.MustCompile(`\]\([^)]*\)`)

// hasNoText names the elements whose text nobody reads.
var hasNoText = map[string]bool{"script": true, "style": true, "noscript": true, "template": true, "title": true, "textarea": true}
