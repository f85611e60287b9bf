package archive

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
)

// encrypter is the writer of an archive: what is written to it goes encrypted
// to w. It holds back what does not fill a block.
type encrypter struct {
	w    io.Writer
	mac  hash.Hash
	cbc  cipher.BlockMode
	held []byte // less than a chunk
}

// newEncrypter writes the head of an archive. It is complete with Close.
func newEncrypter(w io.Writer, public *rsa.PublicKey, contextID string) (*encrypter, error) {
	data, iv := make([]byte, keySize), make([]byte, IVSize)
	rand.Read(data) // never fails since Go 1.24
	rand.Read(iv)
	wrapped, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, public, data, []byte(contextID))
	if err != nil {
		return nil, err
	}
	k, err := deriveKeys(data)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(k.cipher)
	if err != nil {
		return nil, err
	}
	e := &encrypter{w: w, mac: hmac.New(sha256.New, k.mac), cbc: cipher.NewCBCEncrypter(block, iv), held: make([]byte, 0, chunk)}
	head := binary.BigEndian.AppendUint16([]byte(magic), uint16(len(wrapped)))
	return e, e.put(append(append(head, wrapped...), iv...))
}

// put writes bytes that are to be authenticated.
func (e *encrypter) put(p []byte) error {
	e.mac.Write(p) // never fails
	_, err := e.w.Write(p)
	return err
}

func (e *encrypter) Write(p []byte) (n int, err error) {
	for n < len(p) {
		took := copy(e.held[len(e.held):cap(e.held)], p[n:])
		e.held = e.held[:len(e.held)+took]
		n += took
		if len(e.held) < cap(e.held) {
			break
		}
		if err := e.flush(); err != nil {
			return n, err
		}
	}
	return n, nil
}

// flush encrypts what is held, which is whole blocks.
func (e *encrypter) flush() error {
	e.cbc.CryptBlocks(e.held, e.held)
	err := e.put(e.held)
	e.held = e.held[:0]
	return err
}

// Close writes the rest, padded, and the code that authenticates all. It does
// not close w.
func (e *encrypter) Close() error {
	pad := aes.BlockSize - len(e.held)%aes.BlockSize
	for range pad {
		e.held = append(e.held, byte(pad))
	}
	if err := e.flush(); err != nil {
		return err
	}
	_, err := e.w.Write(e.mac.Sum(nil))
	return err
}
