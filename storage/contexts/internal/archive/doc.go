// Package archive turns a folder into one encrypted stream and back.
//
// The stream is, in this order:
//
//	8 bytes    "DROVCTX1"
//	2 bytes    n, big endian: the size of the wrapped data key
//	n bytes    the data key of 32 random bytes, RSA-OAEP (SHA-256) with the
//	           public key of the context; the label is the id of the context
//	16 bytes   the initialization vector, random
//	16·k bytes the folder as a tar file, compressed with Zstandard, in
//	           AES-256-CBC with PKCS #7 padding
//	32 bytes   HMAC-SHA-256 of all that goes before
//
// The keys of AES and HMAC are derived from the data key with HKDF-SHA-256.
// Nothing is decrypted before the whole stream has been found to be authentic.
package archive

import (
	"crypto/aes"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
)

const (
	magic   = "DROVCTX1"
	keySize = 32
	macSize = sha256.Size
	// chunk is how much is encrypted at a time; a multiple of the block size.
	chunk = 64 << 10
	// maxWrapped is the size of a data key wrapped with 16,384 bits.
	maxWrapped = 2048
)

// IVSize is the size of the initialization vector in bytes.
const IVSize = aes.BlockSize

// ErrDamaged is the error of what is no archive of this context, or not all of
// one.
var ErrDamaged = errors.New("the archive is damaged")

// keys are derived from one data key.
type keys struct{ cipher, mac []byte }

func deriveKeys(data []byte) (k keys, err error) {
	if k.cipher, err = hkdf.Key(sha256.New, data, nil, "drover context cipher", keySize); err != nil {
		return keys{}, err
	}
	k.mac, err = hkdf.Key(sha256.New, data, nil, "drover context mac", keySize)
	return k, err
}
