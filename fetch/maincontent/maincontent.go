// Package maincontent finds the part of a page that the page is there for: the
// article without the menus, the posts of a thread, the cards of a listing,
// the description of a product.
//
// A page is cut into blocks, each described by numbers (what its text is like,
// what the elements around it are and are called, what stands beside it, what
// the page is), and decision trees say how likely each is content: once by
// itself, then again with what was said of its neighbours and of the blocks
// that are made like it. The trees were grown from pages with gold answers, by
// the command internal/train; nothing in them or beside them names a site.
// Kept are the blocks that make the expected F1 of the words the highest.
//
// The time is linear in the size of the page, is counted in steps, of which
// there is a limit, and ends when the context does.
package maincontent

import (
	"cmp"
	"context"
	"net/url"
	"slices"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/fetch/maincontent/internal/blocks"
)

// Options are the settings of [Find]. The zero value is useful.
type Options struct {
	// PageURL is the address that answered with the page. Only the shape of
	// its path is looked at, as a hint to the type. Default nil: the one that
	// the page gives itself, if it does.
	PageURL *url.URL
	// MaxNodes is how many elements and texts a noscript element may hold that
	// is read as the page; see [tree.Options]. Default 1,000,000.
	MaxNodes int
	// MaxBlocks is how many blocks a page may have; one that has more is kept
	// whole, for a block takes about two kilobytes while it is judged.
	// Default 20,000.
	MaxBlocks int
	// MaxWork is how many steps may be taken, a step being a node that is
	// visited, 64 bytes of text or a few trees that are asked. Default
	// 50,000,000.
	MaxWork int
	// KeepOriginals has [Result.Original] know the nodes of the page. Default
	// false.
	KeepOriginals bool
	// KeepTitle keeps the heading of the page on articles too, where it counts
	// as what the page is called rather than as content. Default false.
	KeepTitle bool
}

func (o Options) withDefaults() Options {
	o.MaxNodes = cmp.Or(o.MaxNodes, 1_000_000)
	o.MaxBlocks = cmp.Or(o.MaxBlocks, 20_000)
	o.MaxWork = cmp.Or(o.MaxWork, 50_000_000)
	return o
}

// A Type is what kind of page a page is.
type Type string

// The types of pages.
const (
	Article       Type = "article"
	Service       Type = "service"
	Listing       Type = "listing"
	Forum         Type = "forum"
	Product       Type = "product"
	Documentation Type = "documentation"
	Collection    Type = "collection"
)

// A Result is the main content of a page.
type Result struct {
	// Type is what the page looks like. It is a guess.
	Type Type
	// Tree is a document of its own that holds the content: copies of the
	// nodes that were kept, in their order, within copies of those around
	// them. Parts that a script would show are no longer marked as hidden. The
	// markdown of the content is that of this tree; converting it leaves the
	// page's tree alone, but ends the use of Text.
	Tree *html.Node
	// WholePage says that no part of the page stood out and all of its visible
	// text was kept.
	WholePage bool

	originals map[*html.Node]*html.Node
}

// Original returns the node of the page that a node of Tree is a copy of; nil
// for what is no copy, and without [Options.KeepOriginals].
func (r *Result) Original(n *html.Node) *html.Node { return r.originals[n] }

// Find returns the main content of a page, read by the parser of fetch. The
// tree is not changed. A page without text gives a Tree without text.
//
// Error kind: BadGateway for a page that takes more than MaxWork. The cause of
// a context that ends is returned as it is.
func Find(ctx context.Context, doc *html.Node, o Options) (_ *Result, err error) {
	defer errtypes.Wrap(&err, "maincontent.Find")
	o = o.withDefaults()
	w := newWork(ctx, o.MaxWork)
	var r *Result
	err = w.run(func() error {
		r, err = find(w, doc, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

func find(w *work, doc *html.Node, o Options) (*Result, error) {
	p, err := blocks.Read(doc, o.PageURL, w.Step, func(s string) (*html.Node, error) {
		return tree.Parse(w.ctx, s, tree.Options{MaxNodes: o.MaxNodes})
	})
	if err != nil {
		return nil, err
	}
	m := learnt()
	r := &Result{}
	var keep []bool
	if len(p.Blocks) <= o.MaxBlocks {
		var likely []float32
		likely, r.Type = m.judge(w, p)
		likely = p.Together(likely)
		keep = p.Choose(likely)
		if atePage(p, keep, likely) {
			keep = p.Named()
		} else {
			keep = p.Settle(keep, likely, blocks.CareFor(string(r.Type)))
			if o.KeepTitle {
				keep = p.KeepTitle(keep, likely)
			}
		}
	} else {
		r.Type = surest(m.typesOf(p, nil, nil))
	}
	if keep == nil {
		keep, r.WholePage = visible(p), true
	}
	pruner := newPruner(w, p, keep)
	if o.KeepOriginals {
		pruner.originals = map[*html.Node]*html.Node{}
	}
	r.Tree, r.originals = pruner.prune(), pruner.originals
	return r, nil
}

// leastWords is the content below which a page was probably eaten.
const leastWords = 12

// atePage reports whether so little was kept that the page is better shown as
// it is: hardly a word, or a small part where no block is rather content than
// not.
func atePage(p *blocks.Page, keep []bool, likely []float32) bool {
	kept, all, sure := 0, 0, float32(0)
	for i, k := range keep {
		all += p.Blocks[i].Words
		if k {
			kept += p.Blocks[i].Words
			sure = max(sure, likely[i])
		}
	}
	return kept == 0 || kept < leastWords && all > 2*kept || sure <= 0.5 && all > 10*kept
}

// visible returns the blocks that a browser shows at once, or all of a page that is
// hidden as a whole until a script shows it.
func visible(p *blocks.Page) []bool {
	keep := make([]bool, len(p.Blocks))
	for i := range keep {
		keep[i] = !p.Blocks[i].Hidden()
	}
	if !slices.Contains(keep, true) {
		return slices.Repeat([]bool{true}, len(keep))
	}
	return keep
}
