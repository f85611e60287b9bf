package drover

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// closers are what is open, in the order in which it was opened. It is closed in
// the reverse: what was opened later stands on what was opened before.
type closers []closer

type closer struct {
	name  string
	close func(context.Context) error
}

// push adds what has just been opened. The context of close ends when what is
// under way is to be cut off.
func (c *closers) push(name string, close func(context.Context) error) {
	*c = append(*c, closer{name, close})
}

// closeAll closes everything, whatever fails, each after the one before has
// ended.
func (c closers) closeAll(ctx context.Context) error {
	var errs []error
	for _, one := range slices.Backward(c) {
		if err := one.close(ctx); err != nil {
			errs = append(errs, fmt.Errorf("close %s: %w", one.name, err))
		}
	}
	return errors.Join(errs...)
}

// atOnce is for what has nothing under way that it could wait for.
func atOnce(close func() error) func(context.Context) error {
	return func(context.Context) error { return close() }
}
