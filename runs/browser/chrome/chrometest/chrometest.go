// Package chrometest gives tests a real Chromium.
package chrometest

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
)

// RequireChromium skips the test when the machine has no Chromium, and says how
// to get one. It returns the path.
func RequireChromium(t testing.TB) string {
	t.Helper()
	testlevel.External()
	path, _, err := chrome.Find()
	if err != nil {
		testlevel.Missing(t, "CHROMIUM: %v (make test installs it)", err)
	}
	return path
}

// LocalGate returns a gate that lets sessions reach 127.0.0.1, where test
// servers listen, and no other special address. It looks names up in [Names].
func LocalGate() *egress.Gate {
	gate, err := egress.New(egress.Options{
		AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		Resolver:      Names{},
		Logger:        slog.New(slog.DiscardHandler),
	})
	if err != nil {
		panic(err) // the prefix is valid
	}
	return gate
}

// Names resolves every name below private.test to 127.0.0.2, every other below
// .test to 127.0.0.1, so that a server can be several sites, and nothing else.
type Names struct{}

// LookupNetIP implements egress.Resolver.
func (Names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	switch {
	case strings.HasSuffix(host, ".private.test"):
		return []netip.Addr{netip.MustParseAddr("127.0.0.2")}, nil
	case strings.HasSuffix(host, ".test"):
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// TempDir returns a directory with a name short enough for a browser's
// sockets, which t.TempDir's may not be. The test fails if it does not end
// empty.
func TempDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "dc")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Remove(dir); err != nil {
			t.Errorf("a browser left files behind: %v", err)
			os.RemoveAll(dir)
		}
	})
	return dir
}

// Provider returns a provider on [LocalGate] that writes into a directory of
// the test's own. It is closed when the test ends. The options are those of
// the test, changed by each function.
func Provider(t testing.TB, change ...func(*chrome.Options)) *chrome.Provider {
	t.Helper()
	o := chrome.Options{
		ExecPath: RequireChromium(t),
		Gate:     LocalGate(),
		TempDir:  TempDir(t),
		Logger:   slog.New(slog.DiscardHandler),
		Spares:   -1, // what a test counts are its own sessions
	}
	for _, f := range change {
		f(&o)
	}
	p, err := chrome.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("the browser provider does not close cleanly: %v", err)
		}
	})
	return p
}

// Session opens a session that is closed when the test ends.
func Session(t testing.TB, p *chrome.Provider) browser.Session {
	t.Helper()
	s, err := p.Open(t.Context(), browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
