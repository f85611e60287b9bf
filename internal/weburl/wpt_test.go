package weburl

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
)

// TestWebPlatformURLs holds the parser against the Web Platform Tests that come
// with the module of a rival.
func TestWebPlatformURLs(t *testing.T) {
	testlevel.External() // go.sum is a part of it
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/nlnwa/whatwg-url").Output()
	if err != nil {
		t.Fatalf("find the Web Platform Tests: %v", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "testdata", "urltestdata.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	agreed := 0
	for _, raw := range list {
		var c struct {
			Input, Base, Href string
			Failure           bool
		}
		if json.Unmarshal(raw, &c) != nil || ofFile(c.Input) || ofFile(c.Base) { // the file's comments are strings
			continue
		}
		var base *URL
		if c.Base != "" {
			if base, err = Parse(c.Base, nil); err != nil {
				t.Errorf("base %q: %v", c.Base, err)
				continue
			}
		}
		u, err := Parse(c.Input, base)
		switch {
		case c.Failure && err == nil:
			t.Errorf("%q on %q was read as %s", c.Input, c.Base, u)
		case !c.Failure && (err != nil || u.String() != newer(c.Href)):
			t.Errorf("%q on %q: got %v, %v, want %s", c.Input, c.Base, u, err, c.Href)
		default:
			agreed++
		}
	}
	t.Logf("%d cases as in browsers", agreed)
	if agreed < 600 {
		t.Error("the cases have changed")
	}
}

// ofFile reports the one scheme that the parser does not read.
func ofFile(raw string) bool {
	scheme, ok := SchemeOf(raw)
	return ok && scheme == "file"
}

// newer is what the standard says since the tests were copied: "^" is encoded
// in paths.
func newer(href string) string {
	end := strings.IndexAny(href, "?#")
	if end < 0 {
		end = len(href)
	}
	if !strings.Contains(href, ":/") {
		return href
	}
	return strings.ReplaceAll(href[:end], "^", "%5E") + href[end:]
}
