package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"sync"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/extract"
	"github.com/drover-go/drover/fetch/maincontent"
)

// Extractor is a model of the host. It is asked only for what a schema requires
// and a page was not found to say, and believed only where its answer matches
// the schema.
//
// It returns a JSON object whose members are named by pointers of the question;
// it may leave some out. An error takes nothing from the answer of the fetch,
// which reports it in ExtractorErr. The context is that of the fetch and ends
// with it.
type Extractor func(ctx context.Context, q Question) (json.RawMessage, error)

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
	raw := bytes.TrimSpace(bytes.TrimPrefix(o.Schema, []byte("\uFEFF")))
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return nil, errtypes.Field("schema", `is required for format "json"`)
	case raw[0] != '{':
		return nil, errtypes.Field("schema", `must be a JSON object: {"type": "object", "properties": {…}}`)
	}
	return extract.Compile(raw, extract.CompileOptions{Field: "schema"})
}

// shape fills the schema with what the page says.
func (a *answer) shape(got *Answer, o Options, whole string, kind mediaKind) error {
	if whole != "" {
		if err := kind.readable(JSON); err != nil {
			return err
		}
	}
	return a.read(got, whole, kind, func(d *document) error { return d.shape(got, o) })
}

func (d *document) shape(got *Answer, o Options) error {
	settings, err := d.extraction(o)
	if err != nil {
		return err
	}
	shaped, err := d.page.Shape(d.one.ctx, d.one.schema, settings)
	if err != nil {
		return err
	}
	got.Content, got.Encoding, got.Unsatisfied = string(shaped.Content), encodingText, shaped.Unsatisfied
	got.Origins, got.ExtractorErr = shaped.Origins, shaped.CompleteErr
	if err := shaped.CompleteErr; err != nil {
		d.one.conf.Logger.LogAttrs(d.one.ctx, slog.LevelWarn, "extractor", slog.String("id", got.ID), slog.String("error", err.Error()))
	}
	return nil
}

// extraction are the settings of one fetch.
func (d *document) extraction(o Options) (extract.ShapeOptions, error) {
	settings := d.one.conf.Extract
	settings.Explain, settings.Complete = o.Explain, nil
	content := sync.OnceValues(func() (*maincontent.Result, error) { return d.main(true) })
	settings.Body = func() (string, *html.Node, error) { return bodyOf(content()) }
	if o.OnlyMainContent {
		found, err := content()
		if err != nil {
			return settings, err
		}
		settings.Shown, settings.Original = found.Tree, found.Original
	}
	asked := o.Extractor
	if asked == nil {
		asked = d.one.conf.Extractor
	}
	if asked != nil {
		settings.Complete = func(ctx context.Context, q extract.Question) (json.RawMessage, error) {
			return d.ask(ctx, asked, q, o.OnlyMainContent)
		}
	}
	return settings, nil
}

// bodyOf is the text of a content without its title, and the element around it.
func bodyOf(found *maincontent.Result, err error) (string, *html.Node, error) {
	if err != nil {
		return "", nil, err
	}
	return found.Body(), found.Around(), nil
}

// ask puts a question to the host's model, which takes its time, and no
// processor. The page has been read by then, so its tree may be converted.
func (d *document) ask(ctx context.Context, asks Extractor, q extract.Question, mainOnly bool) (json.RawMessage, error) {
	text, err := d.markdown(ctx, mainOnly)
	if err != nil {
		return nil, err
	}
	d.one.leaveTurn()
	defer d.one.retakeTurn()
	return asks(ctx, Question{URL: d.url.String(), Markdown: text, Unsatisfied: q.Unsatisfied, Schema: q.Schema, Content: q.Content})
}
