package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/extract"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/fetch/markdown"
)

// Extractor is a model of the host. It is asked only for what a schema requires
// and a page was not found to say, and believed only where its answer matches
// the schema.
type Extractor interface {
	// Extract returns a JSON object whose members are named by pointers of the
	// question; it may leave some out. An error takes nothing from the answer of
	// the fetch, which reports it in ExtractorErr. The context is that of the
	// fetch and ends with it.
	Extract(ctx context.Context, q Question) (json.RawMessage, error)
}

// Question is what an [Extractor] is asked.
type Question struct {
	// URL is the address of the page.
	URL string
	// Markdown is the page. It was written by a stranger.
	Markdown string
	// Unsatisfied are JSON Pointers into the content: what is asked for.
	Unsatisfied []string
	// Schema is the JSON Schema of the answer: an object whose members are named
	// by those pointers, each with its part of the schema.
	Schema json.RawMessage
	// Content is what was found.
	Content json.RawMessage
}

// compile checks the schema of format JSON (DECISIONS 12 and 19).
func (o Options) compile() (*extract.Schema, error) {
	if o.Format != JSON {
		return nil, nil
	}
	raw := bytes.TrimSpace(o.Schema)
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return nil, errtypes.Field("schema", `is required for format "json"`)
	case raw[0] != '{':
		return nil, errtypes.Field("schema", "must be an object")
	}
	return extract.Compile(raw, extract.CompileOptions{Field: "schema"})
}

// shape reads the page and fills the schema with what it says.
func (a *answer) shape(got *Answer, o Options) error {
	whole, err := a.readAll()
	if err != nil {
		return err
	}
	kind := a.kind(whole)
	if whole != "" && !kind.isHTML && !strings.HasPrefix(kind.media, "text/") { // DECISIONS 19
		return errtypes.Field("format", "json is not supported for the content type %q", kind.shown())
	}
	if err := a.one.takeTurn(); err != nil {
		return err
	}
	defer a.one.leaveTurn()
	page := kind.lossyText(whole)
	doc, err := parse(a.one.ctx, page, kind)
	if err != nil {
		return err
	}
	if kind.isHTML {
		if err := a.note(doc); err != nil {
			return err
		}
	}
	shaped, err := extract.Shape(a.one.ctx, doc, a.url, a.one.schema, a.extraction(page, kind, o))
	if err != nil {
		return err
	}
	got.Content, got.Encoding, got.Unsatisfied = string(shaped.Content), encodingText, shaped.Unsatisfied
	got.Origins, got.ExtractorErr = shaped.Origins, shaped.CompleteErr
	if err := shaped.CompleteErr; err != nil {
		a.one.conf.Logger.LogAttrs(a.one.ctx, slog.LevelWarn, "extractor", slog.String("id", got.ID), slog.String("error", err.Error()))
	}
	return nil
}

// parse reads a page; a text is one of which the lines are known.
func parse(ctx context.Context, page string, kind mediaKind) (*html.Node, error) {
	if !kind.isHTML {
		page = "<pre>" + html.EscapeString(page) + "</pre>"
	}
	return tree.Parse(ctx, page, tree.Options{})
}

// extraction are the settings of one fetch.
func (a *answer) extraction(page string, kind mediaKind, o Options) extract.ShapeOptions {
	limits := a.one.conf.Extract
	limits.Explain, limits.Complete = o.Explain, nil
	asked := o.Extractor
	if asked == nil {
		asked = a.one.conf.Extractor
	}
	if asked == nil {
		return limits
	}
	limits.Complete = func(ctx context.Context, q extract.Question) (json.RawMessage, error) {
		text, err := a.readable(ctx, page, kind)
		if err != nil {
			return nil, err
		}
		a.one.leaveTurn() // a model takes its time, and no processor
		defer a.one.retakeTurn()
		return asked.Extract(ctx, Question{URL: a.url.String(), Markdown: text, Unsatisfied: q.Unsatisfied, Schema: q.Schema, Content: q.Content})
	}
	return limits
}

// readable is the page as a model reads it.
func (a *answer) readable(ctx context.Context, page string, kind mediaKind) (string, error) {
	if !kind.isHTML {
		return page, nil
	}
	limits := a.one.markdown
	limits.PageURL = a.url
	return markdown.FromString(ctx, page, limits)
}
