// Package stream encrypts what is too large for memory under a passphrase, and
// gives out nothing again that is not authentic.
package stream

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"

	"golang.org/x/crypto/scrypt"
)

// Magic is what a stream begins with that [NewWriter] has written.
const Magic = "DROVSTR1"

// MinPassphrase is how long a passphrase is at least, in bytes.
const MinPassphrase = 12

// ErrDamaged is the error of a stream that is not what was written, or not all of it.
var ErrDamaged = errors.New("the stream is damaged, or a part of it is missing")

// ErrPassphrase is the error of a stream that the passphrase does not open, or whose
// first bytes were changed.
var ErrPassphrase = errors.New("the passphrase is not that of the stream, or its beginning is damaged")

const (
	saltSize = 32
	chunk    = 64 << 10
	headSize = len(Magic) + saltSize
)

// derive makes the key of a stream, with 64 MiB of memory twice over: what
// OWASP recommends for scrypt. The numbers are those of the format, so that no
// stream can ask for more.
func derive(passphrase string, salt []byte) (cipher.AEAD, error) {
	key, err := scrypt.Key([]byte(passphrase), salt, 1<<16, 8, 2, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// place is the nonce of a chunk: its number, and whether it is the last. So
// chunks cannot change places, and the last one cannot be missing (the STREAM
// construction). A key is that of one stream, since its salt is random.
func place(n uint64, last bool) []byte {
	nonce := make([]byte, 12)
	binary.BigEndian.PutUint64(nonce[3:], n)
	if last {
		nonce[11] = 1
	}
	return nonce
}

// writer encrypts chunk by chunk. One that is full waits for the next byte,
// which tells that it is not the last.
type writer struct {
	w    io.Writer
	aead cipher.AEAD
	head []byte
	held []byte
	n    uint64
}

// NewWriter returns a writer that encrypts what is written to it under a
// passphrase, in chunks of 64 KiB with AES-256-GCM, each authenticated with its
// place. It is complete with Close, which does not close w.
func NewWriter(w io.Writer, passphrase string) (io.WriteCloser, error) {
	head := append([]byte(Magic), make([]byte, saltSize)...)
	rand.Read(head[len(Magic):]) // never fails since Go 1.24
	aead, err := derive(passphrase, head[len(Magic):])
	if err != nil {
		return nil, err
	}
	_, err = w.Write(head)
	return &writer{w: w, aead: aead, head: head, held: make([]byte, 0, chunk+aead.Overhead())}, err
}

func (s *writer) Write(p []byte) (n int, err error) {
	for n < len(p) {
		if len(s.held) == chunk {
			if err := s.flush(false); err != nil {
				return n, err
			}
		}
		took := copy(s.held[len(s.held):chunk], p[n:])
		s.held = s.held[:len(s.held)+took]
		n += took
	}
	return n, nil
}

func (s *writer) flush(last bool) error {
	_, err := s.w.Write(s.aead.Seal(s.held[:0], place(s.n, last), s.held, s.head))
	s.held, s.n = s.held[:0], s.n+1
	return err
}

func (s *writer) Close() error { return s.flush(true) }

// reader decrypts chunk by chunk, a byte ahead of what it gives out.
type reader struct {
	r    io.Reader
	aead cipher.AEAD
	head []byte
	buf  []byte // a chunk and its code, and the first byte of the next chunk
	next []byte // that byte
	text []byte
	n    uint64
	end  bool
}

// NewReader returns a reader of what [NewWriter] has encrypted. Nothing is given
// out that is not authentic; a stream that was cut ends with [ErrDamaged], one of
// another passphrase begins with [ErrPassphrase].
func NewReader(r io.Reader, passphrase string) (io.Reader, error) {
	head := make([]byte, headSize)
	if _, err := io.ReadFull(r, head); err != nil || !bytes.HasPrefix(head, []byte(Magic)) {
		return nil, cut(err)
	}
	aead, err := derive(passphrase, head[len(Magic):])
	if err != nil {
		return nil, err
	}
	return &reader{r: r, aead: aead, head: head, buf: make([]byte, chunk+aead.Overhead()+1)}, nil
}

// cut is the error of a stream that ends too early, or is none.
func cut(err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrDamaged
	}
	return err
}

func (s *reader) Read(p []byte) (int, error) {
	for len(s.text) == 0 {
		if s.end {
			return 0, io.EOF
		}
		if err := s.more(); err != nil {
			return 0, err
		}
	}
	n := copy(p, s.text)
	s.text = s.text[n:]
	return n, nil
}

func (s *reader) more() error {
	had := copy(s.buf, s.next)
	n, err := io.ReadFull(s.r, s.buf[had:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	n += had
	full := len(s.buf) - 1
	s.end = n <= full
	s.next = append(s.next[:0], s.buf[full])
	s.text, err = s.aead.Open(s.buf[:0], place(s.n, s.end), s.buf[:min(n, full)], s.head)
	switch {
	case err != nil && s.n == 0:
		return ErrPassphrase
	case err != nil:
		return ErrDamaged
	}
	s.n++
	return nil
}
