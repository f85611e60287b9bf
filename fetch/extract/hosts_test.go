package extract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// hostLike finds what could be the name of a host in a text.
var hostLike = regexp.MustCompile(`(?i)\b[a-z0-9][a-z0-9-]*\.(?:com|org|net|de|fr|es|it|nl|pt|io|co|uk|ru|cn|jp|br|eu|info|me|tv|shop)\b`)

// vocabularies are the only hosts that the code may know.
var vocabularies = map[string]bool{
	"schema.org": true, "ogp.me": true, "w3.org": true, "purl.org": true, "microformats.org": true, "vocabulary.org": true, "rdfs.org": true, "xmlns.com": true,
	"goodrelations.org": true, "data-vocabulary.org": true, "productontology.org": true,
	"example.com": true, // of the readers' golden tests
}

// TestNoHostIsKnown holds that the extraction is written for kinds of pages and
// for no site: no text in the code has the name of a host in it.
func TestNoHostIsKnown(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		file.Imports, file.Decls = nil, withoutImports(file.Decls)
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				for _, host := range hostLike.FindAllString(text.Value, -1) {
					if !vocabularies[strings.ToLower(host)] {
						t.Errorf("%s: %s", set.Position(text.Pos()), host)
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil || files < 50 {
		t.Fatal(files, err)
	}
}

func withoutImports(decls []ast.Decl) (kept []ast.Decl) {
	for _, d := range decls {
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
			kept = append(kept, d)
		}
	}
	return kept
}
