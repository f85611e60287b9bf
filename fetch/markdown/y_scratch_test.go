package markdown

import (
	"github.com/drover-go/drover/fetch/internal/tree"
	"os"
	"testing"
)

func BenchmarkCorpusPage(b *testing.B) {
	for _, id := range []string{"0403", "0588", "4158", "4380", "4805"} {
		page := readGzip(b, "/work/shared/corpora/main-content/html/"+id+".html.gz")
		p := plain()
		b.Run(id+"/ours", func(b *testing.B) {
			for b.Loop() {
				ours(page)
			}
		})
		b.Run(id+"/plain", func(b *testing.B) {
			for b.Loop() {
				p(page)
			}
		})
		b.Run(id+"/parse", func(b *testing.B) {
			for b.Loop() {
				tree.Parse(page, tree.Options{})
			}
		})
	}
}
func BenchmarkCorpus(b *testing.B) {
	var pages []string
	for _, f := range corpora(b, "main-content") {
		pages = append(pages, readGzip(b, f))
	}
	which := ours
	if os.Getenv("PLAIN") != "" {
		which = plain()
	}
	for b.Loop() {
		for _, p := range pages {
			which(p)
		}
	}
}
