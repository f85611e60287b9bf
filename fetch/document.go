package fetch

import (
	"context"
	"log/slog"
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/extract"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/fetch/maincontent"
	"github.com/drover-go/drover/fetch/markdown"
)

// document is a page that was decoded and parsed once, for all that is made of
// it. Texts that are no HTML are documents, too.
type document struct {
	*answer
	isHTML bool
	text   string // decoded
	tree   *html.Node
	page   *extract.Page
}

// document reads the page for a format that shows what it says. The caller has
// a turn; see takeTurn.
func (a *answer) document(whole string, kind mediaKind) (*document, error) {
	d := &document{answer: a, isHTML: kind.isHTML, text: kind.lossyText(whole)}
	source := d.text
	switch {
	case !kind.isHTML: // the lines of a text are known
		source = "<pre>" + html.EscapeString(source) + "</pre>"
	case kind.media == "application/xhtml+xml":
		source = tree.FromXHTML(source)
	}
	var err error
	if d.tree, err = tree.Parse(a.one.ctx, source, tree.Options{MaxNodes: a.one.markdown.MaxNodes}); err != nil {
		return nil, err
	}
	if d.page, err = extract.Open(a.one.ctx, d.tree, a.url, extract.OpenOptions{MaxRead: a.one.conf.Extract.MaxRead}); err != nil {
		return nil, err
	}
	return d, nil
}

// read takes a turn and reads the page, tells the answer what it says about
// itself, and has it used.
func (a *answer) read(got *Answer, whole string, kind mediaKind, use func(d *document) error) error {
	if err := a.one.takeTurn(); err != nil {
		return err
	}
	defer a.one.leaveTurn()
	d, err := a.document(whole, kind)
	if err != nil {
		return err
	}
	if got.Metadata, err = d.metadata(); err != nil {
		return err
	}
	return use(d)
}

// readable refuses what no format can be made of (DECISIONS 19).
func (k mediaKind) readable(f Format) error {
	if !k.isHTML && !strings.HasPrefix(k.media, "text/") {
		return errtypes.Field("format", "%s is not supported for the content type %q", f, k.shown())
	}
	return nil
}

// metadata is what an HTML page says about itself. A page of which that cannot
// be told within the limits has a content all the same.
func (d *document) metadata() (*extract.Metadata, error) {
	if !d.isHTML {
		return nil, nil
	}
	m, err := d.page.Metadata()
	switch {
	case d.one.ctx.Err() != nil:
		return nil, context.Cause(d.one.ctx)
	case errtypes.KindOf(err) == errtypes.BadGateway:
		d.one.conf.Logger.LogAttrs(d.one.ctx, slog.LevelDebug, "fetch: a page has no metadata", slog.String("error", err.Error()))
		return nil, nil
	}
	return m, err
}

// main is the main content, in a tree of its own: the document's stays as it is.
// Of what is no HTML all is the content. Data is read from a tree whose nodes are
// known, and which has the title.
func (d *document) main(forData bool) (*maincontent.Result, error) {
	if !d.isHTML {
		return &maincontent.Result{Tree: d.tree, WholePage: true}, nil
	}
	limits := d.one.conf.MainContent
	limits.PageURL, limits.KeepOriginals, limits.KeepTitle = d.url, forData, forData
	return maincontent.Find(d.one.ctx, d.tree, limits)
}

// markdown is the page, or its main content, as markdown. It takes the tree that
// it converts over, so it comes last, or is of the main content.
func (d *document) markdown(ctx context.Context, mainOnly bool) (string, error) {
	if !d.isHTML {
		return d.text, nil
	}
	t := d.tree
	if mainOnly {
		found, err := d.main(false)
		if err != nil {
			return "", err
		}
		t = found.Tree
	}
	limits := d.one.markdown
	limits.PageURL = d.url
	return markdown.Convert(ctx, t, limits)
}
