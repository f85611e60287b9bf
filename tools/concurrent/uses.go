package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A value that is computed once, or lent by a pool, says nothing of goroutines:
// what is pure may have both.
var harmless = []string{"Once", "OnceFunc", "OnceValue", "OnceValues", "Pool"}

// starters are functions outside of package sync that call others in a
// goroutine of their own, by import path. "*" stands for all of a package.
var starters = map[string][]string{
	"sync/atomic":                    {"*"},
	"golang.org/x/sync/errgroup":     {"*"},
	"golang.org/x/sync/semaphore":    {"*"},
	"golang.org/x/sync/singleflight": {"*"},
	"net/http/httptest":              {"NewServer", "NewTLSServer", "NewUnstartedServer"},
	"time":                           {"AfterFunc"},
	"context":                        {"AfterFunc"},
	"testing/synctest":               {"*"},
}

// uses names the first thing in a file that has to do with goroutines, or "".
func uses(name string, source []byte) (what string, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	imports := importsOf(file)
	ast.Inspect(file, func(n ast.Node) bool {
		if what == "" {
			what = inNode(n, imports)
		}
		return what == ""
	})
	return what, nil
}

func inNode(n ast.Node, imports map[string]string) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "go"
	case *ast.ChanType:
		return "chan"
	case *ast.SelectorExpr:
		if of, ok := n.X.(*ast.Ident); ok && starts(imports[of.Name], n.Sel.Name) {
			return of.Name + "." + n.Sel.Name
		}
	}
	return ""
}

func starts(imported, symbol string) bool {
	if imported == "sync" {
		return !slices.Contains(harmless, symbol)
	}
	symbols := starters[imported]
	return slices.Contains(symbols, "*") || slices.Contains(symbols, symbol)
}

// importsOf is the path of each import by the name that the file gives it.
func importsOf(file *ast.File) map[string]string {
	imports := map[string]string{}
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(strings.TrimSuffix(imported, "/v2"))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = imported
	}
	return imports
}
