package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// reading are the directories of what reads pages, which is large: it stays in
// pieces that can be read.
var reading = []string{"fetch/extract", "runs/model/plain", "internal/pagedata", "internal/names", "internal/mention", "internal/lexicon", "internal/grid"}

const (
	maxLinesOfFile     = 400
	maxLinesOfFunction = 60
)

func TestWhatReadsPagesIsInSmallPieces(t *testing.T) {
	t.Parallel()
	read := 0
	for _, dir := range reading {
		eachSource(t, dir, func(path string, fset *token.FileSet, f *ast.File) {
			read++
			if n := fset.File(f.Pos()).LineCount(); n > maxLinesOfFile {
				t.Errorf("%s has %d lines, %d are the most", path, n, maxLinesOfFile)
			}
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				if n := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line + 1; n > maxLinesOfFunction {
					t.Errorf("%s: %s has %d lines, %d are the most", path, fn.Name.Name, n, maxLinesOfFunction)
				}
			}
		})
	}
	if read < 120 {
		t.Errorf("only %d files were read", read)
	}
}

// A program that imports Drover compiles no pattern for pages that it may never read:
// package lexicon makes them when they are first asked.
func TestPatternsOfPagesWaitUntilTheyAreNeeded(t *testing.T) {
	t.Parallel()
	for _, dir := range reading {
		eachSource(t, dir, func(path string, fset *token.FileSet, f *ast.File) {
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != token.VAR {
					continue
				}
				for _, s := range g.Specs {
					for _, v := range s.(*ast.ValueSpec).Values {
						if at := compiles(v); at.IsValid() {
							t.Errorf("%s compiles a pattern when the package is imported", fset.Position(at))
						}
					}
				}
			}
		})
	}
}

// compiles is where an expression, but for functions in it, calls regexp.MustCompile.
func compiles(v ast.Expr) (at token.Pos) {
	ast.Inspect(v, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		sel, ok := n.(*ast.SelectorExpr)
		if ok && sel.Sel.Name == "MustCompile" {
			at = sel.Pos()
		}
		return true
	})
	return at
}

// eachSource parses the files of a directory and those below, without tests.
func eachSource(t *testing.T, dir string, do func(path string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		path, _ = filepath.Rel(root, path)
		do(path, fset, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
