package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/sight"
	"github.com/drover-go/drover/fetch/markdown"
	"github.com/drover-go/drover/runs/model"
)

// fetchName is the tool that reads a page without the browser.
const fetchName = "fetch"

// Fetched is what the server of an address answered.
type Fetched struct {
	// URL is where it was, after redirects.
	URL    string
	Status int
	// ContentType is the media type that it says it has.
	ContentType string
	// Text is the content in UTF-8, or Bytes where it is no text.
	Text  string
	Bytes []byte
}

func (s *Set) fetch() tool {
	return tool{
		Tool: model.Tool{
			Name: fetchName,
			Description: "Reads another page or file while the one in the browser stays. It is asked for plainly, without the browser's cookies and without scripts: " +
				"what needs a login is not there. As text: all that the page says. As main: what it is there for. As markdown: with links and tables. " +
				"A long one comes in parts: go on with the offset that the answer names.",
			Input: object(1,
				"url", property("string", "An http or https address."),
				"as", `{"type":"string","enum":["text","main","markdown"],"description":"Default main."}`,
				"offset", property("integer", "Where to go on. Default 0.")),
		},
		opensItself: true,
		run:         s.runFetch,
	}
}

type fetchInput struct {
	URL    string `json:"url"`
	As     string `json:"as"`
	Offset int    `json:"offset"`
}

func (s *Set) runFetch(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[fetchInput](raw)
	in.URL, in.As = strings.TrimSpace(in.URL), cmp.Or(in.As, "main")
	switch {
	case err != nil:
		return Result{}, err
	case in.URL == "":
		return Result{}, badInput("url is required")
	case len(in.URL) > maxURL:
		return Result{}, badInput("url must be at most %d bytes", maxURL)
	case in.Offset < 0:
		return Result{}, badInput("offset must not be negative")
	case !slices.Contains([]string{"text", "main", "markdown"}, in.As):
		return Result{}, badInput("as must be text, main or markdown")
	}
	if in.Offset == 0 || s.fetched.url != in.URL || s.fetched.as != in.As {
		if s.fetched, err = s.fetchPage(ctx, in); err != nil {
			return Result{}, err
		}
	}
	r := s.showText(s.fetched.text, s.fetched.cut, in.Offset)
	r.Output = model.TextOutput(s.fetched.about + "\n" + r.Output.Text())
	return r, nil
}

// fetchedPage is a page that is read part by part.
type fetchedPage struct {
	url, as     string
	about, text string
	cut         bool
}

func (s *Set) fetchPage(ctx context.Context, in fetchInput) (fetchedPage, error) {
	address, err := s.resolveURL(ctx, withScheme(in.URL))
	if err != nil {
		return fetchedPage{}, err
	}
	s.noteOpened(address, in.URL)
	got, err := s.opts.Fetch(ctx, address)
	if err != nil {
		return fetchedPage{}, navigationError(err)
	}
	p := fetchedPage{url: in.URL, as: in.As, about: s.aboutFetched(got)}
	if len(got.Text) > s.opts.MaxHTML { // half a value at the end would not be recognised as one
		got.Text, p.cut = strings.ToValidUTF8(got.Text[:max(s.opts.MaxHTML-s.opts.Variables.Longest(), 0)], ""), true
	}
	p.text, err = s.fetchedText(ctx, got, in.As)
	return p, err
}

// aboutFetched says what was had: none of it is the page's own words but what stands
// in quotes.
func (s *Set) aboutFetched(got Fetched) string {
	about := fmt.Sprintf("Fetched %q", cut(oneLine(s.clean(got.URL)), maxField))
	if got.Status != http.StatusOK {
		about += fmt.Sprintf("; the server answers %d", got.Status)
	}
	return about + "."
}

// fetchedText is what a page or file says. PDFs are read by Options.PDF.
func (s *Set) fetchedText(ctx context.Context, got Fetched, as string) (string, error) {
	kind, _, _ := mime.ParseMediaType(got.ContentType)
	switch {
	case kind == "application/pdf" && s.opts.PDF != nil && len(got.Bytes) > 0:
		return s.opts.PDF(ctx, got.Bytes)
	case got.Text == "" && len(got.Bytes) > 0:
		return fmt.Sprintf("(no text: %d bytes of the type %q)", len(got.Bytes), cut(oneLine(s.clean(cmp.Or(kind, "unknown"))), 100)), nil
	case kind != "" && kind != "text/html" && kind != "application/xhtml+xml":
		return got.Text, nil
	}
	switch as {
	case "markdown":
		at, _ := url.Parse(got.URL)
		return markdown.FromString(ctx, s.opts.Variables.Redact(got.Text), markdown.Options{PageURL: at}) // its escapes would hide a value
	case "text":
		return sight.Text(got.Text)
	}
	return mainText(ctx, got.Text)
}
