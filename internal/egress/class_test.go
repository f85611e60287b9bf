package egress

import (
	"bufio"
	"errors"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
)

// TestEveryAddressClass holds the gate against testdata/addresses.txt.
func TestEveryAddressClass(t *testing.T) {
	g := testGate(t)
	f, err := os.Open("testdata/addresses.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tested := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		line, _, _ := strings.Cut(s.Text(), "#")
		text, want, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		want = strings.TrimSpace(want)
		tested++
		err := g.CheckAddr(netip.MustParseAddr(text))
		var refused *RefusedError
		switch {
		case want == "free" && err != nil:
			t.Errorf("%s: %v, want it free", text, err)
		case want != "free" && !errors.As(err, &refused):
			t.Errorf("%s is free, want it refused as %s", text, want)
		case want != "free" && string(refused.Class) != want:
			t.Errorf("%s is refused as %s, want %s", text, refused.Class, want)
		}
	}
	if tested < 100 {
		t.Errorf("only %d addresses tested", tested)
	}
}

func TestTheInvalidAddressIsRefused(t *testing.T) {
	var refused *RefusedError
	if err := testGate(t).CheckAddr(netip.Addr{}); !errors.As(err, &refused) || refused.Class != ClassInvalid {
		t.Errorf("got %v", err)
	}
}

func TestAllowPrefixesOpenExactlyWhatTheyName(t *testing.T) {
	g := testGate(t, "127.0.0.0/8", "::ffff:10.0.0.0/104", "fc00::/7", "169.254.0.0/16", "100.100.100.200/32")
	for addr, open := range map[string]bool{
		"127.0.0.1":        true,
		"127.255.255.255":  true,
		"::ffff:127.0.0.1": true, // the system connects to 127.0.0.1
		"10.1.2.3":         true,
		"11.1.2.3":         true,
		"172.16.0.1":       false,
		"::1":              false,
		"::127.0.0.1":      false,
		"64:ff9b::7f00:1":  false,
		"2002:7f00:1::":    false,
		"fd12::1":          true,
		"fd00:ec2::254":    false, // a metadata service needs its own prefix
		"169.254.1.1":      true,
		"169.254.169.254":  false,
		"100.100.100.200":  true,
		"100.100.100.201":  false,
	} {
		if err := g.CheckAddr(netip.MustParseAddr(addr)); (err == nil) != open {
			t.Errorf("%s: %v, want open %t", addr, err, open)
		}
	}
	if err := g.CheckAddr(netip.MustParseAddr("fd12::1%eth0")); err == nil {
		t.Error("an address with a zone is open")
	}
}

func TestPrivatePrefixesOpenNetworksButNoMetadata(t *testing.T) {
	g := newGate(t, Options{AllowPrefixes: PrivatePrefixes()})
	for _, addr := range []string{"127.0.0.1", "::1", "10.0.0.1", "172.31.255.255", "192.168.1.1", "fd00::1"} {
		if err := g.CheckAddr(netip.MustParseAddr(addr)); err != nil {
			t.Error(err)
		}
	}
	for _, m := range metadata {
		if g.CheckAddr(m.prefix.Addr()) == nil {
			t.Errorf("%s is open", m.prefix.Addr())
		}
	}
}

func TestNAT64IsJudgedByTheAddressItCarries(t *testing.T) {
	g := newGate(t, Options{
		NAT64:         []netip.Prefix{WellKnownNAT64, netip.MustParsePrefix("2001:db9:1::/48"), netip.MustParsePrefix("2001:db9:2::/64")},
		AllowPrefixes: parsePrefixes("10.0.0.0/8"),
	})
	for addr, open := range map[string]bool{
		"64:ff9b::8.8.8.8":          true,
		"64:ff9b::127.0.0.1":        false,
		"64:ff9b::169.254.169.254":  false,
		"64:ff9b::10.0.0.1":         true,
		"2001:db9:1:808:8:800::":    true,  // 8.8.8.8, around octet 8
		"2001:db9:1:7f00:0:100::":   false, // 127.0.0.1
		"2001:db9:2:0:8:808:800::":  true,
		"2001:db9:2:0:7f:0:100::":   false,
		"64:ff9b:1:808:8:800::":     false, // no prefix of this network
		"2001:db9:3::8.8.8.8":       true,
		"2001:db9:1:a9fe:a9:fe00::": false,
	} {
		if err := g.CheckAddr(netip.MustParseAddr(addr)); (err == nil) != open {
			t.Errorf("%s: %v, want open %t", addr, err, open)
		}
	}
}

