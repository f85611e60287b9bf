// Package request reads what arrives over HTTP: bodies within limits of size
// and time, and the parameters of queries. Its errors are errtypes.Error and
// meant for the caller.
package request

import (
	"cmp"
	"time"
)

// Limits bound a request body. The zero value of every field stands for its
// default; a negative one is not valid.
type Limits struct {
	// MaxBody is the largest body after decompression, in bytes. Default
	// 9,437,184 (DECISIONS 3).
	MaxBody int64
	// MaxDiscard is how much of a refused body is read and dropped, after
	// decompression and in bytes, so that the caller gets to read the answer
	// and learns the length. Default 67,108,864.
	MaxDiscard int64
	// IdleTimeout is how long the next piece of a body may take. Default 30
	// seconds.
	IdleTimeout time.Duration
	// TotalTimeout is how long a whole body may take. Default 5 minutes.
	TotalTimeout time.Duration
}

// WithDefaults returns the limits with every default filled in.
func (l Limits) WithDefaults() Limits {
	l.MaxBody = cmp.Or(l.MaxBody, 9_437_184)
	l.MaxDiscard = max(cmp.Or(l.MaxDiscard, 64<<20), l.MaxBody)
	l.IdleTimeout = cmp.Or(l.IdleTimeout, 30*time.Second)
	l.TotalTimeout = cmp.Or(l.TotalTimeout, 5*time.Minute)
	return l
}
