package egress

import (
	"encoding/binary"
	"fmt"
	"net/netip"
)

// WellKnownNAT64 is the prefix of RFC 6052 for [Options.NAT64].
var WellKnownNAT64 = netip.MustParsePrefix("64:ff9b::/96")

// carried returns the IPv4 address inside an IPv6 address of one of the
// classes that carry one. It is for the log: such an address is refused
// whatever it carries.
func carried(addr netip.Addr, class Class) (netip.Addr, bool) {
	b := addr.As16()
	switch class {
	case ClassCompatible, ClassTranslated:
		return netip.AddrFrom4([4]byte(b[12:16])), true
	case ClassNAT64:
		prefix := netip.PrefixFrom(addr, 96)
		if !WellKnownNAT64.Contains(addr) {
			prefix = netip.PrefixFrom(addr, 48)
		}
		return nat64(addr, prefix), true
	case Class6to4:
		return netip.AddrFrom4([4]byte(b[2:6])), true
	case ClassTeredo: // the client's address, each bit flipped (RFC 4380, 4)
		v4 := binary.BigEndian.AppendUint32(nil, ^binary.BigEndian.Uint32(b[12:16]))
		return netip.AddrFrom4([4]byte(v4)), true
	}
	return netip.Addr{}, false
}

// nat64 returns the IPv4 address that addr carries behind a prefix of one of
// the lengths of RFC 6052, 2.2. Octet 8 of the address is always skipped.
func nat64(addr netip.Addr, prefix netip.Prefix) netip.Addr {
	b := addr.As16()
	var v4 [4]byte
	at := prefix.Bits() / 8
	for i := range v4 {
		if at == 8 {
			at++
		}
		v4[i] = b[at]
		at++
	}
	return netip.AddrFrom4(v4)
}

func checkNAT64Prefix(p netip.Prefix) error {
	if p.Addr().Is6() && !p.Addr().Is4In6() {
		switch p.Bits() {
		case 32, 40, 48, 56, 64, 96:
			return nil
		}
	}
	return fmt.Errorf("NAT64 prefix %s: want an IPv6 prefix of length 32, 40, 48, 56, 64 or 96", p)
}
