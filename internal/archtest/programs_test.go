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

// mayStart lists the files that may start programs: all others start them with
// internal/child, which ends them whole, also after the death of the host.
var mayStart = map[string]struct {
	symbols []string
	reason  string
}{
	"internal/child/start_linux.go":       {[]string{"os.StartProcess"}, "the one place that starts what is not ours"},
	"internal/child/start_unix.go":        {[]string{"os.StartProcess"}, "the same, on other systems"},
	"internal/child/start_windows.go":     {[]string{"os.StartProcess"}, "the same"},
	"cmd/drover/sessions.go":              {[]string{"exec.CommandContext"}, "opens the user's own browser, which outlives the command"},
	"internal/jobs/jobstest/child.go":     {[]string{"exec.Command", "exec.Cmd"}, "for tests: a process to kill"},
	"internal/npmtest/npmtest.go":         {[]string{"exec.Command", "exec.CommandContext"}, "for tests: npm and Node.js"},
	"examples/playwright-session/main.go": {[]string{"exec.CommandContext"}, "an example of a host, which starts a script of its own"},
}

// starters are, by import path, what starts programs. An entry that ends in "*"
// stands for every symbol that begins so.
var starters = map[string][]string{
	"os":                    {"StartProcess"},
	"os/exec":               {"Command*", "Cmd"},
	"syscall":               {"StartProcess", "ForkExec", "Exec"},
	"golang.org/x/sys/unix": {"Exec"},
}

func TestProgramsAreStartedInOnePlace(t *testing.T) {
	root := filepath.Join("..", "..")
	used := map[string][]string{}
	for _, file := range sources(t, root) {
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		for _, symbol := range startsIn(t, file, nil) {
			used[name] = append(used[name], symbol)
			if !slices.Contains(mayStart[name].symbols, symbol) {
				t.Errorf("%s: %s: start it with a child.Spec, or list the file in mayStart with the reason", name, symbol)
			}
		}
	}
	for file, may := range mayStart {
		for _, symbol := range may.symbols {
			if !slices.Contains(used[file], symbol) {
				t.Errorf("mayStart lets %s use %s (%s), but it does not", file, symbol, may.reason)
			}
		}
	}
}

func TestTheCheckerFindsStarts(t *testing.T) {
	source := `package p
import ("os"; e "os/exec"; "syscall")
var _, _ = e.Command("x"), &e.Cmd{}
var _, _ = e.LookPath("x")
func f() { os.StartProcess("x", nil, nil); syscall.ForkExec("x", nil, nil); os.Getpid() }`
	want := []string{"exec.Cmd", "exec.Command", "os.StartProcess", "syscall.ForkExec"}
	got := startsIn(t, "p.go", source)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("found %q", got)
	}
}

// startsIn finds what starts programs in a file, or in its text.
func startsIn(t *testing.T, file string, text any) (symbols []string) {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := &checker{fset: token.NewFileSet(), imports: map[string]string{}}
	for _, imp := range tree.Imports {
		c.addImport(imp)
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		importPath, name := c.symbol(n)
		for _, starter := range starters[importPath] {
			prefix, isPrefix := strings.CutSuffix(starter, "*")
			if name == starter || isPrefix && strings.HasPrefix(name, prefix) {
				symbols = append(symbols, packageName(importPath)+"."+name)
			}
		}
		return true
	})
	return symbols
}
