// Package seal keeps secrets that lie on disk: what is sealed can be opened
// only with the master key it was sealed under, and only for the purpose it was
// sealed for, so that a sealed value that is put in the place of another does
// not open.
package seal

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"slices"
)

// What goes wrong when something is opened.
var (
	// ErrKey: it was sealed under a master key that the ring does not have.
	ErrKey = errors.New("it was sealed under another master key")
	// ErrDamaged: it is not what was sealed, or was sealed for another purpose.
	ErrDamaged = errors.New("what was sealed is damaged")
)

const (
	format   = 1
	headSize = 1 + idSize
)

// Ring is the master keys of a service. The first seals; the others open what
// was sealed before the key was changed.
type Ring struct {
	boxes []box
}

// box is one key, ready for use.
type box struct {
	id   [idSize]byte
	aead cipher.AEAD
}

// NewRing returns a ring that seals with the first key.
func NewRing(current Key, former ...Key) *Ring {
	r := &Ring{}
	for _, k := range append([]Key{current}, former...) {
		r.boxes = append(r.boxes, newBox(k))
	}
	return r
}

func newBox(k Key) box {
	block, err := aes.NewCipher(derive(k, "drover sealing", 32))
	if err != nil {
		panic(err) // the size of the key is right
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err)
	}
	return box{id: k.id(), aead: aead}
}

// derive makes a key for one use, so that no key serves two.
func derive(k Key, use string, n int) []byte {
	out, err := hkdf.Key(sha256.New, k.bytes[:], nil, use, n)
	if err != nil {
		panic(err) // only for a length beyond reason
	}
	return out
}

// Seal encrypts, and authenticates the purpose along with it: AES-256-GCM under
// a key derived from the master key.
func (r *Ring) Seal(purpose string, plain []byte) []byte {
	b := r.boxes[0]
	head := append([]byte{format}, b.id[:]...)
	return b.aead.Seal(head, nil, plain, bound(head, purpose))
}

// Open returns what was sealed for the purpose; [ErrKey] or [ErrDamaged].
func (r *Ring) Open(purpose string, sealed []byte) ([]byte, error) {
	if len(sealed) < headSize || sealed[0] != format {
		return nil, ErrDamaged
	}
	head := sealed[:headSize]
	i := slices.IndexFunc(r.boxes, func(b box) bool { return bytes.Equal(b.id[:], head[1:]) })
	if i < 0 {
		return nil, ErrKey
	}
	plain, err := r.boxes[i].aead.Open(nil, nil, sealed[headSize:], bound(head, purpose))
	if err != nil {
		return nil, ErrDamaged
	}
	return plain, nil
}

// Current reports whether the first key of the ring sealed it; what another
// one did is to be sealed again before that key is given up.
func (r *Ring) Current(sealed []byte) bool {
	return len(sealed) >= headSize && sealed[0] == format && bytes.Equal(sealed[1:headSize], r.boxes[0].id[:])
}

// bound is what is authenticated beside the text.
func bound(head []byte, purpose string) []byte { return append(bytes.Clone(head), purpose...) }
