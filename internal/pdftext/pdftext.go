// Package pdftext reads the text of PDF documents that nobody trusts.
//
// It is a reader for text alone, and knows what that takes: objects, also in
// object streams, the filters of text, fonts with their encodings and their maps to
// Unicode. The table of where objects stand is not believed; they are looked for.
// Everything that a document can make large is bounded, by [Limits].
package pdftext

import (
	"cmp"
	"context"
	"errors"
	"fmt"
)

// Limits bound what a document may take. The zero value of every field stands for
// its default.
type Limits struct {
	// Pages that are read. Default 2000.
	Pages int
	// Text in bytes. Default 4 MiB.
	Text int
	// Objects of the document. Default 300,000.
	Objects int
	// Unpacked is how many bytes all that is packed may come to. Default 128 MiB.
	Unpacked int
	// Steps are the values and operators of the document and its pages together.
	// Default 5 million.
	Steps int
}

func (l Limits) withDefaults() Limits {
	l.Pages = cmp.Or(l.Pages, 2000)
	l.Text = cmp.Or(l.Text, 4<<20)
	l.Objects = cmp.Or(l.Objects, 300_000)
	l.Unpacked = cmp.Or(l.Unpacked, 128<<20)
	l.Steps = cmp.Or(l.Steps, 5_000_000)
	return l
}

// Document is what was read.
type Document struct {
	// Pages are the texts of the pages, line by line, in order.
	Pages []string
	// Cut says that a limit was reached: there is more.
	Cut bool
}

// Errors that say why there is no text.
var (
	ErrNoPDF     = errors.New("pdftext: it is no PDF document, or a broken one")
	ErrEncrypted = errors.New("pdftext: the document is encrypted")
)

// Read returns the text of a document. It never panics. Errors: ErrNoPDF,
// ErrEncrypted, the cause of a context that ends.
func Read(ctx context.Context, data []byte, l Limits) (d Document, err error) {
	defer func() {
		if p := recover(); p != nil {
			d, err = Document{}, fmt.Errorf("%w: %v", ErrNoPDF, p)
		}
	}()
	l = l.withDefaults()
	f := &file{ctx: ctx, data: data, limits: l, left: l.Steps, objects: map[int]*entry{}, fonts: map[ref]*font{}}
	if err := f.index(); err != nil {
		return Document{}, err
	}
	pages := f.pages()
	if len(pages) == 0 {
		return Document{}, ErrNoPDF
	}
	left := f.limits.Text
	for _, p := range pages {
		if ctx.Err() != nil {
			return Document{}, context.Cause(ctx)
		}
		text := f.pageText(p, left)
		left -= len(text)
		d.Pages = append(d.Pages, text)
		if left <= 0 || f.left <= 0 {
			f.cut = true
			break
		}
	}
	d.Cut = f.cut
	return d, ctxErr(ctx)
}

func ctxErr(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
