package seal

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
)

// idSize is how many bytes of a sealed value name its key.
const idSize = 8

// Key is a master key of 256 bits. It is never printed.
type Key struct {
	bytes [32]byte
}

// NewKey returns a random key.
func NewKey() (k Key) {
	rand.Read(k.bytes[:]) // never fails since Go 1.24
	return k
}

var errKeyText = errors.New("must be 32 random bytes, as 64 hexadecimal digits or in base64")

// ParseKey reads a key of 32 bytes, written as 64 hexadecimal digits or in
// base64 (either alphabet, with or without padding). Its error does not quote
// the text.
func ParseKey(text string) (k Key, err error) {
	raw, err := decode(strings.TrimSpace(text))
	if err != nil || len(raw) != len(k.bytes) {
		return Key{}, errKeyText
	}
	k.bytes = [32]byte(raw)
	if k.isWeak() {
		return Key{}, errors.New("is no random key: its bytes repeat")
	}
	return k, nil
}

func decode(text string) ([]byte, error) {
	if len(text) == 64 {
		return hex.DecodeString(text)
	}
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	return base64.RawStdEncoding.DecodeString(text)
}

// isWeak finds what is a placeholder rather than a key: of 32 random bytes at
// least 20 differ, but for one in 10^12 keys.
func (k Key) isWeak() bool {
	seen := map[byte]bool{}
	for _, b := range k.bytes {
		seen[b] = true
	}
	return len(seen) < 20
}

// Text is the key as [ParseKey] reads it, for the file it is kept in.
func (k Key) Text() string { return hex.EncodeToString(k.bytes[:]) }

// String does not tell the key.
func (k Key) String() string { return "a master key" }

// GoString does not tell the key.
func (k Key) GoString() string { return k.String() }

// id names the key without telling anything of it.
func (k Key) id() [idSize]byte { return [idSize]byte(derive(k, "drover key id", idSize)) }
