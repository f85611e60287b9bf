package egress

import (
	"fmt"
	"net/netip"

	"github.com/drover-go/drover/errtypes"
)

// RefusedError is an address, or a port, that the gate does not connect to.
// Its kind is errtypes.Invalid. The address is in the text for the log only:
// what a name resolves to inside the host's network is not the caller's to
// know.
type RefusedError struct {
	// Host is what was asked for: a name or an address.
	Host string
	// Addr is the refused address; invalid for a refused port.
	Addr netip.Addr
	// Port is the port that was asked for; 0 where only an address was checked.
	Port uint16
	// Class is why.
	Class Class

	upstream bool // it is the address of a proxy
}

// Error returns the text for the log.
func (e *RefusedError) Error() string {
	text := e.Public().Message
	if asked, err := netip.ParseAddr(e.Host); !e.Addr.IsValid() || err == nil && asked == e.Addr {
		return text
	}
	text += fmt.Sprintf(" (%s is %s", e.Host, e.Addr)
	if v4, ok := carried(e.Addr, e.Class); ok {
		text += fmt.Sprintf(", carrying %s", v4)
	}
	return text + ")"
}

// Unwrap returns what the caller may see.
func (e *RefusedError) Unwrap() error { return e.Public() }

// Public returns the refusal as an error for the caller. It names the class and the
// option that opens it.
func (e *RefusedError) Public() *errtypes.Error {
	if e.Class == ClassPort {
		return errtypes.New(errtypes.Invalid,
			"%s is refused: port %d is blocked, as in browsers; whoever runs Drover can open it with Options.AllowPorts", e.Host, e.Port)
	}
	return errtypes.New(errtypes.Invalid,
		"%s is refused: its address is %s; whoever runs Drover can open such addresses with Options.AllowPrefixes%s",
		e.Host, e.Class, e.orFlag())
}

// orFlag names the flag of the command line that opens the address, if one
// does.
func (e *RefusedError) orFlag() string {
	for _, p := range PrivatePrefixes() {
		if p.Contains(e.Addr.Unmap()) && e.Class != ClassMetadata {
			return " or --allow-private-networks"
		}
	}
	return ""
}