func TestNewRefusesPrefixesItCannotHonour(t *testing.T) {
	for _, o := range []Options{
		{AllowPrefixes: []netip.Prefix{{}}},
		{NAT64: parsePrefixes("10.0.0.0/8")},
		{NAT64: parsePrefixes("64:ff9b::/95")},
		{NAT64: parsePrefixes("::ffff:0:0/96")},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

func TestAddressesOfThisMachineAreRefused(t *testing.T) {
	hands := clock.NewManual(time.Unix(0, 0))
	g := newGate(t, Options{Clock: hands, AllowPrefixes: parsePrefixes("2a00::2/128")})
	addrs := []string{"93.184.215.14/24", "2a00::1/64", "2a00::2/64"}
	g.own.list = func() ([]net.Addr, error) {
		var list []net.Addr
		for _, a := range addrs {
			ip, ipnet, _ := net.ParseCIDR(a)
			list = append(list, &net.IPNet{IP: ip, Mask: ipnet.Mask})
		}
		return list, nil
	}
	check := func(addr string, want Class) {
		t.Helper()
		if got := g.refuses(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %q, want %q", addr, got, want)
		}
	}
	check("93.184.215.14", ClassOwn)
	check("::ffff:93.184.215.14", ClassOwn)
	check("2a00::1", ClassOwn)
	check("2a00::2", "")
	check("93.184.215.15", "")
	addrs = []string{"93.184.215.15/24"} // the machine moves
	hands.Advance(ownFresh + time.Second)
	check("93.184.215.15", ClassOwn)
	check("93.184.215.14", "")
}

func TestTheRefusalTellsTheCallerWhyAndTheLogWhat(t *testing.T) {
	err := &RefusedError{Host: "intranet.example", Addr: netip.MustParseAddr("2002:0a01:0203::1"), Class: Class6to4}
	public := errtypes.Public(err)
	if public.Kind != errtypes.Invalid {
		t.Errorf("kind %s", public.Kind)
	}
	for _, want := range []string{"intranet.example", "6to4", "Options.AllowPrefixes"} {
		if !strings.Contains(public.Message, want) {
			t.Errorf("%q does not name %s", public.Message, want)
		}
	}
	if strings.Contains(public.Message, "2002:") || strings.Contains(public.Message, "10.1.2.3") {
		t.Errorf("%q tells what the name resolves to", public.Message)
	}
	if log := err.Error(); !strings.Contains(log, "2002:a01:203::1") || !strings.Contains(log, "carrying 10.1.2.3") {
		t.Errorf("the log text is %q", log)
	}
}

func TestCarriedAddresses(t *testing.T) {
	for addr, want := range map[string]string{
		"::10.1.2.3":                           "10.1.2.3",
		"::ffff:0:10.1.2.3":                    "10.1.2.3",
		"64:ff9b::10.1.2.3":                    "10.1.2.3",
		"64:ff9b:1:a01:2:300::":                "10.1.2.3",
		"2002:a01:203::":                       "10.1.2.3",
		"2001:0:4136:e378:8000:63bf:f5fe:fdfc": "10.1.2.3",
	} {
		a := netip.MustParseAddr(addr)
		if got, ok := carried(a, classify(a)); !ok || got.String() != want {
			t.Errorf("%s carries %s, %t, want %s", addr, got, ok, want)
		}
	}
	if _, ok := carried(netip.MustParseAddr("fc00::1"), ClassPrivate); ok {
		t.Error("a private address carries none")
	}
}

func TestPorts(t *testing.T) {
	g := newGate(t, Options{AllowPorts: []uint16{6000}})
	for port, open := range map[uint16]bool{80: true, 443: true, 8080: true, 3000: true, 6000: true,
		0: false, 22: false, 25: false, 53: false, 587: false, 6667: false, 10080: false} {
		err := g.CheckPort("h.example", port)
		if (err == nil) != open {
			t.Errorf("port %d: %v, want open %t", port, err, open)
		}
		if err != nil && (!errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), "Options.AllowPorts")) {
			t.Errorf("port %d: %v", port, err)
		}
	}
	for i := 1; i < len(badPorts); i++ {
		if badPorts[i-1] >= badPorts[i] {
			t.Errorf("badPorts is not sorted at %d", badPorts[i])
		}
	}
}
