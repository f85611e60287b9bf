// Package keyset makes the cursors of paged lists.
//
// A list is ordered by creation time, then id. Its cursor says where the last
// page ended and for which filters; it is signed, so that a forged one and one
// that is used with other filters are refused rather than half obeyed.
package keyset

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// Position is a row's place in a list: what it is ordered by.
type Position struct {
	// At is the creation time in Unix milliseconds.
	At int64
	// ID is the row's id.
	ID string
}

// Codec writes and reads cursors.
type Codec struct{ key []byte }

// New returns a codec that signs with key, which should be 32 random bytes.
func New(key []byte) Codec { return Codec{key} }

const (
	timeLen = 8
	signLen = 16
	// maxLen bounds a cursor before it is decoded; ids are at most 36 bytes.
	maxLen = 256
)

// Encode returns the cursor of the page that follows p. The scope names the
// list and its filters, all that a page and the next must have in common.
func (c Codec) Encode(p Position, scope ...string) string {
	body := binary.BigEndian.AppendUint64(nil, uint64(p.At))
	body = append(body, p.ID...)
	return base64.RawURLEncoding.EncodeToString(append(c.sign(body, scope), body...))
}

// Decode is the inverse of Encode. Its error is Invalid and names the field
// "cursor".
func (c Codec) Decode(cursor string, scope ...string) (Position, error) {
	if len(cursor) > maxLen {
		return Position{}, invalid()
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) < signLen+timeLen {
		return Position{}, invalid()
	}
	sign, body := raw[:signLen], raw[signLen:]
	if !hmac.Equal(sign, c.sign(body, scope)) {
		return Position{}, invalid()
	}
	return Position{At: int64(binary.BigEndian.Uint64(body)), ID: string(body[timeLen:])}, nil
}

func (c Codec) sign(body []byte, scope []string) []byte {
	mac := hmac.New(sha256.New, c.key)
	mac.Write(body)
	mac.Write([]byte("\x00" + strings.Join(scope, "\x00")))
	return mac.Sum(nil)[:signLen]
}

func invalid() error {
	return errtypes.Field("cursor", "is not one that this list returned for the same filters")
}
