package main

import (
	"context"
	"fmt"
	"log/slog"
	"text/tabwriter"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/projects"
)

type keysCmd struct {
	Create keysCreateCmd `cmd:"" help:"Make a key and print it; it is shown this once."`
	List   keysListCmd   `cmd:"" help:"List the projects and their keys."`
	Revoke keysRevokeCmd `cmd:"" help:"Make a key useless for good."`

	RotateMaster keysRotateMasterCmd `cmd:"" help:"Put a new master key into the data directory, and seal under it what the old one sealed."`
}

type keysCreateCmd struct {
	store
	Project string `default:"default" help:"Project of the key, by name or id; a name that is new makes the project."`
	Name    string `help:"What the key is for."`
}

// Run prints nothing but the key on standard output, so that it can be piped.
func (cmd keysCreateCmd) Run(ctx context.Context, c console) error {
	return withStore(ctx, cmd.Data, func(d *drover.Drover) error {
		if err := ensureProject(ctx, d.Projects, cmd.Project); err != nil {
			return err
		}
		key, secret, err := d.Projects.CreateKey(ctx, cmd.Project, cmd.Name)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stderr, "Key %s of project %q. It is shown this once:\n", key.ID, cmd.Project)
		fmt.Fprintln(c.stdout, secret)
		return nil
	})
}

func ensureProject(ctx context.Context, s projects.Service, ref string) error {
	_, err := s.Get(ctx, ref)
	if errtypes.Is(err, errtypes.NotFound) {
		_, err = s.Create(ctx, projects.Create{Name: ref})
	}
	return err
}

type keysListCmd struct{ store }

// Run prints one line a key. Of the key itself only its beginning is known.
func (cmd keysListCmd) Run(ctx context.Context, c console) error {
	if err := cmd.mustExist(); err != nil {
		return err
	}
	return withStore(ctx, cmd.Data, func(d *drover.Drover) error {
		all, err := d.Projects.List(ctx)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "PROJECT\tPROJECT ID\tUSER ID\tKEY ID\tKEY\tNAME\tCREATED\tSTATE")
		for _, p := range all {
			if err := listKeys(ctx, w, d.Projects, p); err != nil {
				return err
			}
		}
		return w.Flush()
	})
}

func listKeys(ctx context.Context, w *tabwriter.Writer, s projects.Service, p projects.Project) error {
	keys, err := s.Keys(ctx, p.ID)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		fmt.Fprintf(w, "%s\t%s\t%s\t-\t-\t-\t-\t-\n", p.Name, p.ID, p.UserID)
	}
	for _, k := range keys {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s…\t%s\t%s\t%s\n",
			p.Name, p.ID, p.UserID, k.ID, k.Prefix, k.Name, zoned(k.CreatedAt), state(k))
	}
	return nil
}

func state(k projects.Key) string {
	if k.RevokedAt.IsZero() {
		return "good"
	}
	return "revoked " + zoned(k.RevokedAt)
}

type keysRevokeCmd struct {
	store
	ID string `arg:"" help:"Id of the key, as list prints it."`
}

// Run revokes the key; a server on the same data refuses it from then on, and
// disconnects who came by links that were made with it.
func (cmd keysRevokeCmd) Run(ctx context.Context, c console) error {
	if err := cmd.mustExist(); err != nil {
		return err
	}
	return withStore(ctx, cmd.Data, func(d *drover.Drover) error {
		key, err := d.Projects.RevokeKey(ctx, cmd.ID)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Revoked key %s (%s…).\n", key.ID, key.Prefix)
		return nil
	})
}

func withStore(ctx context.Context, data string, do func(*drover.Drover) error, set ...func(*drover.Options)) error {
	if data == drover.InMemory {
		return errNotInMemory
	}
	d, err := openTool(ctx, data, network{}, slog.New(slog.DiscardHandler), set...)
	if err != nil {
		return err
	}
	defer d.Close()
	return do(d)
}
