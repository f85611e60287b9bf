package maincontent

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// host is what looks like the name of a host in a text, or like most of one.
var host = regexp.MustCompile(`(?i)\b[a-z0-9][a-z0-9-]*\.(com|org|net|edu|gov|info|biz|shop|store|blog|news|io|ai|app|dev|co|me|tv|eu|de|uk|fr|es|it|nl|ru|jp|cn|in|br|au|ca|us|ch|at|pl|se)\b`)

// vocabularies are hosts that stand in names of types and properties.
var vocabularies = regexp.MustCompile(`(?i)\b(schema\.org|ogp\.me|w3\.org|www\.w3\.org|microformats\.org|purl\.org|rdfs\.org|xmlns\.com|data-vocabulary\.org|example\.(com|org|net))\b`)

// TestNoHostNames holds what reads pages to the kind of page: no text in it may
// name a host.
func TestNoHostNames(t *testing.T) {
	read := 0
	for _, dir := range []string{".", "../extract"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil // fetch/extract need not be there
			}
			read++
			for _, name := range hostsIn(t, path) {
				t.Errorf("%s names the host %q", path, name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read < 10 {
		t.Errorf("only %d files were read", read)
	}
}

// hostsIn returns the hosts that the string literals of a file name.
func hostsIn(t *testing.T, path string) (found []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if _, ok := n.(*ast.ImportSpec); ok {
			return false
		}
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				found = append(found, hosts(s)...)
			}
		}
		return true
	})
	return found
}

func hosts(s string) []string {
	return host.FindAllString(vocabularies.ReplaceAllString(s, ""), -1)
}

func TestHostNamesAreFound(t *testing.T) {
	for text, want := range map[string]int{
		"www.some-shop.com": 1, "https://news.site.co.uk/x": 1, "div.item": 0, "https://schema.org/Product": 0, "a.b": 0, "e.g. this": 0,
	} {
		if got := hosts(text); len(got) != want {
			t.Errorf("%q: found %q", text, got)
		}
	}
}
