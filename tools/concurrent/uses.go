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

// inCode are what else code has to do with goroutines, beside package sync, by
// import path. "*" stands for all of a package.
var inCode = map[string][]string{
	"sync/atomic":                    {"*"},
	"golang.org/x/sync/errgroup":     {"*"},
	"golang.org/x/sync/semaphore":    {"*"},
	"golang.org/x/sync/singleflight": {"*"},
	"time":                           {"AfterFunc"},
	"context":                        {"AfterFunc"},
}

// inTests are those that start goroutines. A test's server and the counter
// that it shares with its test say nothing of the package.
var inTests = map[string][]string{
	"sync":                       {"WaitGroup"},
	"golang.org/x/sync/errgroup": {"*"},
	"testing/synctest":           {"*"},
}

// uses names the first thing in a file that has to do with goroutines, or "".
func uses(name string, source []byte) (what string, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	imports, test := importsOf(file), strings.HasSuffix(name, "_test.go")
	ast.Inspect(file, func(n ast.Node) bool {
		if what == "" {
			what = inNode(n, imports, test)
		}
		return what == ""
	})
	return what, nil
}

func inNode(n ast.Node, imports map[string]string, test bool) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "go"
	case *ast.ChanType:
		return "chan"
	case *ast.SelectorExpr:
		if of, ok := n.X.(*ast.Ident); ok && counts(imports[of.Name], n.Sel.Name, test) {
			return of.Name + "." + n.Sel.Name
		}
	}
	return ""
}

func counts(imported, symbol string, test bool) bool {
	if imported == "sync" && !test {
		return !slices.Contains(harmless, symbol)
	}
	symbols := inCode[imported]
	if test {
		symbols = inTests[imported]
	}
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
