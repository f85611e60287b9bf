package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHostsCanNameWhatTheyAreGiven holds that what the root and drovertest export
// names nothing internal: a host could use it, but neither name it nor implement
// it.
func TestHostsCanNameWhatTheyAreGiven(t *testing.T) {
	for _, dir := range []string{"../..", "../../drovertest"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		files = slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, "_test.go") })
		if len(files) == 0 {
			t.Errorf("there is nothing in %s", dir)
		}
		for _, file := range files {
			for _, name := range internalsShown(t, file, nil) {
				t.Errorf("%s: %s is of an internal package", file, name)
			}
		}
	}
}

func TestShownInternalsAreFound(t *testing.T) {
	const imports = "package p\n\nimport \"github.com/drover-go/drover/internal/clock\"\n\n"
	for source, want := range map[string]string{
		"type Clock = clock.Clock":                               "clock.Clock",
		"type clocks struct { C clock.Clock }":                   "",
		"type Clock struct { hands clock.Clock; Of int }":        "",
		"type Clock struct { Hands map[string]*clock.Manual }":   "clock.Manual",
		"type Clock struct { *clock.Manual }":                    "clock.Manual",
		"type Clock interface { NewTimer() clock.Timer }":        "clock.Timer",
		"func New() *clock.Manual { return nil }":                "clock.Manual",
		"func New() int { return clock.Count }":                  "",
		"func of(c clock.Clock) {}":                              "",
		"func (c *Clock) Hands(f func(clock.Timer)) {}":          "clock.Timer",
		"func (c *own) Hands() clock.Timer { return nil }":       "",
		"var System clock.Clock":                                 "clock.Clock",
		"var system clock.Clock":                                 "",
		"func Of[C clock.Clock](c C) {}":                         "clock.Clock",
		"type Of[C clock.Clock] struct { of C }":                 "clock.Clock",
		"type Clock struct { Set struct { hands clock.Clock } }": "",
	} {
		if got := strings.Join(internalsShown(t, "p.go", imports+source), " "); got != want {
			t.Errorf("%s: found %q, want %q", source, got, want)
		}
	}
}

// internalsShown are the symbols of internal packages in what a file exports.
// Without a source it is read.
func internalsShown(t *testing.T, file string, source any) (shown []string) {
	t.Helper()
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := &checker{fset: fset, imports: map[string]string{}}
	for _, imp := range tree.Imports {
		c.addImport(imp)
	}
	for _, decl := range tree.Decls {
		for _, part := range exported(decl) {
			shown = append(shown, c.internals(part)...)
		}
	}
	return shown
}

// internals are the symbols of internal packages in a part of a declaration,
// without those in fields and methods that are not exported.
func (c *checker) internals(part ast.Node) (found []string) {
	ast.Inspect(part, func(n ast.Node) bool {
		var members *ast.FieldList
		switch n := n.(type) {
		case *ast.StructType:
			members = n.Fields
		case *ast.InterfaceType:
			members = n.Methods
		case *ast.SelectorExpr:
			if path, name := c.symbol(n); strings.Contains(path, "/internal/") {
				found = append(found, packageName(path)+"."+name)
			}
		}
		if members == nil {
			return true
		}
		for _, m := range members.List {
			if len(m.Names) == 0 || m.Names[0].IsExported() {
				found = append(found, c.internals(m.Type)...)
			}
		}
		return false
	})
	return found
}

// exported is the part of a declaration that other packages see.
func exported(decl ast.Decl) (parts []ast.Node) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d))) {
			parts = append(parts, d.Type)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					parts = append(parts, s)
				}
			case *ast.ValueSpec:
				if s.Names[0].IsExported() && s.Type != nil {
					parts = append(parts, s.Type)
				}
			}
		}
	}
	return parts
}

// receiver is the name of a method's type.
func receiver(d *ast.FuncDecl) string {
	of := d.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	name, _ := of.(*ast.Ident)
	return name.Name
}
