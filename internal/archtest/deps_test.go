package archtest

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite testdata/deps.golden")

// TestDependenciesAreTheGoldenOnes makes every new dependency of a package
// visible in review. Versions are not part of it, and neither are the examples: they
// depend on what every host does.
func TestDependenciesAreTheGoldenOnes(t *testing.T) {
	const golden = "testdata/deps.golden"
	got := dependencyList(load(t), modulesOf(t))
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the dependencies changed; if that is meant, say why in docs/dependencies.md and run this test with -update:\n%s", diff)
	}
}

// modulesOf maps every package that this module reaches to its module.
func modulesOf(t *testing.T) map[string]string {
	t.Helper()
	modules := map[string]string{}
	for _, p := range goList(t, "list", "-deps", "-json=ImportPath,Module,Standard", module+"/...") {
		if p.Module != nil {
			modules[p.ImportPath] = p.Module.Path
		}
	}
	return modules
}

// dependencyList is one block a package: its own packages, then the modules.
func dependencyList(packages []pkg, modules map[string]string) string {
	slices.SortFunc(packages, func(a, b pkg) int { return cmp.Compare(a.ImportPath, b.ImportPath) })
	var b strings.Builder
	for _, p := range packages {
		if matches("examples/...", p.ImportPath) {
			continue
		}
		var own, foreign []string
		for _, dep := range p.Deps {
			switch m := modules[dep]; {
			case m == module:
				own = append(own, "\t"+short(dep))
			case m != "":
				foreign = append(foreign, "\t"+m)
			}
		}
		slices.Sort(own)
		slices.Sort(foreign)
		fmt.Fprintf(&b, "%s\n", short(p.ImportPath))
		for _, line := range append(own, slices.Compact(foreign)...) {
			fmt.Fprintln(&b, line)
		}
	}
	return b.String()
}
