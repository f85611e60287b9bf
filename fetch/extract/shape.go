package extract

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/extract/internal/candidates"
	"github.com/drover-go/drover/fetch/extract/internal/read"
	"github.com/drover-go/drover/fetch/extract/internal/shape"
	"github.com/drover-go/drover/internal/schema"
)

// Schema is a JSON Schema that pages can be shaped by. It is safe for
// concurrent use.
type Schema struct {
	compiled *schema.Schema
	field    string
}

// CompileOptions are the settings of [Compile].
type CompileOptions struct {
	// Field is how the caller's users know the schema; errors name it. Default
	// "schema".
	Field string
	// MaxSize is the largest schema in bytes. Default 256 KiB.
	MaxSize int
}

// Compile reads a JSON Schema of draft 4, 6, 7, 2019-09 or 2020-12. Error kind:
// Invalid for what is not one, goes beyond the limits, or whose root cannot be
// an object; the message names the field and the place.
func Compile(raw json.RawMessage, o CompileOptions) (*Schema, error) {
	field := cmp.Or(o.Field, "schema")
	s, err := schema.Compile(raw, schema.Options{Field: field, MaxSize: o.MaxSize})
	if err != nil {
		return nil, err
	}
	if !s.RootCanBeObject() {
		return nil, errtypes.Field(field, "must allow an object at its root")
	}
	return &Schema{s, field}, nil
}

// Raw returns the schema as it was given. The caller must not change it.
func (s *Schema) Raw() json.RawMessage { return s.compiled.Raw() }

// ShapeOptions are the limits of [Shape].
type ShapeOptions struct {
	// MaxRead is how many steps reading the page may take. Default 20,000,000.
	MaxRead int
	// MaxWork is how many steps filling the schema may take: a name that is
	// compared is one, and so is one of a validation. Default 3,000,000.
	MaxWork int
	// MaxDepth is how deep the content may nest. Default 16.
	MaxDepth int
	// MaxItems is how many items an array of the content may get. Default 2,000.
	MaxItems int
	// MaxMembers is how many members that the schema does not name an object of
	// the content may get. Default 200.
	MaxMembers int
	// Shown is a tree that holds what is to be taken of what people see: the main
	// part of the page, say. What the page says for machines is taken in any
	// case. Default the tree of the page.
	Shown *html.Node
	// Original returns the element of the page that one of Shown is a copy of, or
	// nil: origins then say where it is on the page. Default none is a copy.
	Original func(*html.Node) *html.Node
	// Body gives the text of the page's content and the element that holds it. It
	// is asked for where the schema has a property for the text of an article
	// ("content", "body", "text"), and used where the page does not say it for
	// machines. Default no text.
	Body func() (text string, in *html.Node, err error)
	// Explain gives the origins of the values. Default false.
	Explain bool
	// Complete is asked for what stays unsatisfied. Default nobody.
	Complete func(context.Context, Question) (json.RawMessage, error)

	model *candidates.Model // of a test that has grown its own
}

// Question asks for what a schema requires and was not found on a page.
type Question struct {
	// Unsatisfied are the JSON Pointers into the content of what is asked for.
	Unsatisfied []string
	// Schema describes the answer: an object whose members are named by those
	// pointers, each with its part of the schema.
	Schema json.RawMessage
	// Content is what was found.
	Content json.RawMessage
}

// Result is what a page says, in the shape of a schema.
type Result struct {
	// Content is a JSON object, its properties in the order of the schema.
	Content json.RawMessage
	// Unsatisfied are JSON Pointers into the content: what the schema requires
	// and the page does not have. Without any, the content is valid.
	Unsatisfied []string
	// Origins say of each value in the content where it was found, if that was
	// asked for.
	Origins []Origin
	// CompleteErr is why nothing, or not all, of what [ShapeOptions.Complete] answered
	// was taken, or nil.
	CompleteErr error
}

// Shape fills a schema with what the page says. It changes nothing in the
// tree. The same page and schema give the same bytes. Error kinds: BadGateway
// for a page that takes too many steps to read; Invalid for a schema that asks
// for more than the page can be searched for; the cause of a context that ends
// is returned as it is.
func Shape(ctx context.Context, doc *html.Node, pageURL *url.URL, s *Schema, o ShapeOptions) (_ *Result, err error) {
	p, err := Open(ctx, doc, pageURL, OpenOptions{MaxRead: o.MaxRead})
	if err != nil {
		return nil, err
	}
	return p.Shape(ctx, s, o)
}

// Shape is [Shape] for a page that is open.
func (p *Page) Shape(ctx context.Context, s *Schema, o ShapeOptions) (_ *Result, err error) {
	defer errtypes.Wrap(&err, "extract.Shape")
	g, err := read.Read(p.page, o.Shown)
	if err != nil {
		return nil, err
	}
	withoutSiteNames(g, p.page.URL)
	r, err := shape.Fill(ctx, g, s.compiled, shape.Options{
		PageURL: p.page.Address(), Language: p.page.Language, Resolve: p.page.Links.Resolve,
		Field: s.field, MaxWork: o.MaxWork, MaxDepth: o.MaxDepth, MaxItems: o.MaxItems, MaxMembers: o.MaxMembers,
		Shown: p.shownLists(o), Body: o.Body, Own: p.own,
	})
	if err != nil {
		return nil, err
	}
	var paths paths
	if o.Explain { // whoever completes the content may use up the tree
		paths = pathsOf(r.Origins, o.Original)
	}
	r, completeErr, err := complete(ctx, r, s, o)
	if err != nil {
		return nil, err
	}
	got := &Result{Content: r.Content, Unsatisfied: r.Unsatisfied, CompleteErr: completeErr}
	if o.Explain {
		got.Origins = originsOf(r.Origins, paths)
	}
	return got, nil
}
