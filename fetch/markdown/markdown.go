// Package markdown turns a page into CommonMark with the tables, task lists
// and strikethrough of GitHub's flavour.
//
// The engine is html-to-markdown v2 behind a pass of our own over the tree,
// which mends what the engine would lose: links and images become absolute
// against the page's base, images that are loaded late get their address, what
// nobody sees (scripts, styles, templates, hidden elements) goes, tables,
// definition lists, check boxes, formulas and code are brought into forms that
// markdown has. Where the engine itself writes something wrong, or takes more
// than linear time, a renderer of ours stands before its own.
//
// The time taken is linear in the size of the page, whatever the page holds.
package markdown

import (
	"bytes"
	"cmp"
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
	// MaxNesting is how deep lists and quotes may nest; deeper ones become
	// paragraphs, for each level makes every line below it longer. Default 24.
	MaxNesting int
}

func (o Options) withDefaults() Options {
	o.MaxInput = cmp.Or(o.MaxInput, 32<<20)
	o.MaxOutput = cmp.Or(o.MaxOutput, 64<<20)
	o.MaxDepth = cmp.Or(o.MaxDepth, 512)
	o.MaxNesting = cmp.Or(o.MaxNesting, 24)
	return o
}

// FromReader reads a page in UTF-8 and converts it. Error kinds: BadGateway for
// a page that is larger than MaxInput or whose markdown is larger than
// MaxOutput; an error of r is returned as it is.
func FromReader(r io.Reader, o Options) (_ string, err error) {
	defer errtypes.Wrap(&err, "markdown.FromReader")
	limit := o.withDefaults().MaxInput
	var b bytes.Buffer
	if _, err := b.ReadFrom(io.LimitReader(r, int64(limit)+1)); err != nil {
		return "", err
	}
	return FromString(b.String(), o)
}

// FromString converts a page. Error kinds are those of [FromReader].
func FromString(page string, o Options) (_ string, err error) {
	defer errtypes.Wrap(&err, "markdown.FromString")
	if limit := o.withDefaults().MaxInput; len(page) > limit {
		return "", errtypes.New(errtypes.BadGateway, "the page is larger than %d bytes", limit)
	}
	doc, err := tree.Parse(strings.ToValidUTF8(page, "\uFFFD"), tree.Options{})
	if err != nil {
		return "", err
	}
	return Convert(doc, o)
}

// Convert returns a page as markdown, without a line break at its end, in
// valid UTF-8; an empty page gives "". It takes the tree over and rewrites it
// in place: whoever still needs the tree must use it before, or copy it.
//
// Error kind: BadGateway when the markdown is larger than MaxOutput.
func Convert(doc *html.Node, o Options) (_ string, err error) {
	defer errtypes.Wrap(&err, "markdown.Convert")
	o = o.withDefaults()
	c := newCleaner(doc, o)
	c.clean(doc)
	if c.size.spent() {
		return "", tooLarge(o)
	}
	e := engines.Get().(*engine)
	defer engines.Put(e)
	md, err := e.convert(doc, c.size)
	if err != nil {
		return "", err
	}
	if len(md) > o.MaxOutput || c.size.spent() {
		return "", tooLarge(o)
	}
	return strings.ToValidUTF8(string(md), "\uFFFD"), nil
}

func tooLarge(o Options) error {
	return errtypes.New(errtypes.BadGateway, "the page's markdown is larger than %d bytes", o.MaxOutput)
}
