package seal

import (
	"errors"
	"slices"

	"github.com/drover-go/drover/errtypes"
)

// Sealed is the key of a thing as it is stored.
type Sealed struct {
	ID  string // of the thing
	Key []byte
}

// Things are the sealed keys of all things of a kind such as "context".
type Things struct {
	Kind string
	Keys []Sealed
}

// OpensAny reports whether a key of the ring opens any of them.
func (r *Ring) OpensAny(t Things) bool {
	return slices.ContainsFunc(t.Keys, func(k Sealed) bool {
		_, err := r.Open(Purpose(t.Kind, k.ID), k.Key)
		return err == nil
	})
}

// Purpose binds a sealed key to a thing such as "context", with its id.
func Purpose(thing, id string) string { return thing + "/" + id }

// Unread are the keys that could not be opened, an error each.
type Unread []error

// Error names every key.
func (u Unread) Error() string { return errors.Join(u...).Error() }

// Unwrap returns the errors.
func (u Unread) Unwrap() []error { return u }

// orNil is no error for no key.
func (u Unread) orNil() error {
	if len(u) == 0 {
		return nil
	}
	return u
}

// Renew seals under the first key what a former one sealed, and has it replaced.
// A key that cannot be opened is passed over, so that it holds up no other:
// unread tells of all such, as [Explain] does: an [Unread], or nil. The first
// error of replace ends it.
func (r *Ring) Renew(thing string, all []Sealed, replace func(was Sealed, now []byte) error) (n int, unread, err error) {
	var unopened Unread
	for _, k := range all {
		if r.Current(k.Key) {
			continue
		}
		plain, failed := r.Open(Purpose(thing, k.ID), k.Key)
		if failed != nil {
			unopened = append(unopened, Explain(thing, k.ID, failed))
			continue
		}
		if err := replace(k, r.Seal(Purpose(thing, k.ID), plain)); err != nil {
			return n, unopened.orNil(), err
		}
		n++
	}
	return n, unopened.orNil(), nil
}

// Explain is what a caller is told of a key that cannot be opened, that of a
// thing such as "context", with its id. Error kind Unavailable.
func Explain(thing, id string, err error) error {
	if errors.Is(err, ErrKey) {
		return errtypes.New(errtypes.Unavailable, "the key of %s %q was sealed under a master key that the service does not have: give it as a former one", thing, id)
	}
	return errtypes.New(errtypes.Unavailable, "the key of %s %q is damaged", thing, id).WithCause(err)
}
