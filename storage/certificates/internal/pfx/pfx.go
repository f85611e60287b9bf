// Package pfx opens files of PKCS#12 (RFC 7292) and encrypted private keys of
// PKCS #8 (RFC 5958), within bounds.
//
// The files say themselves how much work it takes to derive their keys. Here
// every layer is looked at before it is opened, and the work of all of them is
// bounded together. What is known: PBES2 with PBKDF2 and AES or triple DES in
// CBC, and the old ciphers of PKCS#12, triple DES and RC2.
package pfx

import (
	"context"
	"encoding/asn1"
	"errors"
	"fmt"
)

// Reasons why a file is not opened.
var (
	// ErrMalformed is a file that is not what it should be.
	ErrMalformed = errors.New("pfx: malformed")
	// ErrPassword is a password that does not open the file.
	ErrPassword = errors.New("pfx: the password is wrong")
	// ErrRounds is a file that asks for more work than may be done.
	ErrRounds = errors.New("pfx: too many rounds")
	// ErrNoMAC is an encrypted file by which a password cannot be checked.
	ErrNoMAC = errors.New("pfx: no MAC")
)

// UnknownError is something in a file that is not known here.
type UnknownError struct {
	// What it is, in words for the caller.
	What string
}

func (e *UnknownError) Error() string { return "pfx: unknown: " + e.What }

func unknown(format string, args ...any) error {
	return &UnknownError{fmt.Sprintf(format, args...)}
}

// Secret is a password, and the work that may be done with it.
type Secret struct {
	// Password in UTF-8. Default none.
	Password string
	// Rounds is how many rounds of key derivation may be done altogether. Those
	// done are taken off. Default none.
	Rounds int
	// Used is set when something was opened or checked by the password.
	Used bool

	old []byte // the password as the old ciphers take it
}

// Contents are what a file of PKCS#12 holds, in DER.
type Contents struct {
	// Certificates are X.509.
	Certificates [][]byte
	// Keys are private, in PKCS #8.
	Keys [][]byte
}

type contentInfo struct {
	Type    asn1.ObjectIdentifier
	Content asn1.RawValue `asn1:"optional"`
}

type file struct {
	Version int
	Safes   contentInfo
	MAC     mac `asn1:"optional"`
}

// Open opens a file, in DER or BER. The context is looked at between layers; each
// takes seconds at most. Errors are the context's and those of this package.
func Open(ctx context.Context, content []byte, s *Secret) (c Contents, err error) {
	var f file
	if err := unmarshal(content, &f); err != nil {
		return c, err
	}
	if f.Version != 3 {
		return c, unknown("version %d", f.Version)
	}
	if !f.Safes.Type.Equal(oidData) {
		return c, unknown("a file that is signed with a key")
	}
	safes, err := f.Safes.octets()
	if err != nil {
		return c, err
	}
	s.old = bmp(s.Password)
	o := opener{ctx: ctx, secret: s, checked: len(f.MAC.Digest.Algorithm.Algorithm) > 0}
	if o.checked {
		if err := o.check(&f.MAC, safes); err != nil {
			return c, err
		}
	}
	err = o.safes(safes)
	return o.Contents, err
}

// OpenKey opens an encrypted private key of PKCS #8, and returns it in the clear.
// Errors are as of [Open].
func OpenKey(ctx context.Context, der []byte, s *Secret) ([]byte, error) {
	s.old = bmp(s.Password)
	return (&opener{ctx: ctx, secret: s, checked: true}).key(der)
}

// opener opens one file.
type opener struct {
	Contents
	ctx     context.Context
	secret  *Secret
	checked bool // whether it is known what the password opens
}

// spend takes rounds off those that may be done.
func (o *opener) spend(rounds int) error {
	switch {
	case o.ctx.Err() != nil:
		return context.Cause(o.ctx)
	case rounds < 1:
		return fmt.Errorf("%w: %d rounds", ErrMalformed, rounds)
	case rounds > o.secret.Rounds:
		return ErrRounds
	}
	o.secret.Rounds -= rounds
	o.secret.Used = true
	return nil
}

// unmarshal reads a whole value in DER or BER.
func unmarshal(content []byte, v any) error {
	der, err := toDER(content)
	if err != nil {
		return err
	}
	rest, err := asn1.Unmarshal(der, v)
	if err == nil && len(rest) > 0 {
		err = errors.New("bytes behind its end")
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return nil
}

// octets is the content of the type data: octets in a tag.
func (c contentInfo) octets() (octets []byte, err error) {
	err = unmarshal(c.Content.Bytes, &octets)
	return octets, err
}
