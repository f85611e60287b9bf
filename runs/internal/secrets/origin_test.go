package secrets

import (
	"errors"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/clock"
)

func TestOriginsAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://Shop.Example": "https://shop.example", "HTTPS://shop.example:443/": "https://shop.example", "http://shop.example:8080": "http://shop.example:8080",
		"https://bücher.example": "https://xn--bcher-kva.example", "https://*.Bücher.example:8443": "https://*.xn--bcher-kva.example:8443",
		"http://127.0.0.1:80": "http://127.0.0.1", "http://[::1]:8080": "http://[::1]:8080",
	} {
		if o, err := ParseOrigin(text); err != nil || o.String() != want {
			t.Errorf("%s: %s %v", text, o, err)
		}
	}
	for _, text := range []string{
		"", "shop.example", "//shop.example", "https:shop.example", "ftp://shop.example", "file:///x", "data:text/html,x", "about:blank", "null", "https://", "https://shop.example/a",
		"https://shop.example?x", "https://shop.example#x", "https://ada@shop.example", "https://shop.example:99999", "https://*", "https://*.", "https://a.*.example",
		"https://*shop.example", "https://*.127.0.0.1", "https://*.[::1]", "https://*.*.example", "https://shop.example ", "https://shop.\texample", `https:\\shop.example`,
	} {
		if o, err := ParseOrigin(text); err == nil {
			t.Errorf("%q is taken as %s", text, o)
		}
	}
}

func TestWhichOriginsAreCovered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		allowed, origin string
		want            bool
	}{
		{"https://shop.example", "https://shop.example", true},
		{"https://shop.example:443", "https://shop.example", true},
		{"https://Bücher.example", "https://xn--bcher-kva.example", true},
		{"https://shop.example", "http://shop.example", false},
		{"https://shop.example", "https://shop.example:8443", false},
		{"https://shop.example", "https://pay.shop.example", false},
		{"https://shop.example", "https://shop.example.evil.example", false},
		{"https://*.shop.example", "https://pay.shop.example", true},
		{"https://*.shop.example", "https://a.pay.shop.example", true},
		{"https://*.shop.example", "https://shop.example", false},
		{"https://*.shop.example", "https://evilshop.example", false},
		{"https://*.shop.example", "http://pay.shop.example", false},
		{"https://shop.example", "null", false},
		{"https://shop.example", "", false},
		{"https://*.shop.example", "https://*.shop.example", false},
		{"http://127.0.0.1:1", "http://127.0.0.1:1", true},
	} {
		o, err := ParseOrigin(c.allowed)
		if err != nil || o.covers(c.origin) != c.want {
			t.Errorf("%s covers %q: %t, %v", c.allowed, c.origin, !c.want, err)
		}
	}
}

func TestARefusalNamesVariableAndOriginsAndNoValue(t *testing.T) {
	t.Parallel()
	shop, err := ParseOrigin("https://shop.example")
	if err != nil {
		t.Fatal(err)
	}
	v := NewVault(map[string]Variable{"pass": {Value: "hunter22", Origins: []Origin{shop}}, "name": {Value: "Ada"}}, clock.System())
	if !v.Bound("x%pass%") || v.Bound("%name%") || v.Bound("pass") {
		t.Error("which texts are bound to origins")
	}
	for _, text := range []string{"%pass%", "%name%%pass%", "100%pass%"} {
		var refused *OriginError
		err := v.Allows(text, "https://evil.example")
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "%pass%") || !strings.Contains(err.Error(), "https://shop.example") || strings.Contains(err.Error(), "hunter22") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := errors.Join(v.Allows("%pass%", "https://shop.example"), v.Allows("%name%", "null"), v.Allows("pass", "null"), (*Vault)(nil).Allows("%pass%", "null")); err != nil {
		t.Error(err)
	}
}
