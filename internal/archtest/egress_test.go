package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayDial lists the files that may open connections, or look names up, around
// the gate of internal/egress: what each one uses, and why it may. Nothing that
// a caller or a page chooses is reached this way.
var mayDial = map[string]struct {
	symbols []string
	reason  string
}{
	"internal/egress/dial.go":                               {[]string{"net.Dialer"}, "the gate itself, to addresses it has checked, and to the proxies of the host"},
	"internal/egress/peerdiag_linux.go":                     {[]string{"syscall.Socket", "syscall.Sendto"}, "the proxy asks the kernel who owns a socket; nothing leaves the machine"},
	"internal/egress/gate.go":                               {[]string{"net.Resolver"}, "the gate itself, whose answers are checked"},
	"runs/sessions/forward.go":                              {[]string{"net.Dialer", "httputil.ReverseProxy"}, "a session of another process, at the loopback address that the process wrote into the database"},
	"runs/browser/chrome/internal/process/remote_socket.go": {[]string{"net.Dialer"}, "the remote browser that the host has configured"},
	"runs/browser/chrome/internal/process/remote_url.go":    {[]string{"websocket.Dial", "websocket.DialOptions"}, "the same"},
	"internal/hosthttp/hosthttp.go":                         {[]string{"net.Dialer", "http.DefaultTransport"}, "the language models and search services that the host has configured"},
	"functions/internal/runtime/connect.go":                 {[]string{"httputil.ReverseProxy"}, "the session of an invocation, at the loopback address that its service says"},
	"cmd/drover/client.go":                                  {[]string{"http.Transport without DialContext"}, "a command asks the service that its user names, or that it has just started"},
}

// bannedSymbols are, by import path, what dials or looks up. An entry that ends
// in "*" stands for every symbol that begins so.
var bannedSymbols = map[string][]string{
	"net":                          {"Dial*", "Lookup*", "DefaultResolver", "Resolver"},
	"net/http":                     {"Get", "Head", "Post", "PostForm", "DefaultClient", "DefaultTransport"},
	"net/http/httputil":            {"NewSingleHostReverseProxy", "NewClientConn", "NewProxyClientConn", "ReverseProxy"},
	"crypto/tls":                   {"Dial*"},
	"syscall":                      {"Connect*", "Socket*", "Sendto*", "SYS_CONNECT", "SYS_SOCKET", "SYS_SENDTO"},
	"golang.org/x/sys/unix":        {"Connect*", "Socket*", "Sendto*", "SYS_CONNECT", "SYS_SOCKET", "SYS_SENDTO"},
	"github.com/coder/websocket":   {"Dial*"},
	"github.com/chromedp/chromedp": {"NewRemoteAllocator", "NewBrowser", "DialContext"},
}

// bannedImports are packages that are of no use but to dial.
var bannedImports = []string{
	"net/smtp", "net/rpc", "net/rpc/jsonrpc", "golang.org/x/net/proxy", "golang.org/x/net/websocket", "golang.org/x/net/http2",
	"golang.org/x/crypto/ssh", "github.com/gorilla/websocket", "github.com/valyala/fasthttp", "github.com/quic-go/quic-go",
}

// bannedPrograms are commands that fetch or connect.
var bannedPrograms = []string{"curl", "wget", "nc", "ncat", "netcat", "socat", "telnet", "ssh", "scp", "ftp", "openssl", "nslookup", "dig"}

func TestNothingDialsAroundTheGate(t *testing.T) {
	root := filepath.Join("..", "..")
	used := map[string][]string{}
	for _, file := range sources(t, root) {
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		for _, f := range findDials(t, file) {
			used[name] = append(used[name], f.symbol)
			if !slices.Contains(mayDial[name].symbols, f.symbol) {
				t.Errorf("%s:%d: %s goes around the gate of internal/egress: dial with a Gate, or list the file in mayDial with the reason", name, f.line, f.symbol)
			}
		}
	}
	for file, may := range mayDial {
		for _, symbol := range may.symbols {
			if !slices.Contains(used[file], symbol) {
				t.Errorf("mayDial lets %s use %s (%s), but it does not", file, symbol, may.reason)
			}
		}
	}
}

// TestTheCheckerFindsDials runs the checker over sources that go around the
// gate in every way it knows. A comment "want" on a line names what it must
// find there; on a line without one it must find nothing.
func TestTheCheckerFindsDials(t *testing.T) {
	files, err := filepath.Glob("testdata/egress/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no sources to check", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for i, line := range strings.Split(string(text), "\n") {
			if _, symbols, ok := strings.Cut(line, "// want "); ok {
				for symbol := range strings.SplitSeq(symbols, ", ") {
					want = append(want, fmt.Sprintf("%d %s", i+1, symbol))
				}
			}
		}
		var got []string
		for _, f := range findDials(t, file) {
			got = append(got, fmt.Sprintf("%d %s", f.line, f.symbol))
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s:\nfound %q\nwant  %q", file, got, want)
		}
	}
}

