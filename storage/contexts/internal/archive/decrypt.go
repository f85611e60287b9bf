package archive

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
)

// head is what an archive begins with.
type head struct {
	keys keys
	iv   []byte
	size int64 // of the head itself
}

// readHead reads the head and unwraps the data key.
func readHead(r io.Reader, private *rsa.PrivateKey, contextID string) (head, error) {
	start := make([]byte, len(magic)+2)
	if err := fill(r, start); err != nil {
		return head{}, err
	}
	n := int(binary.BigEndian.Uint16(start[len(magic):]))
	if string(start[:len(magic)]) != magic || n > maxWrapped {
		return head{}, ErrDamaged
	}
	rest := make([]byte, n+IVSize)
	if err := fill(r, rest); err != nil {
		return head{}, err
	}
	data, err := rsa.DecryptOAEP(sha256.New(), rand.Reader, private, rest[:n], []byte(contextID))
	if err != nil || len(data) != keySize {
		return head{}, ErrDamaged
	}
	k, err := deriveKeys(data)
	return head{keys: k, iv: rest[n:], size: int64(len(start) + len(rest))}, err
}

// fill reads all of p; what ends before is damaged.
func fill(r io.Reader, p []byte) error {
	_, err := io.ReadFull(r, p)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrDamaged
	}
	return err
}

// decrypter reads the text of an archive.
type decrypter struct {
	r    io.Reader
	left int64 // of the encrypted text, in bytes: whole blocks
	cbc  cipher.BlockMode
	buf  [chunk]byte
	text []byte // decrypted and not yet read
}

// newDecrypter authenticates all of the archive, and then returns a reader of
// its text. Its error is [ErrDamaged], or what reading fails with.
func newDecrypter(r io.ReadSeeker, size int64, private *rsa.PrivateKey, contextID string) (*decrypter, error) {
	h, err := readHead(r, private, contextID)
	if err != nil {
		return nil, err
	}
	text := size - h.size - macSize
	if text < aes.BlockSize || text%aes.BlockSize != 0 {
		return nil, ErrDamaged
	}
	if err := authenticate(r, h.keys.mac, size-macSize); err != nil {
		return nil, err
	}
	if _, err := r.Seek(h.size, io.SeekStart); err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(h.keys.cipher)
	if err != nil {
		return nil, err
	}
	return &decrypter{r: r, left: text, cbc: cipher.NewCBCDecrypter(block, h.iv)}, nil
}

// authenticate compares the code behind the first n bytes with theirs.
func authenticate(r io.ReadSeeker, key []byte, n int64) error {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return err
	}
	mac := hmac.New(sha256.New, key)
	if copied, err := io.CopyBuffer(mac, io.LimitReader(r, n), make([]byte, chunk)); err != nil || copied < n {
		return errors.Join(err, short(copied, n))
	}
	want := make([]byte, macSize)
	if err := fill(r, want); err != nil {
		return err
	}
	if !hmac.Equal(want, mac.Sum(nil)) {
		return ErrDamaged
	}
	return nil
}

func short(n, want int64) error {
	if n < want {
		return ErrDamaged
	}
	return nil
}

func (d *decrypter) Read(p []byte) (int, error) {
	for len(d.text) == 0 {
		if d.left == 0 {
			return 0, io.EOF
		}
		if err := d.more(); err != nil {
			return 0, err
		}
	}
	n := copy(p, d.text)
	d.text = d.text[n:]
	return n, nil
}

// more decrypts the next chunk, and takes the padding off the last.
func (d *decrypter) more() error {
	d.text = d.buf[:min(d.left, chunk)]
	if err := fill(d.r, d.text); err != nil {
		return err
	}
	d.cbc.CryptBlocks(d.text, d.text)
	if d.left -= int64(len(d.text)); d.left > 0 {
		return nil
	}
	pad := int(d.text[len(d.text)-1])
	end := len(d.text) - pad
	if pad < 1 || pad > aes.BlockSize || !bytes.Equal(d.text[end:], bytes.Repeat([]byte{byte(pad)}, pad)) {
		return ErrDamaged
	}
	d.text = d.text[:end]
	return nil
}
