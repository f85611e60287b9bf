package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/extensions"
)

type extensionsCmd struct {
	List   extensionsListCmd   `cmd:"" help:"List the extensions of a project."`
	Upload extensionsUploadCmd `cmd:"" help:"Store an extension and print its id."`
	Delete extensionsDeleteCmd `cmd:"" help:"Delete an extension; sessions that have it keep it."`
}

type extensionsListCmd struct{ ofProject }

// Run prints one line an extension, the newest first. Names come from the
// archives, so they are quoted.
func (cmd extensionsListCmd) Run(ctx context.Context, c console) error {
	return cmd.with(ctx, func(ctx context.Context, d *drover.Drover) error {
		all, err := d.Extensions.List(ctx)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tNAME\tVERSION\tFILE\tBYTES\tCREATED")
		for _, e := range all {
			fmt.Fprintf(w, "%s\t%q\t%s\t%s\t%d\t%s\n", e.ID, e.Name, e.Version, e.FileName, e.Size, zoned(e.CreatedAt))
		}
		return w.Flush()
	})
}

// extensionRights are the flags of commands that let extensions in.
type extensionRights struct {
	DebuggerExtensions bool `env:"DROVER_DEBUGGER_EXTENSIONS" help:"Let extensions ask for the permission \"debugger\", as Stagehand 4 does. See docs/security.md."`
}

func (r extensionRights) apply(o *drover.Options) { o.DebuggerExtensions = r.DebuggerExtensions }

type extensionsUploadCmd struct {
	ofProject
	extensionRights
	File string `arg:"" help:"A .zip or .crx archive with manifest.json at its root."`
}

// Run prints nothing but the id on standard output, so that it can be piped.
func (cmd extensionsUploadCmd) Run(ctx context.Context, c console) error {
	f, err := os.Open(cmd.File)
	if err != nil {
		return errtypes.New(errtypes.Invalid, "the file cannot be read: %v", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return errtypes.New(errtypes.Invalid, "%s is a directory: zip what is in it, with manifest.json at the root", cmd.File)
	}
	return cmd.with(ctx, func(ctx context.Context, d *drover.Drover) error {
		e, err := d.Extensions.Upload(ctx, extensions.Upload{FileName: filepath.Base(cmd.File), Content: f})
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stderr, "Stored %q, version %s.\n", e.Name, e.Version)
		fmt.Fprintln(c.stdout, e.ID)
		return nil
	}, cmd.apply)
}

type extensionsDeleteCmd struct {
	ofProject
	ID string `arg:"" help:"Id of the extension, as list prints it."`
}

// Run deletes the extension.
func (cmd extensionsDeleteCmd) Run(ctx context.Context, c console) error {
	return cmd.with(ctx, func(ctx context.Context, d *drover.Drover) error {
		if err := d.Extensions.Delete(ctx, cmd.ID); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Deleted extension %s.\n", cmd.ID)
		return nil
	})
}
