// Command concurrent prints the packages of a module whose tests belong under
// the race detector: one import path a line. With -not it prints the others
// that have tests.
//
// A package belongs there if its code starts goroutines or has channels, locks
// or counters that goroutines share, or if its tests start goroutines: see
// [uses]. Those with most files of tests come first: they
// take longest, and what starts last should be short.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

func main() {
	others := flag.Bool("not", false, "print the packages with tests that do not belong under the race detector")
	flag.Parse()
	packages, err := list(flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "concurrent:", err)
		os.Exit(1)
	}
	slices.SortStableFunc(packages, func(a, b pkg) int { return b.tests() - a.tests() })
	for _, p := range packages {
		concurrent, err := p.concurrent()
		if err != nil {
			fmt.Fprintln(os.Stderr, "concurrent:", err)
			os.Exit(1)
		}
		if concurrent != *others && p.tests() > 0 {
			fmt.Println(p.ImportPath)
		}
	}
}

// pkg is what "go list -json" says of a package.
type pkg struct {
	Dir, ImportPath                              string
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
}

func list(patterns []string) (packages []pkg, err error) {
	cmd := exec.Command("go", append([]string{"list", "-json=Dir,ImportPath,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(out); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages, cmd.Wait()
		} else if err != nil {
			return nil, errors.Join(err, cmd.Wait())
		}
		packages = append(packages, p)
	}
}

// tests is how many files of tests there are.
func (p pkg) tests() int { return len(p.TestGoFiles) + len(p.XTestGoFiles) }

func (p pkg) concurrent() (bool, error) {
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles) {
		source, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return false, err
		}
		if what, err := uses(name, source); err != nil || what != "" {
			return what != "", err
		}
	}
	return false, nil
}
