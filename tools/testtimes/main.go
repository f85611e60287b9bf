// Command testtimes reads what "go test -json" writes, from files or standard
// input, and prints the packages and the tests that take most time.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	most := flag.Int("n", 25, "how many packages, and twice as many tests, are printed")
	flag.Parse()
	if err := report(os.Stdout, *most, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "testtimes:", err)
		os.Exit(1)
	}
}

// event is a line of "go test -json".
type event struct {
	Action, Package, Test string
	Elapsed               float64 // seconds
}

// result is how long a package or a test took, and how it ended.
type result struct {
	name, action string
	seconds      float64
}

func report(w io.Writer, most int, files []string) error {
	var packages, tests []result
	take := func(e event) {
		r := result{strings.TrimSpace(e.Package + " " + e.Test), e.Action, e.Elapsed}
		switch {
		case e.Action != "pass" && e.Action != "fail" && e.Action != "skip" || strings.Contains(e.Test, "/"):
		case e.Test == "":
			packages = append(packages, r)
		default:
			tests = append(tests, r)
		}
	}
	if len(files) == 0 {
		if err := read(os.Stdin, take); err != nil {
			return err
		}
	}
	for _, name := range files {
		if err := readFile(name, take); err != nil {
			return err
		}
	}
	show(w, "packages", packages, most)
	show(w, "tests", tests, 2*most)
	return nil
}

func readFile(name string, take func(event)) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return read(f, take)
}

func read(r io.Reader, take func(event)) error {
	for dec := json.NewDecoder(r); ; {
		var e event
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		take(e)
	}
}

// show prints those that took most. A test's time is that of the clock, without
// what it waited for others to make room.
func show(w io.Writer, what string, all []result, most int) {
	var seconds float64
	for _, r := range all {
		seconds += r.seconds
	}
	slices.SortStableFunc(all, func(a, b result) int { return cmp.Compare(b.seconds, a.seconds) })
	fmt.Fprintf(w, "%d %s, %.0f seconds together\n", len(all), what, seconds)
	for _, r := range all[:min(most, len(all))] {
		fmt.Fprintf(w, "%8.1f %s %s\n", r.seconds, r.action, r.name)
	}
}
