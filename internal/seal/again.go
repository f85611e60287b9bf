package seal

import (
	"errors"

	"github.com/drover-go/drover/errtypes"
)

// Again seals under the first key what a former one sealed, for the same
// purpose; done is false where that is not needed. Its error is that of
// [Ring.Open].
func (r *Ring) Again(purpose string, sealed []byte) (again []byte, done bool, err error) {
	if r.Current(sealed) {
		return nil, false, nil
	}
	plain, err := r.Open(purpose, sealed)
	if err != nil {
		return nil, false, err
	}
	return r.Seal(purpose, plain), true, nil
}

// Explain is what a caller is told of a key that cannot be opened, that of a
// thing such as "context", with its id. Error kind Unavailable.
func Explain(thing, id string, err error) error {
	if errors.Is(err, ErrKey) {
		return errtypes.New(errtypes.Unavailable, "the key of %s %q was sealed under a master key that the service does not have: give it as a former one", thing, id)
	}
	return errtypes.New(errtypes.Unavailable, "the key of %s %q is damaged", thing, id).WithCause(err)
}
