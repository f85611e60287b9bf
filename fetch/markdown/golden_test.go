package markdown

import (
	"net/url"
	"testing"

	"github.com/drover-go/drover/fetch/internal/goldentest"
)

func TestGolden(t *testing.T) {
	goldentest.Run(t, func(t *testing.T, page string, at *url.URL) []goldentest.Output {
		md, err := FromString(ctx, page, Options{PageURL: at})
		if err != nil {
			t.Fatal(err)
		}
		return []goldentest.Output{{Suffix: ".md", Text: md + "\n"}}
	})
}
