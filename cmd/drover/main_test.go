package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/drover-go/drover/internal/demosite"
	"github.com/drover-go/drover/internal/egress/egresstest"
	"github.com/drover-go/drover/internal/testlevel"
)

// TestMain makes the test binary the drover command for scripts and for tests
// that start it as a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"drover": func() {
		os.Exit(run(os.Args[1:], console{os.Stdout, os.Stderr}))
	}})
}

// keep puts what was printed last into a variable.
func keep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: keep VARIABLE")
	}
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}

// private wants a file that only its owner can read and write.
func private(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: private FILE")
	}
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if info.Mode().Perm() != 0o600 {
		ts.Fatalf("%s has mode %v", args[0], info.Mode())
	}
}

// scriptCommands are those of the scripts' own: ziptree DIR FILE makes an
// archive of a directory, deletefrom FILE deletes the extension whose id is in
// the file, damagelast DIR cuts the newest file below.
var scriptCommands = map[string]func(*testscript.TestScript, bool, []string){
	"keep": keep, "private": private,
	"ziptree": func(ts *testscript.TestScript, _ bool, args []string) {
		f, err := os.Create(ts.MkAbs(args[1]))
		ts.Check(err)
		z := zip.NewWriter(f)
		ts.Check(z.AddFS(os.DirFS(ts.MkAbs(args[0]))))
		ts.Check(errors.Join(z.Close(), f.Close()))
	},
	"damagelast": func(ts *testscript.TestScript, _ bool, args []string) {
		path, err := newestFile(ts.MkAbs(args[0]))
		ts.Check(err)
		info, err := os.Stat(path)
		ts.Check(err)
		ts.Check(errors.Join(os.Chmod(path, 0o600), os.Truncate(path, info.Size()-1)))
	},
	"deletefrom": func(ts *testscript.TestScript, _ bool, args []string) {
		ts.Check(ts.Exec("drover", "extensions", "delete", "--data", "data", strings.TrimSpace(ts.ReadFile(args[0]))))
	},
}

// newestFile is the one that was written last.
func newestFile(dir string) (newest string, err error) {
	var last time.Time
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil && info.ModTime().After(last) {
			newest, last = path, info.ModTime()
		}
		return err
	})
	return newest, err
}

// TestScripts runs the command lines in testdata. $SITE is the shop, $PROXY a
// proxy that wants the user name "me" and the password "right", $LLM a server that
// speaks as all providers do.
func TestScripts(t *testing.T) {
	testlevel.External() // the command runs Chromium
	site, closeSite, err := serveOnFreePort(demosite.New())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := closeSite(); err != nil {
			t.Error(err)
		}
	})
	proxy := egresstest.Start(t, "http", "me", "right")
	llm := serveModels(t)
	testscript.Run(t, testscript.Params{
		Dir:  "testdata",
		Cmds: scriptCommands,
		Condition: func(name string) (bool, error) {
			if name != "full" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			return testlevel.Full(), nil
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("SITE", site)
			e.Setenv("PROXY", strings.TrimPrefix(proxy.Server, "http://"))
			e.Setenv("GORACE", os.Getenv("GORACE"))
			e.Setenv("DROVER_PROXIES", "")
			e.Setenv("LLM", llm)
			for _, p := range providers {
				for _, name := range append([]string{"DROVER_MODEL", p.base}, p.keys...) {
					e.Setenv(name, "")
				}
			}
			e.Setenv(keyVariable, "")
			e.Setenv(masterKeyVariable, "")
			e.Setenv(formerMasterKeysVariable, "")
			return closedSite(t, e)
		},
	})
}
