package egress

import "net/netip"

// Class says what sort of address, or port, is refused.
type Class string

// The classes of refused addresses. They read after "its address is".
const (
	ClassLoopback      Class = "a loopback address"
	ClassPrivate       Class = "a private address"
	ClassShared        Class = "an address shared by a carrier's customers"
	ClassLinkLocal     Class = "a link-local address"
	ClassUnspecified   Class = "an address of this network"
	ClassMulticast     Class = "a multicast address"
	ClassBroadcast     Class = "the broadcast address"
	ClassReserved      Class = "a reserved address"
	ClassProtocol      Class = "an address set aside for protocols"
	ClassDocumentation Class = "an address for documentation"
	ClassBenchmark     Class = "an address for benchmarks"
	ClassAnycast       Class = "an anycast address of the DNS or of a relay"
	ClassDiscard       Class = "an address that discards"
	ClassCompatible    Class = "an IPv4-compatible address"
	ClassTranslated    Class = "an IPv4-translated address"
	ClassNAT64         Class = "a NAT64 address"
	Class6to4          Class = "a 6to4 address"
	ClassTeredo        Class = "a Teredo address"
	ClassUnallocated   Class = "outside the global unicast addresses"
	ClassMetadata      Class = "the address of a cloud's metadata service"
	ClassZone          Class = "an address with a zone"
	ClassOwn           Class = "an address of this machine"
	ClassInvalid       Class = "not an address"
	// ClassPort is no class of addresses: the port is one that browsers block.
	ClassPort Class = "blocked"
)

type special struct {
	prefix netip.Prefix
	class  Class
}

func block(prefix string, class Class) special {
	return special{netip.MustParsePrefix(prefix), class}
}

// metadata lists the addresses at which clouds hand out credentials. Opening a
// wider prefix does not open them; only a prefix of full length does.
var metadata = []special{
	block("169.254.169.254/32", ClassMetadata), // most clouds
	block("169.254.170.2/32", ClassMetadata),   // AWS, containers
	block("169.254.170.23/32", ClassMetadata),  // AWS, pods
	block("168.63.129.16/32", ClassMetadata),   // Azure WireServer: a public address
	block("100.100.100.200/32", ClassMetadata), // Alibaba
	block("192.0.0.192/32", ClassMetadata),     // Oracle
	block("fd00:ec2::254/128", ClassMetadata),  // AWS
	block("fd00:ec2::23/128", ClassMetadata),   // AWS, pods
	block("fd20:ce::254/128", ClassMetadata),   // Google
	block("fe80::a9fe:a9fe/128", ClassMetadata),
}

// special4 is the IANA IPv4 Special-Purpose Address Registry, with multicast
// (RFC 5771). Entries the registry calls globally reachable are refused too:
// nobody serves pages there.
var special4 = []special{
	block("0.0.0.0/8", ClassUnspecified),    // RFC 791
	block("10.0.0.0/8", ClassPrivate),       // RFC 1918
	block("100.64.0.0/10", ClassShared),     // RFC 6598
	block("127.0.0.0/8", ClassLoopback),     // RFC 1122
	block("169.254.0.0/16", ClassLinkLocal), // RFC 3927
	block("172.16.0.0/12", ClassPrivate),    // RFC 1918
	block("192.0.0.0/24", ClassProtocol),    // RFC 6890
	block("192.0.2.0/24", ClassDocumentation),
	block("192.31.196.0/24", ClassAnycast), // RFC 7535
	block("192.52.193.0/24", ClassAnycast), // RFC 7450
	block("192.88.99.0/24", ClassAnycast),  // RFC 7526
	block("192.168.0.0/16", ClassPrivate),  // RFC 1918
	block("192.175.48.0/24", ClassAnycast), // RFC 7534
	block("198.18.0.0/15", ClassBenchmark), // RFC 2544
	block("198.51.100.0/24", ClassDocumentation),
	block("203.0.113.0/24", ClassDocumentation),
	block("224.0.0.0/4", ClassMulticast),
	block("255.255.255.255/32", ClassBroadcast),
	block("240.0.0.0/4", ClassReserved), // RFC 1112
}

// special6 is the IANA IPv6 Special-Purpose Address Registry. What lies
// outside global is refused whether it stands here or not; the entries then
// only give it a better name. The first match wins.
var special6 = []special{
	block("::/128", ClassUnspecified),
	block("::1/128", ClassLoopback),
	block("::/96", ClassCompatible),           // RFC 4291
	block("::ffff:0:0:0/96", ClassTranslated), // RFC 2765
	block("64:ff9b::/96", ClassNAT64),         // RFC 6052
	block("64:ff9b:1::/48", ClassNAT64),       // RFC 8215
	block("100::/32", ClassDiscard),           // RFC 6666, RFC 9780
	block("2001::/32", ClassTeredo),           // RFC 4380
	block("2001:2::/48", ClassBenchmark),      // RFC 5180
	block("2001:4:112::/48", ClassAnycast),    // RFC 7535
	block("2001::/23", ClassProtocol),         // RFC 2928, ORCHID and DRIP among them
	block("2001:db8::/32", ClassDocumentation),
	block("2002::/16", Class6to4),            // RFC 3056
	block("2620:4f:8000::/48", ClassAnycast), // RFC 7534
	block("3fff::/20", ClassDocumentation),   // RFC 9637
	block("5f00::/16", ClassReserved),        // RFC 9602
	block("fc00::/7", ClassPrivate),          // RFC 4193
	block("fe80::/10", ClassLinkLocal),
	block("fec0::/10", ClassPrivate), // RFC 3879
	block("ff00::/8", ClassMulticast),
}

// global is the only part of IPv6 that is given out for use on the internet.
var global = netip.MustParsePrefix("2000::/3")

// classify returns the class of a refused address, or "" for one that is
// free. The address has no zone and is not IPv4-mapped.
func classify(addr netip.Addr) Class {
	if class := find(metadata, addr); class != "" {
		return class
	}
	if addr.Is4() {
		return find(special4, addr)
	}
	class := find(special6, addr)
	if class == "" && !global.Contains(addr) {
		return ClassUnallocated
	}
	return class
}

func find(table []special, addr netip.Addr) Class {
	for _, s := range table {
		if s.prefix.Contains(addr) {
			return s.class
		}
	}
	return ""
}

// PrivatePrefixes returns the private and loopback networks, for a host that
// opens them all: RFC 1918, RFC 4193, 127.0.0.0/8 and ::1. Link-local networks
// and metadata services are not among them.
func PrivatePrefixes() []netip.Prefix {
	return []netip.Prefix{
		netip.MustParsePrefix("127.0.0.0/8"),
		netip.MustParsePrefix("::1/128"),
		netip.MustParsePrefix("10.0.0.0/8"),
		netip.MustParsePrefix("172.16.0.0/12"),
		netip.MustParsePrefix("192.168.0.0/16"),
		netip.MustParsePrefix("fc00::/7"),
	}
}
