// Package ids makes the identifiers of the two interfaces: UUIDs of version 7
// for v1, 17 letters and digits for v2.
package ids

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/google/uuid"
)

// New returns a UUID of version 7 (RFC 9562) for v1. Ids made by one process
// sort in the order they were made.
func New() string { return uuid.Must(uuid.NewV7()).String() }

// Valid reports whether s is a UUID in the canonical form that New writes, in
// lower case. Any version is accepted.
func Valid(s string) bool {
	if len(s) != 36 {
		return false
	}
	u, err := uuid.Parse(s)
	return err == nil && u.String() == s
}

// Canonical returns a UUID in the form that New writes: letters of either case
// are the same on input (RFC 9562, section 4). Anything else it returns as it
// is.
func Canonical(s string) string {
	if lower := strings.ToLower(s); Valid(lower) {
		return lower
	}
	return s
}

// Time returns the creation time, to the millisecond, inside a version 7 id.
func Time(id string) (time.Time, bool) {
	u, err := uuid.Parse(id)
	if err != nil || u.Version() != 7 {
		return time.Time{}, false
	}
	ms := int64(u[0])<<40 | int64(u[1])<<32 | int64(u[2])<<24 | int64(u[3])<<16 | int64(u[4])<<8 | int64(u[5])
	return time.UnixMilli(ms).UTC(), true
}

const (
	shortLen = 17
	alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

// NewShort returns 17 random letters and digits (101 bits) for v2.
func NewShort() string {
	id := make([]byte, 0, shortLen)
	var random [2 * shortLen]byte
	for len(id) < shortLen {
		rand.Read(random[:]) // never fails since Go 1.24
		for _, b := range random {
			if int(b) < len(alphabet)*4 && len(id) < shortLen { // the rest would favour the first letters
				id = append(id, alphabet[int(b)%len(alphabet)])
			}
		}
	}
	return string(id)
}

// ValidShort reports whether s has the form that NewShort writes.
func ValidShort(s string) bool {
	if len(s) != shortLen {
		return false
	}
	for _, c := range []byte(s) {
		switch {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9':
		default:
			return false
		}
	}
	return true
}
