package read

import (
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/loose"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/corpora"
)

// wantRepaired is the share of the blocks of JSON-LD in the corpora that are
// no JSON, and not empty, of which something is read.
const wantRepaired = 0.95

// TestQualityRepair reads what encoding/json does not.
func TestQualityRepair(t *testing.T) {
	corpora.Measure(t)
	blocks, broken, repaired := 0, 0, 0
	for _, sub := range []string{"main-content", "products"} {
		for _, p := range corpora.Pages(t, sub) {
			for n := range opened(t, p.HTML(t)).Elements() {
				if n.DataAtom != atom.Script || !strings.Contains(tree.AttrOr(n, "type"), "ld+json") {
					continue
				}
				blocks++
				text := tree.TextOf(n)
				if json.Valid([]byte(text)) || strings.TrimSpace(text) == "" {
					continue
				}
				broken++
				if len(loose.Read(text, 100_000)) > 0 {
					repaired++
					continue
				}
				t.Logf("nothing of %s: %.200s", p.ID, text)
			}
		}
	}
	t.Logf("%d blocks, %d are no JSON, of %d something is read", blocks, broken, repaired)
	if float64(repaired) < wantRepaired*float64(broken) {
		t.Errorf("%d of %d broken blocks are read, the baseline is %.2f", repaired, broken, wantRepaired)
	}
}
