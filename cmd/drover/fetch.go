package main

import (
	"context"
	"encoding/base64"
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
	Format   string `enum:"raw,markdown" default:"raw" help:"raw or markdown."`
	Render   bool   `help:"Load the page in a browser, which runs its scripts."`
	Follow   bool   `help:"Follow redirects."`
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
		Proxies: cmd.Proxies, Render: cmd.Render,
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
	if page.StatusCode >= 300 {
		fmt.Fprintln(c.stderr, "drover: the page answered", page.StatusCode, page.Headers["location"])
	}
	if cmd.Format == string(fetch.Markdown) {
		page.Content += "\n"
	}
	return printPage(c.stdout, page)
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