// sources returns the Go files of this module that end up in a program.
func sources(t *testing.T, root string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root && notOurs(file, d.Name()):
			return filepath.SkipDir
		case strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go"):
			files = append(files, file)
		}
		return nil
	})
	if err != nil || len(files) < 20 {
		t.Fatalf("found %d sources: %v", len(files), err)
	}
	return files
}

// notOurs reports directories that the go command leaves out, and modules of
// their own.
func notOurs(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil || name == "testdata" || name == "vendor" || name == "node_modules" || name[0] == '.' || name[0] == '_'
}

// dial is a place that goes around the gate.
type dial struct {
	line   int
	symbol string
}

func findDials(t *testing.T, file string) []dial {
	t.Helper()
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := &checker{fset: fset, imports: map[string]string{}}
	for _, imp := range tree.Imports {
		c.addImport(imp)
	}
	c.walk(tree)
	return c.found
}

type checker struct {
	fset    *token.FileSet
	imports map[string]string // import path by the name it has in this file
	found   []dial
}

func (c *checker) report(at ast.Node, symbol string) {
	c.found = append(c.found, dial{c.fset.Position(at.Pos()).Line, symbol})
}

func (c *checker) addImport(imp *ast.ImportSpec) {
	importPath, _ := strconv.Unquote(imp.Path.Value)
	if slices.Contains(bannedImports, importPath) {
		c.report(imp, importPath)
	}
	name := packageName(importPath)
	if imp.Name != nil {
		name = imp.Name.Name
	}
	if _, watched := bannedSymbols[importPath]; name == "." && watched {
		c.report(imp, "a dot import of "+importPath)
	}
	c.imports[name] = importPath
}

// packageName returns the name a package most likely has: the last element of
// its path that is no version.
func packageName(importPath string) string {
	dir, base := path.Split(importPath)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		return path.Base(dir)
	}
	return base
}

// symbol returns the import path and the name of "pkg.Name".
func (c *checker) symbol(n ast.Node) (importPath, name string) {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok || id.Obj != nil { // Obj: a variable that shadows the package
		return "", ""
	}
	return c.imports[id.Name], sel.Sel.Name
}

func (c *checker) walk(tree *ast.File) {
	fine := map[ast.Node]bool{} // selectors already judged by what is around them
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StarExpr: // a pointer type makes nothing
			fine[n.X] = true
		case *ast.CompositeLit:
			fine[n.Type] = true
			c.checkLiteral(n)
		case *ast.CallExpr:
			c.checkCommand(n)
		case *ast.SelectorExpr:
			c.checkSymbol(n, fine[n])
		}
		return true
	})
}

func (c *checker) checkSymbol(sel *ast.SelectorExpr, judged bool) {
	importPath, name := c.symbol(sel)
	for _, banned := range bannedSymbols[importPath] {
		prefix, isPrefix := strings.CutSuffix(banned, "*")
		if name == banned || isPrefix && strings.HasPrefix(name, prefix) {
			c.report(sel, packageName(importPath)+"."+name)
			return
		}
	}
	if importPath == "net/http" && !judged && (name == "Client" || name == "Transport") {
		c.report(sel, "http."+name+" without a literal")
	}
}

// dialsBy names the field without which a value of net/http dials by itself.
var dialsBy = map[string]string{"Client": "Transport", "Transport": "DialContext"}

func (c *checker) checkLiteral(lit *ast.CompositeLit) {
	importPath, name := c.symbol(lit.Type)
	field := dialsBy[name]
	if importPath == "net/http" && field != "" && !sets(lit, field) {
		c.report(lit, "http."+name+" without "+field)
	}
}

func sets(lit *ast.CompositeLit, field string) bool {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, ok := kv.Key.(*ast.Ident)
		value, isIdent := kv.Value.(*ast.Ident)
		if ok && key.Name == field && !(isIdent && value.Name == "nil") {
			return true
		}
	}
	return false
}

func (c *checker) checkCommand(call *ast.CallExpr) {
	importPath, name := c.symbol(call.Fun)
	if importPath != "os/exec" || !strings.HasPrefix(name, "Command") {
		return
	}
	for _, arg := range call.Args {
		lit, ok := arg.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			continue
		}
		text, _ := strconv.Unquote(lit.Value)
		for _, word := range strings.Fields(text) {
			if program := path.Base(word); slices.Contains(bannedPrograms, program) {
				c.report(call, "the command "+program)
			}
		}
	}
}
