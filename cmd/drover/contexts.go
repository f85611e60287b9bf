package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/storage/contexts"
)

type contextsCmd struct {
	Create contextsCreateCmd `cmd:"" help:"Make an empty context and print its id."`
	List   contextsListCmd   `cmd:"" help:"List the contexts of a project."`
	Delete contextsDeleteCmd `cmd:"" help:"Delete a context with all that was saved of it."`
	Export contextsExportCmd `cmd:"" help:"Write the profile that was saved last as a tar file, in the clear."`
	Import contextsImportCmd `cmd:"" help:"Save a tar file, or a browser's user-data directory, as the profile of a context."`
}

// onContexts are the flags of commands about the contexts of a project.
type onContexts struct{ ofProject }

// do calls a function for the project.
func (p onContexts) do(ctx context.Context, do func(context.Context, contexts.Service) error) error {
	return p.with(ctx, func(ctx context.Context, d *drover.Drover) error { return do(ctx, d.Contexts) })
}

// oneContext are the flags of commands about one context.
type oneContext struct {
	onContexts
	Context string `arg:"" help:"Id or name of the context, as list prints them."`
}

// do calls a function for the context.
func (o oneContext) do(ctx context.Context, do func(context.Context, contexts.Service, contexts.Context) error) error {
	return o.onContexts.do(ctx, func(ctx context.Context, s contexts.Service) error {
		one, err := findContext(ctx, s, o.Context)
		if err != nil {
			return err
		}
		return do(ctx, s, one)
	})
}

// findContext finds a context by its id, else by its name.
func findContext(ctx context.Context, s contexts.Service, ref string) (contexts.Context, error) {
	one, err := s.Get(ctx, ids.Canonical(ref))
	if !errtypes.Is(err, errtypes.NotFound) {
		return one, err
	}
	all, failed := s.List(ctx)
	if failed != nil {
		return one, failed
	}
	for _, named := range all {
		if named.IsNamed(ref) {
			return named, nil
		}
	}
	return one, err
}

type contextsCreateCmd struct {
	onContexts
	Name *string `help:"Name, 1 to 128 characters, unique in the project."`
}

// Run prints nothing but the id on standard output, so that it can be piped.
func (cmd contextsCreateCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, func(ctx context.Context, s contexts.Service) error {
		made, err := s.Create(ctx, contexts.Create{Name: cmd.Name})
		if err == nil {
			fmt.Fprintln(c.stdout, made.ID)
		}
		return err
	})
}

type contextsListCmd struct{ onContexts }

// Run prints one line a context.
func (cmd contextsListCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, func(ctx context.Context, s contexts.Service) error {
		all, err := s.List(ctx)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tNAME\tCREATED\tSAVED\tIN USE BY")
		for _, one := range all {
			saved := "never"
			if !one.SavedAt.IsZero() {
				saved = zoned(one.SavedAt)
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", one.ID, nameText(one.Name), zoned(one.CreatedAt), saved, cmp.Or(one.InUseBy, "-"))
		}
		return w.Flush()
	})
}

// nameText shows a name so that nothing in it reaches the terminal but letters.
func nameText(name string) string {
	if name == "" {
		return "-"
	}
	return strconv.Quote(name)
}

type contextsDeleteCmd struct{ oneContext }

// Run deletes the context; a session that uses it goes on and saves nothing.
func (cmd contextsDeleteCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, func(ctx context.Context, s contexts.Service, one contexts.Context) error {
		if err := s.Delete(ctx, one.ID); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Deleted context %s%s.\n", one.ID, loserOf(one))
		return nil
	})
}

// loserOf tells who used a context that is deleted; empty for nobody.
func loserOf(one contexts.Context) string {
	switch {
	case one.InUseBy == "":
		return ""
	case strings.HasPrefix(one.InUseBy, "import "):
		return "; an import into it will save nothing"
	}
	return "; session " + one.InUseBy + " used it and will save nothing"
}

type contextsExportCmd struct {
	oneContext
	Output string `short:"o" default:"-" help:"File to write, readable by its owner only; - for standard output. Default ${default}." placeholder:"FILE"`
}

// Run writes the whole file or none.
func (cmd contextsExportCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, func(ctx context.Context, s contexts.Service, one contexts.Context) error {
		var got contexts.Restored
		export := func(w io.Writer) (err error) {
			got, err = s.Export(ctx, one.ID, w)
			return err
		}
		what, err := cmd.Output, error(nil)
		if what == "-" {
			what, err = "What was written", export(c.stdout)
		} else {
			err = writePrivate(what, export)
		}
		if err == nil && got.Fault != nil {
			fmt.Fprintf(c.stderr, "Warning: %s is older than it should be: %s.\n", what, errtypes.Public(got.Fault).Message)
		}
		if err == nil {
			fmt.Fprintf(c.stderr, "%s is in the clear: whoever has it is logged in wherever the context is.\n", what)
		}
		return err
	})
}

// exportPrefix is how folders are called in which an export is written.
const exportPrefix = ".drover-export-"

// writePrivate writes a file that only its owner can read, in the place of
// another when it is whole. What an export that was killed has left there goes.
func writePrivate(path string, write func(io.Writer) error) (err error) {
	dir := filepath.Dir(path)
	workdir.Sweep(dir, exportPrefix, slog.New(slog.DiscardHandler), nil)
	own, err := workdir.New(dir, exportPrefix)
	if err != nil {
		return errtypes.New(errtypes.Unavailable, "%s cannot be written", path).WithCause(err)
	}
	defer func() { err = errors.Join(err, own.Remove()) }()
	f, err := os.OpenFile(filepath.Join(own.Path(), "export"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return errtypes.New(errtypes.Unavailable, "%s cannot be written", path).WithCause(err)
	}
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

type contextsImportCmd struct {
	oneContext
	From string `arg:"" help:"Tar file as export writes it, - for standard input, or the user-data directory of a Chromium that does not run, with its folder Default."`
}

// Run makes the profile the next version of the context.
func (cmd contextsImportCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, func(ctx context.Context, s contexts.Service, one contexts.Context) error {
		from, err := openProfile(ctx, cmd.From)
		if err != nil {
			return err
		}
		if err := errors.Join(s.Import(ctx, one.ID, from), from.Close()); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Imported %s into context %s.\n", cmd.From, one.ID)
		return nil
	})
}
