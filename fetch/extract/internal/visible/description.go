package visible

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// descriptionHeads are headings of what describes a thing, all paragraphs of it.
var descriptionHeads = setOfPhrases("description|product description|item description|about this product|about this item|beschreibung|produktbeschreibung|artikelbeschreibung|description du produit|descripción|descripción del producto|descrizione|descrizione del prodotto|omschrijving|productbeschrijving|descrição|descrição do produto")

// joined returns paragraphs as one value.
func (r *reader) joined(texts []sectionText) graph.Value {
	v := texts[0].value
	var b strings.Builder
	for k, t := range texts {
		if b.Len() > r.o.MaxValueBytes {
			break
		}
		if k > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.value.Text)
	}
	r.Meter.Read(b.Len())
	v.Text = cut(b.String(), r.o.MaxValueBytes)
	return v
}
