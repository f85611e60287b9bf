// Package markdown turns a page into CommonMark with the tables, task lists
// and strikethrough of GitHub's flavour.
//
// The engine is the converter of html-to-markdown v2 with rules of our own, see
// engine.go, behind a pass over the tree, which mends what would be lost: links
// and images become absolute against the page's base, images that are loaded
// late get their address, what nobody sees (scripts, styles, templates, hidden
// elements) goes, tables, definition lists, check boxes, formulas and code are
// brought into forms that markdown has.
//
// The time taken is linear in the size of the page, whatever the page holds. It
// is counted in steps, of which there is a limit, and ends when the context does.
package markdown

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// Options are the settings of a conversion. The zero value is useful.
type Options struct {
	// PageURL is the address that answered with the page, after redirects.
	// Default nil: without an absolute address in a base element, relative
	// links and images stay as they are.
	PageURL *url.URL
	// MaxInput is the size of a page in bytes above which [FromReader] and
	// [FromString] refuse it. Default 32 MiB.
	MaxInput int
	// MaxOutput is the size of the markdown in bytes above which a conversion
	// ends with an error: a small page can ask for much, with a long base
	// address and many links. Default 64 MiB.
	MaxOutput int
	// MaxDepth is how deep elements may nest; what is deeper keeps its text
	// only. Default 512, the deepest that the HTML parser makes.
	MaxDepth int
	// MaxNodes is how many elements and texts a page may have: one that has
	// more is refused, after it was read without its formatting elements, which
	// multiply where they are not closed. A node takes about 200 bytes. Default
	// 1,000,000.
	MaxNodes int
	// MaxWork is how many steps a conversion may take, a step being a node
	// that is visited or 64 bytes that are copied; a page of a million nodes
	// takes up to twenty million. Default 50,000,000.
	MaxWork int
	// MaxNesting is how deep lists and quotes may nest; deeper ones become
	// paragraphs, for each level makes every line below it longer. Default 24.
	MaxNesting int
}

func (o Options) withDefaults() Options {
	o.MaxInput = cmp.Or(o.MaxInput, 32<<20)
	o.MaxOutput = cmp.Or(o.MaxOutput, 64<<20)
	o.MaxDepth = cmp.Or(o.MaxDepth, 512)
	o.MaxNodes = cmp.Or(o.MaxNodes, 1_000_000)
	o.MaxWork = cmp.Or(o.MaxWork, 50_000_000)
	o.MaxNesting = cmp.Or(o.MaxNesting, 24)
	return o
}

// FromReader reads a page in UTF-8 and converts it. Error kinds: BadGateway for
// a page that goes beyond one of the limits; an error of r, and the cause of a
// context that ends before the work is done, are returned as they are.
func FromReader(ctx context.Context, r io.Reader, o Options) (_ string, err error) {
	defer errtypes.Wrap(&err, "markdown.FromReader")
	limit := o.withDefaults().MaxInput
	var b bytes.Buffer
	if _, err := b.ReadFrom(io.LimitReader(r, int64(limit)+1)); err != nil {
		return "", err
	}
	return FromString(ctx, b.String(), o)
}

// FromString converts a page. Error kinds are those of [FromReader].
func FromString(ctx context.Context, page string, o Options) (_ string, err error) {
	defer errtypes.Wrap(&err, "markdown.FromString")
	doc, err := Parse(ctx, page, o)
	if err != nil {
		return "", err
	}
	return Convert(ctx, doc, o)
}

// Parse reads a page for [Convert], and for whoever looks at the tree before.
// Error kinds are those of [FromReader].
func Parse(ctx context.Context, page string, o Options) (_ *html.Node, err error) {
	defer errtypes.Wrap(&err, "markdown.Parse")
	o = o.withDefaults()
	if len(page) > o.MaxInput {
		return nil, errtypes.New(errtypes.BadGateway, "the page is larger than %d bytes", o.MaxInput)
	}
	return tree.Parse(ctx, strings.ToValidUTF8(page, "\uFFFD"), tree.Options{MaxNodes: o.MaxNodes})
}

// Convert returns a page as markdown, without a line break at its end, in
// valid UTF-8; an empty page gives "". It takes the tree over and rewrites it
// in place: whoever still needs the tree must use it before, or copy it.
//
// Error kind: BadGateway for a page that goes beyond MaxNodes, MaxWork or
// MaxOutput. The cause of a context that ends is returned as it is; the
// conversion stops within a few milliseconds.
func Convert(ctx context.Context, doc *html.Node, o Options) (_ string, err error) {
	defer errtypes.Wrap(&err, "markdown.Convert")
	o = o.withDefaults()
	return convert(newWork(ctx, o.MaxWork), doc, o)
}

func convert(w *work, doc *html.Node, o Options) (text string, err error) {
	err = w.Run(func() error {
		text, err = write(w, doc, o)
		return err
	})
	return text, err
}

func write(w *work, doc *html.Node, o Options) (string, error) {
	c := newCleaner(w, doc, o)
	c.clean(doc)
	if c.size.spent() {
		return "", tooLarge(o)
	}
	e := engines.Get().(*engine)
	md, err := e.convert(w, doc, c.size, c.formulas)
	if err != nil {
		return "", err
	}
	engines.Put(e)
	if len(md) > o.MaxOutput || c.size.spent() {
		return "", tooLarge(o)
	}
	return strings.ToValidUTF8(string(md), "\uFFFD"), nil
}

func tooLarge(o Options) error {
	return errtypes.New(errtypes.BadGateway, "the page's markdown is larger than %d bytes", o.MaxOutput)
}
