package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// pkg is what "go list -json" says of a package.
type pkg struct {
	ImportPath string
	Dir        string
	Imports    []string
	Deps       []string
	Standard   bool
	Module     *struct{ Path, Version string }
}

// load lists the packages of this module.
func load(t *testing.T) []pkg {
	t.Helper()
	return goList(t, "list", "-json=ImportPath,Dir,Imports,Deps,Standard,Module", module+"/...")
}

func goList(t *testing.T, args ...string) (packages []pkg) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
