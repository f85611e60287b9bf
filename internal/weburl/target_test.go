package weburl_test

import (
	"net/url"
	"testing"

	"github.com/drover-go/drover/internal/weburl"
)

func TestTarget(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"http://A.example/x":      "a.example:80",
		"https://a.example":       "a.example:443",
		"wss://a.example:8443/y":  "a.example:8443",
		"http://[::1]/":           "[::1]:80",
		"https://u:p@a.example:1": "a.example:1",
		"other://a.example":       "a.example:",
	} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := weburl.Target(u); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}
