package sessions

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// What a client learns at /json/version is what Chromium says there, at the root
// of the host as below the connect path, from each process on the same data. The
// signing key is all that it takes, and has to be there.
func TestVersionOfChromium(t *testing.T) {
	a, b := two(t, setup{browser: chrometest.Provider(t)})
	s := a.create(t, Create{KeepAlive: true})
	other := a.create(t, Create{KeepAlive: true})
	forms := map[string]*regexp.Regexp{
		"Browser": regexp.MustCompile(`^Chrome/\d+\.\d+\.\d+\.\d+$`), "Protocol-Version": regexp.MustCompile(`^1\.3$`),
		"User-Agent": regexp.MustCompile(`^Mozilla/5\.0 .*Chrome/\d+`), "V8-Version": regexp.MustCompile(`^\d+\.\d+\.\d+`),
		"WebKit-Version": regexp.MustCompile(`^537\.36 \(@[0-9a-f]{40}\)$`),
	}
	for _, w := range []*world{a, b} {
		host := must(w.service.endpoint.Address())(t)
		for _, path := range []string{"/json/version", "/json/version/", ConnectPath(s.ID) + "/json/version"} {
			at := "http://" + host + path + "?" + KeyParameter + "="
			res, body := get(t, at+s.SigningKey)
			var v map[string]string
			if err := json.Unmarshal([]byte(body), &v); err != nil || res.StatusCode != http.StatusOK || len(v) != len(forms)+1 {
				t.Fatalf("%s: %d %s", path, res.StatusCode, body)
			}
			for name, form := range forms {
				if !form.MatchString(v[name]) {
					t.Errorf("%s: %s is %q", path, name, v[name])
				}
			}
			if want := ConnectURL("http://"+host, s.ID, s.SigningKey); v["webSocketDebuggerUrl"] != want {
				t.Errorf("%s: %s, want %s", path, v["webSocketDebuggerUrl"], want)
			}
			id, mac, _ := strings.Cut(s.SigningKey, ".")
			_, otherMAC, _ := strings.Cut(other.SigningKey, ".")
			for _, wrong := range []string{"", "x", id, id + ".", "." + mac, id + "." + otherMAC, s.SigningKey + "&" + KeyParameter + "=" + s.SigningKey} {
				if res, body := get(t, at+wrong); res.StatusCode != http.StatusUnauthorized || strings.Contains(body, mac) {
					t.Errorf("%s with %q: %d %s", path, wrong, res.StatusCode, body)
				}
			}
		}
	}
}
