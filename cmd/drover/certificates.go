package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/certificates"
)

type certificatesCmd struct {
	Add    certificatesAddCmd    `cmd:"" help:"Store a file of certificates and print its id."`
	List   certificatesListCmd   `cmd:"" help:"List the certificates of a project."`
	Show   certificatesShowCmd   `cmd:"" help:"Print what a certificate is."`
	Delete certificatesDeleteCmd `cmd:"" help:"Delete a certificate; what uses it already goes on."`
}

type certificatesAddCmd struct {
	ofProject
	File     string `arg:"" help:"PEM, DER or PKCS#12: certificates of authorities to trust, or a client's with its key."`
	Password string `help:"Opens PKCS#12 and encrypted keys. \"@NAME\" takes the environment variable NAME, which others do not see." placeholder:"PASSWORD"`
}

// Run prints nothing but the id on standard output, so that it can be piped.
func (cmd certificatesAddCmd) Run(ctx context.Context, c console) error {
	password := cmd.Password
	if env, ok := cutEnv(password); ok {
		if password = os.Getenv(env); password == "" {
			return errtypes.Field("--password", "names the environment variable %s, which is not set", env)
		}
	}
	f, err := os.Open(cmd.File)
	if err != nil {
		return errtypes.New(errtypes.Invalid, "the file cannot be read: %v", err)
	}
	defer f.Close()
	return cmd.with(ctx, func(ctx context.Context, d *drover.Drover) error {
		made, err := d.Certificates.Upload(ctx, certificates.Upload{Content: f, Password: password, RefuseUnused: true})
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stderr, "Stored %s of %q.\n", kindText(made), made.Subject)
		fmt.Fprintln(c.stdout, made.ID)
		return nil
	})
}

// kindText says what a file is good for.
func kindText(c certificates.Certificate) string {
	if c.Kind == certificates.Client {
		return "the certificate and key"
	}
	return "the authority"
}

type certificatesListCmd struct {
	ofProject
	JSON bool `name:"json" help:"Print JSON, for programs."`
}

// Run prints one line a file, the newest first. Subjects come from the files, so
// they are quoted.
func (cmd certificatesListCmd) Run(ctx context.Context, c console) error {
	return cmd.with(ctx, func(ctx context.Context, d *drover.Drover) error {
		all, err := d.Certificates.List(ctx)
		if err != nil {
			return err
		}
		if cmd.JSON {
			list := []certificateState{}
			for _, one := range all {
				list = append(list, certificateOut(one))
			}
			return printValue(c.stdout, list)
		}
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tKIND\tSUBJECT\tCERTIFICATES\tVALID UNTIL\tCREATED")
		for _, one := range all {
			fmt.Fprintf(w, "%s\t%s\t%q\t%d\t%s\t%s\n", one.ID, one.Kind, one.Subject, one.Count, zoned(one.NotAfter), zoned(one.CreatedAt))
		}
		return w.Flush()
	})
}

// certificateState is a certificate as programs get it, as over HTTP.
type certificateState struct {
	ID          string    `json:"id"`
	Kind        string    `json:"kind"`
	Subject     string    `json:"subject"`
	Fingerprint string    `json:"fingerprint"`
	Count       int       `json:"count"`
	NotBefore   time.Time `json:"notBefore"`
	NotAfter    time.Time `json:"notAfter"`
	CreatedAt   time.Time `json:"createdAt"`
}

func certificateOut(c certificates.Certificate) certificateState {
	return certificateState{c.ID, string(c.Kind), c.Subject, c.Fingerprint, c.Count, c.NotBefore, c.NotAfter, c.CreatedAt}
}

type certificatesShowCmd struct {
	ofProject
	ID   string `arg:"" help:"Id of the certificate, as list prints it."`
	JSON bool   `name:"json" help:"Print JSON, for programs."`
}

// Run prints what is known of a file; its key is never shown.
func (cmd certificatesShowCmd) Run(ctx context.Context, c console) error {
	return cmd.with(ctx, func(ctx context.Context, d *drover.Drover) error {
		one, err := d.Certificates.Get(ctx, cmd.ID)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return printValue(c.stdout, certificateOut(one))
		}
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintf(w, "id\t%s\nkind\t%s\nsubject\t%q\ncertificates\t%d\n", one.ID, one.Kind, one.Subject, one.Count)
		fmt.Fprintf(w, "SHA-256\t%s\nvalid from\t%s\nvalid until\t%s\n", one.Fingerprint, zoned(one.NotBefore), zoned(one.NotAfter))
		fmt.Fprintf(w, "created\t%s\n", zoned(one.CreatedAt))
		return w.Flush()
	})
}

type certificatesDeleteCmd struct {
	ofProject
	IDs []string `arg:"" name:"id" help:"Ids of the certificates, as list prints them."`
}

// Run deletes each, whatever becomes of the others.
func (cmd certificatesDeleteCmd) Run(ctx context.Context, c console) error {
	return cmd.with(ctx, func(ctx context.Context, d *drover.Drover) (failed error) {
		for _, id := range cmd.IDs {
			if err := d.Certificates.Delete(ctx, id); err != nil {
				failed = errors.Join(failed, err)
				continue
			}
			fmt.Fprintf(c.stdout, "Deleted certificate %s.\n", id)
		}
		return failed
	})
}
