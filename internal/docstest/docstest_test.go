package docstest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBlocksAreThoseBetweenFences(t *testing.T) {
	t.Parallel()
	page := filepath.Join(t.TempDir(), "page.md")
	text := "# A page\n\nWords.\n\n```sh serve\n# no heading\nserve\n```\n\n## Next\n```js\nlet a;\n\n```\n```text\n```\n"
	if err := os.WriteFile(page, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []Block{
		{Heading: "A page", Language: "sh", Mark: "serve", Before: "Words.", Line: 5, Source: "# no heading\nserve\n"},
		{Heading: "Next", Language: "js", Before: "## Next", Line: 11, Source: "let a;\n\n"},
		{Heading: "Next", Language: "text", Before: "```", Line: 15},
	}
	if diff := cmp.Diff(want, Blocks(t, page)); diff != "" {
		t.Error(diff)
	}
}
