package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/drover-go/drover/internal/demosite"
)

// TestMain makes the test binary the drover command for scripts and for tests
// that start it as a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"drover": func() {
		os.Exit(run(os.Args[1:], console{os.Stdout, os.Stderr}))
	}})
}

// TestScripts runs the command lines in testdata. $SITE is the shop.
func TestScripts(t *testing.T) {
	site, closeSite, err := serveOnFreePort(demosite.New())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := closeSite(); err != nil {
			t.Error(err)
		}
	})
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("SITE", site)
			e.Setenv(keyVariable, "")
			return nil
		},
	})
}
