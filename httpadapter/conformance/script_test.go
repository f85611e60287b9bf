package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// script is one file of testdata.
type script struct {
	path    string
	archive *txtar.Archive
	setup   string
	steps   []step
}

// step is an exchange, or a wait.
type step struct {
	name    string
	request string
	// wait is what to wait for; empty for an exchange.
	wait string
	// response is the section that holds the answer.
	response *txtar.File
}

// scripts returns every file of testdata.
func scripts(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no conformance files: %v", err)
	}
	return paths
}

func load(t *testing.T, path string) *script {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &script{path: path, archive: a, setup: setupOf(a)}
	if *update {
		a.Files = withResponses(a.Files)
	}
	for i := range a.Files {
		f := &a.Files[i]
		name, kind := cut(f.Name)
		switch kind {
		case "request":
			s.steps = append(s.steps, step{name: name, request: string(f.Data)})
		case "wait":
			s.steps = append(s.steps, step{name: name, wait: strings.TrimSpace(string(f.Data))})
		case "response":
			last := len(s.steps) - 1
			if last < 0 || s.steps[last].name != name || s.steps[last].request == "" {
				t.Fatalf("%s: %s follows no request of that name", path, f.Name)
			}
			s.steps[last].response = f
		default:
			t.Fatalf("%s: %s is neither a request nor a response nor a wait", path, f.Name)
		}
	}
	for _, st := range s.steps {
		if st.wait == "" && st.response == nil {
			t.Fatalf("%s: %s has no response; run with -update", path, st.name)
		}
	}
	return s
}

func cut(name string) (base, kind string) {
	i := strings.LastIndexByte(name, '.')
	return name[:max(i, 0)], name[i+1:]
}

func setupOf(a *txtar.Archive) string {
	for line := range strings.Lines(string(a.Comment)) {
		if name, ok := strings.CutPrefix(line, "setup:"); ok {
			return strings.TrimSpace(name)
		}
	}
	return "plain"
}

// withResponses gives every request a response to write to.
func withResponses(files []txtar.File) []txtar.File {
	var all []txtar.File
	for i, f := range files {
		all = append(all, f)
		name, kind := cut(f.Name)
		if kind == "request" && (i+1 == len(files) || files[i+1].Name != name+".response") {
			all = append(all, txtar.File{Name: name + ".response"})
		}
	}
	return all
}

func (s *script) save(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(s.path, txtar.Format(s.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
