package egress

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

// What is wrong with a proxy behind the gate can be told without telling where it
// is, whoever chose it; other errors are not about one.
func TestOfProxyDoesNotTellWhere(t *testing.T) {
	t.Parallel()
	u, err := ParseUpstream("http://me:word@proxy.example:3128")
	if err != nil {
		t.Fatal(err)
	}
	host := u.OfHost()
	for want, err := range map[string]error{
		"the session's upstream proxy cannot be reached":                             u.failure(errtypes.BadGateway, true, errors.New("dial proxy.example"), "cannot be reached"),
		"the session's upstream proxy answered 502":                                  fmt.Errorf("more: %w", host.errorf(errtypes.BadGateway, nil, "answered %d", 502)),
		"the session's upstream proxy is refused: its address is a loopback address": &RefusedError{Host: "the proxy proxy.example", Addr: netip.MustParseAddr("127.0.0.1"), Class: ClassLoopback, upstream: true},
	} {
		if got := OfProxy(err); got != want || strings.Contains(got, "example") {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
	for _, err := range []error{nil, errors.New("x"), &RefusedError{Host: "a.example", Class: ClassPrivate}} {
		if got := OfProxy(err); got != "" {
			t.Errorf("%v: %q", err, got)
		}
	}
}
