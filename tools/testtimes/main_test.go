package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	file := filepath.Join(t.TempDir(), "times.json")
	const events = `{"Action":"run","Package":"a","Test":"TestOne"}
{"Action":"pass","Package":"a","Test":"TestOne/part","Elapsed":9}
{"Action":"pass","Package":"a","Test":"TestOne","Elapsed":1.5}
{"Action":"fail","Package":"b","Test":"TestTwo","Elapsed":2}
{"Action":"pass","Package":"a","Elapsed":3}
{"Action":"fail","Package":"b","Elapsed":2.5}
`
	if err := os.WriteFile(file, []byte(events), 0o600); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := report(&b, 1, []string{file}); err != nil {
		t.Fatal(err)
	}
	const want = `2 packages, 6 seconds together
     3.0 pass a
2 tests, 4 seconds together
     2.0 fail b TestTwo
     1.5 pass a TestOne
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
	if err := report(&b, 1, []string{file + "x"}); err == nil {
		t.Error("a file that is not there is taken")
	}
}
