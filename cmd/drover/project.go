package main

import (
	"context"

	"github.com/drover-go/drover"
)

// ofProject are the flags of commands about what a project has.
type ofProject struct {
	store
	Project string `default:"default" help:"Project, by name or id."`
}

// with opens the data, which must be there, for calls on behalf of the project:
// a directory that was meant to be another one is not made a data directory.
func (o ofProject) with(ctx context.Context, do func(context.Context, *drover.Drover) error, set ...func(*drover.Options)) error {
	if err := o.mustExist(); err != nil {
		return err
	}
	return withStore(ctx, o.Data, func(d *drover.Drover) error {
		ctx, err := d.Projects.In(ctx, o.Project)
		if err != nil {
			return err
		}
		return do(ctx, d)
	}, set...)
}
