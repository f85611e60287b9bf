package egress

import (
	"log/slog"
	"net/netip"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testGate is a gate that is silent and opens the prefixes.
func testGate(t testing.TB, prefixes ...string) *Gate {
	t.Helper()
	return newGate(t, Options{AllowPrefixes: parsePrefixes(prefixes...)})
}

func newGate(t testing.TB, o Options) *Gate {
	t.Helper()
	o.Logger = slog.New(slog.DiscardHandler)
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func parsePrefixes(prefixes ...string) []netip.Prefix {
	var all []netip.Prefix
	for _, p := range prefixes {
		all = append(all, netip.MustParsePrefix(p))
	}
	return all
}
