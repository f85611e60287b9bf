//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The doctor names the Node.js that there is, and the one that is needed.
func TestTheDoctorNamesAnOldNodeJS(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "node"), []byte("#!/bin/sh\necho v16.20.2\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	found := checkNode(t.Context(), programFlags{})
	for _, want := range []string{"Node.js v16.20.2 at " + dir, "programs need version 20 or later"} {
		if found.ok || !strings.Contains(found.text, want) {
			t.Errorf("%+v", found)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if found := checkNode(t.Context(), programFlags{}); !found.ok || !strings.Contains(found.text, "no Node.js on this machine") {
		t.Errorf("%+v", found)
	}
}
