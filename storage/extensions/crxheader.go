package extensions

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
)

// The header of a CRX archive of version 3 is a message of protocol buffers,
// https://chromium.googlesource.com/chromium/src/+/HEAD/components/crx_file/crx3.proto:
// proofs by keys, of which one is the developer's and others may be the shop's,
// and what is signed, which has the id of the extension.
const (
	rsaProofs   = 2
	ecdsaProofs = 3
	signedData  = 10000
	keyOfProof  = 1
	idOfData    = 1
	idBytes     = 16 // bytes of the hash of a key
)

// keyOfHeader is the key of which the id is the first half of the hash.
func keyOfHeader(header []byte) ([]byte, error) {
	var keys [][]byte
	var id []byte
	err := eachField(header, func(number uint64, content []byte) error {
		switch number {
		case rsaProofs, ecdsaProofs:
			key, err := bytesField(content, keyOfProof)
			keys = append(keys, key)
			return err
		case signedData:
			var err error
			id, err = bytesField(content, idOfData)
			return err
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if sum := sha256.Sum256(key); len(key) > 0 && bytes.Equal(sum[:idBytes], id) {
			return key, nil
		}
	}
	return nil, errCRXKey
}

// bytesField is the last field of that number in a message; nil for none.
func bytesField(message []byte, number uint64) (last []byte, err error) {
	err = eachField(message, func(n uint64, content []byte) error {
		if n == number {
			last = content
		}
		return nil
	})
	return last, err
}

// eachField calls a function for every field of a message that has bytes, and
// steps over numbers. https://protobuf.dev/programming-guides/encoding
func eachField(message []byte, do func(number uint64, content []byte) error) error {
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 || tag>>3 == 0 {
			return errCRXHeader
		}
		skip, content := fieldEnd(message[n:], tag&7)
		if skip < 0 {
			return errCRXHeader
		}
		if content >= 0 {
			if err := do(tag>>3, message[n+content:n+skip]); err != nil {
				return err
			}
		}
		message = message[n+skip:]
	}
	return nil
}

// fieldEnd is where a field ends of which the tag has been read, and where its
// bytes begin: below 0 for one that is not whole, and for one that has none.
func fieldEnd(rest []byte, kind uint64) (end, content int) {
	switch kind {
	case 0: // a number
		if _, n := binary.Uvarint(rest); n > 0 {
			return n, -1
		}
	case 1, 5: // 8 and 4 bytes
		if size := map[uint64]int{1: 8, 5: 4}[kind]; size <= len(rest) {
			return size, -1
		}
	case 2:
		if size, n := binary.Uvarint(rest); n > 0 && size <= uint64(len(rest)-n) {
			return n + int(size), n
		}
	}
	return -1, -1
}
