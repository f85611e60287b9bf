package certificates

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/certificates/internal/pfx"
)

// isPKCS12 reports whether a file begins as PKCS#12 does: a sequence with the
// number of its version, 3, which no certificate begins with. Its length may take
// any form: some programs write BER.
func isPKCS12(file []byte) bool {
	if len(file) < 2 || file[0] != 0x30 {
		return false
	}
	skip := 2
	if file[1] > 0x80 {
		skip += int(file[1] & 0x7f)
	}
	return len(file) > skip && bytes.HasPrefix(file[skip:], []byte{2, 1, 3})
}

// maxRounds is how many rounds of key derivation a file may ask for altogether.
// Programs ask for 2,048 to 600,000 in each of three places.
const maxRounds = 2_000_000

var (
	errPassword   = errtypes.Field("password", "is wrong: it does not open the file")
	errNoPassword = errtypes.Field("password", "is required: the file does not open without")
	errUnused     = errtypes.Field("password", "is not used by this file, in which nothing is encrypted: leave it out")
	errRounds     = fault("asks for more rounds to derive its keys than are done: at most %d altogether", maxRounds)
	errNoMAC      = fault("is PKCS#12 with something encrypted in it and no MAC, by which the password is checked: make it with one")
	errPKCS12     = fault("is malformed: it is PKCS#12 that cannot be read")
)

// opening is held while something is opened by a password, so that those that
// ask for much work cannot ask for all processors.
var opening = make(chan struct{}, 1)

// locked does the work alone, or not at all when the caller has gone before.
func locked(ctx context.Context, work func() error) error {
	select {
	case opening <- struct{}{}:
		defer func() { <-opening }()
		return work()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// readPKCS12 opens a file with certificates, and perhaps one key.
func (r *reader) readPKCS12(file []byte) error {
	var in pfx.Contents
	err := locked(r.ctx, func() (err error) {
		in, err = pfx.Open(r.ctx, file, &r.secret)
		return err
	})
	if err != nil {
		return r.secretFault(err)
	}
	for _, key := range in.Keys {
		if err := r.readKey(key); err != nil {
			return err
		}
	}
	for _, cert := range in.Certificates {
		if err := r.readCertificate(cert); err != nil {
			return err
		}
	}
	return nil
}

// openKey opens an encrypted key of PKCS #8.
func (r *reader) openKey(der []byte) error {
	if r.secret.Password == "" {
		return errNoPassword
	}
	var key []byte
	err := locked(r.ctx, func() (err error) {
		key, err = pfx.OpenKey(r.ctx, der, &r.secret)
		return err
	})
	switch {
	case errors.Is(err, pfx.ErrMalformed):
		return errKeyUnread.WithCause(err)
	case err != nil:
		return r.secretFault(err)
	case !bytes.HasPrefix(key, []byte{0x30}):
		return errPassword // one wrong password in 256 passes for right
	}
	return r.readKey(key)
}

// secretFault says why something was not opened.
func (r *reader) secretFault(err error) error {
	var unknown *pfx.UnknownError
	switch {
	case errors.Is(err, pfx.ErrPassword) && r.secret.Password == "":
		return errNoPassword.WithCause(err)
	case errors.Is(err, pfx.ErrPassword):
		return errPassword.WithCause(err)
	case errors.Is(err, pfx.ErrRounds):
		return errRounds.WithCause(err)
	case errors.Is(err, pfx.ErrNoMAC):
		return errNoMAC.WithCause(err)
	case errors.As(err, &unknown):
		return fault("has something in it that cannot be opened: %s", unknown.What).WithCause(err)
	case errors.Is(err, pfx.ErrMalformed):
		return errPKCS12.WithCause(err)
	}
	return fmt.Errorf("opening: %w", err) // the caller has gone
}
