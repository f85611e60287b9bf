package egress

import (
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/internal/weburl"
	peer "github.com/nlnwa/whatwg-url/url"
)

// wptFile reads one of the files of the Web Platform Tests that come with the
// peer's module.
func wptFile(t testing.TB, name string) []json.RawMessage {
	t.Helper()
	testlevel.External() // go.sum is a part of it
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/nlnwa/whatwg-url").Output()
	if err != nil {
		t.Fatalf("find the Web Platform Tests: %v", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

type wptURL struct {
	Input, Base, Href, Protocol, Username, Password string
	Failure                                         bool
}

func wptURLs(t testing.TB) []wptURL {
	var cases []wptURL
	for _, raw := range wptFile(t, "urltestdata.json") {
		var c wptURL
		if json.Unmarshal(raw, &c) == nil { // the file's comments are strings
			cases = append(cases, c)
		}
	}
	return cases
}

// read reads a case's input; ok is false where its base is not http.
func (c wptURL) read() (u *url.URL, ok bool, err error) {
	if c.Base == "" || c.Base == "about:blank" {
		u, err = ParseURL(c.Input)
		return u, true, err
	}
	base, err := ParseURL(c.Base)
	if err != nil {
		return nil, false, nil
	}
	u, err = ResolveReference(base, c.Input)
	return u, true, err
}

// want is the href that ParseURL documents: the standard's, with what net/url
// cannot hold encoded.
func (c wptURL) want() string {
	if c.Failure || (c.Protocol != "http:" && c.Protocol != "https:") {
		return ""
	}
	rest, fragment, _ := strings.Cut(c.Href, "#")
	path, query, hasQuery := strings.Cut(rest, "?")
	path = strings.NewReplacer("|", "%7C", "^", "%5E").Replace(weburl.FixPercent(path))
	if hasQuery {
		path += "?" + query
	}
	if fragment != "" {
		path += "#" + strings.NewReplacer("#", "%23", `\`, "%5C", "^", "%5E", "{", "%7B", "|", "%7C", "}", "%7D").Replace(weburl.FixPercent(fragment))
	}
	return path
}

// documented reports the refusals beyond the standard's that Parse documents.
func documented(err error) bool {
	for _, reason := range []string{"user name or a password", "empty label", "has a host with the character"} {
		if strings.Contains(err.Error(), reason) {
			return true
		}
	}
	return false
}

func TestWebPlatformURLs(t *testing.T) {
	agreed, beyond := 0, 0
	for _, c := range wptURLs(t) {
		u, ok, err := c.read()
		want := c.want()
		switch {
		case !ok:
		case err == nil && u.String() != want:
			t.Errorf("%q on %q: got %s, want %q", c.Input, c.Base, u, want)
		case err != nil && want != "" && !documented(err):
			t.Errorf("%q on %q: %v, want %s", c.Input, c.Base, err, want)
		case err != nil && want != "":
			beyond++
		default:
			agreed++
		}
	}
	t.Logf("%d cases as in browsers, %d refused beyond them", agreed, beyond)
	if agreed < 400 || beyond > 40 {
		t.Error("the cases have changed")
	}
}

func TestWebPlatformDomains(t *testing.T) {
	for _, file := range []string{"toascii.json", "IdnaTestV2.json"} {
		agreed := 0
		for _, raw := range wptFile(t, file) {
			var c struct {
				Input  string
				Output string // empty: failure
			}
			if json.Unmarshal(raw, &c) != nil || c.Input == "" || strings.Contains(c.Input, "?") {
				continue
			}
			host := ""
			u, err := ParseURL("http://" + c.Input + "/x")
			if err == nil {
				host = u.Host
			}
			if host != c.Output && (err == nil || !documented(err)) {
				t.Errorf("%s: %+q gives %q, %v, want %q", file, c.Input, host, err, c.Output)
			}
			agreed++
		}
		if agreed < 30 {
			t.Errorf("%s: only %d cases", file, agreed)
		}
	}
}

// BenchmarkParseURL reports how many times as fast as the peer ParseURL is.
func BenchmarkParseURL(b *testing.B) {
	const raw = "https://www.Example.com:443/shop/./items/../list?page=2&sort=price#top"
	for b.Loop() {
		if _, err := ParseURL(raw); err != nil {
			b.Fatal(err)
		}
	}
	ours, start := b.Elapsed(), time.Now()
	for range b.N {
		if _, err := peer.Parse(raw); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(time.Since(start))/float64(ours), "x-whatwg-url")
}
