package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"

	"github.com/drover-go/drover/fetch"
)

type fetchCmd struct {
	URL      string `arg:"" help:"The page to fetch."`
	Format   string `enum:"raw,markdown" default:"raw" help:"raw or markdown."`
	Render   bool   `help:"Load the page in a browser, which runs its scripts."`
	Follow   bool   `help:"Follow redirects."`
	Insecure bool   `help:"Accept any TLS certificate."`
	Proxies  bool   `help:"Fetch through one of the proxies of --proxy."`
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
	page, err := d.Fetch.Get(ctx, cmd.URL, fetch.Options{
		Format: fetch.Format(cmd.Format), AllowRedirects: cmd.Follow, AllowInsecureSSL: cmd.Insecure,
		Proxies: cmd.Proxies, Render: cmd.Render,
	})
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
