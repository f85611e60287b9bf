package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/storage/certificates"
)

type fetchCmd struct {
	URL      string `arg:"" help:"The page to fetch."`
	Format   string `enum:"raw,json,markdown" default:"raw" help:"raw, markdown, or json, which needs --schema."`
	Schema   string `placeholder:"FILE" help:"A JSON Schema: the shape of the page's data in format json; - is the standard input."`
	Explain  bool   `help:"Say on the error output where on the page each value of format json was found."`
	MainOnly bool   `name:"only-main-content" help:"Leave out what surrounds the content of the page."`
	Render   bool   `help:"Load the page in a browser, which runs its scripts."`
	Follow   bool   `help:"Follow redirects."`
	Fail     bool   `help:"Exit with an error where the page answers 400 or more, or does not say what the schema requires."`
	Insecure bool   `help:"Accept any TLS certificate."`

	CACertificate     []string `name:"ca-certificate" placeholder:"FILE" help:"Trust the authorities in the file, too (PEM, DER or PKCS#12)."`
	ClientCertificate []string `name:"client-certificate" placeholder:"FILE" help:"Show this certificate to servers that ask for it; the file has its key, too."`
	CertPassword      string   `name:"certificate-password" env:"DROVER_CERTIFICATE_PASSWORD" help:"Opens PKCS#12 files."`

	Proxies bool `help:"Fetch through one of the proxies of --proxy."`
	network
}

// Run prints the page. What is not text is printed as the bytes that it is.
func (cmd fetchCmd) Run(ctx context.Context, c console) error {
	log := slog.New(slog.NewTextHandler(c.stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	d, err := openTool(ctx, ":memory:", cmd.network, log)
	if err != nil {
		return err
	}
	defer d.Close()
	o := fetch.Options{
		Format: fetch.Format(cmd.Format), AllowRedirects: cmd.Follow, AllowInsecureSSL: cmd.Insecure,
		Proxies: cmd.Proxies, Render: cmd.Render, OnlyMainContent: cmd.MainOnly, Explain: cmd.Explain,
	}
	if o.Schema, err = cmd.schema(); err != nil {
		return err
	}
	if o.CACertificates, err = cmd.upload(ctx, d, cmd.CACertificate); err != nil {
		return err
	}
	if o.ClientCertificates, err = cmd.upload(ctx, d, cmd.ClientCertificate); err != nil {
		return err
	}
	page, err := d.Fetch.Get(ctx, cmd.URL, o)
	if err != nil {
		return err
	}
	cmd.warn(c.stderr, page)
	if cmd.Format != string(fetch.Raw) {
		page.Content += "\n"
	}
	cmd.explain(c.stderr, page)
	if err := printPage(c.stdout, page); err != nil {
		return err
	}
	return cmd.verdict(page)
}

// verdict is what --fail makes of the answer.
func (cmd fetchCmd) verdict(page *fetch.Answer) error {
	switch {
	case !cmd.Fail:
	case page.StatusCode >= 400:
		return fmt.Errorf("the page answered %d", page.StatusCode)
	case len(page.Unsatisfied) > 0:
		return errors.New("the page does not say all that the schema requires")
	}
	return nil
}

// warn tells of an answer that is hardly the page that was meant.
func (cmd fetchCmd) warn(w io.Writer, page *fetch.Answer) {
	to := page.Headers["location"]
	switch {
	case page.StatusCode < 300:
	case page.StatusCode < 400 && to != "" && !cmd.Follow:
		fmt.Fprintf(w, "drover: the page answered %d and sends on to %s: --follow goes there\n", page.StatusCode, to)
	case !cmd.Fail:
		fmt.Fprintln(w, "drover: the page answered", page.StatusCode)
	}
}

// schema reads the file of the schema, if there is one.
func (cmd fetchCmd) schema() (json.RawMessage, error) {
	switch {
	case cmd.Explain && cmd.Format != string(fetch.JSON):
		return nil, errtypes.New(errtypes.Invalid, "--explain is for --format json")
	case cmd.Schema != "" && cmd.Format != string(fetch.JSON):
		return nil, errtypes.New(errtypes.Invalid, "--schema is for --format json")
	case cmd.Format == string(fetch.JSON) && cmd.Schema == "":
		return nil, errtypes.New(errtypes.Invalid, "--format json needs --schema")
	case cmd.Schema == "":
		return nil, nil
	}
	if cmd.Schema == "-" {
		return io.ReadAll(io.LimitReader(os.Stdin, maxSchemaFile))
	}
	return os.ReadFile(cmd.Schema)
}

// maxSchemaFile is how much of the standard input is read; a schema may not be
// as long.
const maxSchemaFile = 1 << 20

// explain says what the page does not say, and where the rest was found.
func (cmd fetchCmd) explain(w io.Writer, page *fetch.Answer) {
	for _, o := range page.Origins {
		fmt.Fprintln(w, o)
	}
	for _, pointer := range page.Unsatisfied {
		if pointer == "" {
			fmt.Fprintln(w, "drover: what the page says does not match the schema as a whole")
			continue
		}
		fmt.Fprintln(w, "drover: the page does not say", pointer)
	}
}

// upload keeps files of certificates as long as the command runs.
func (cmd fetchCmd) upload(ctx context.Context, d *drover.Drover, files []string) (ids []string, err error) {
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		kept, err := d.Certificates.Upload(ctx, certificates.Upload{Content: file, Password: cmd.CertPassword})
		file.Close()
		if err != nil {
			public := errtypes.Public(err)
			return nil, errtypes.New(public.Kind, "%s: %s", name, public.Message)
		}
		ids = append(ids, kept.ID)
	}
	return ids, nil
}

func printPage(w io.Writer, page *fetch.Answer) error {
	content := []byte(page.Content)
	if page.Encoding == "base64" {
		var err error
		if content, err = base64.StdEncoding.DecodeString(page.Content); err != nil {
			return err
		}
	}
	_, err := w.Write(content)
	return err
}
