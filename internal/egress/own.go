package egress

import (
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// ownAddrs knows the addresses of this machine's interfaces. What listens on a
// public address of its own is often meant for the inside only.
type ownAddrs struct {
	clock clock.Clock
	list  func() ([]net.Addr, error)

	mu    sync.Mutex
	read  time.Time
	addrs map[netip.Addr]bool
}

// ownFresh is how long the list of own addresses is good.
const ownFresh = 30 * time.Second

func (o *ownAddrs) contain(addr netip.Addr) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now := o.clock.Now(); o.addrs == nil || now.Sub(o.read) > ownFresh {
		o.read, o.addrs = now, o.readAll()
	}
	return o.addrs[addr]
}

// readAll returns the addresses of this machine. Where they cannot be listed,
// the tables of special addresses still hold.
func (o *ownAddrs) readAll() map[netip.Addr]bool {
	list, _ := o.list()
	addrs := make(map[netip.Addr]bool, len(list))
	for _, a := range list {
		if ipnet, ok := a.(*net.IPNet); ok {
			if addr, ok := netip.AddrFromSlice(ipnet.IP); ok {
				addrs[addr.Unmap()] = true
			}
		}
	}
	return addrs
}
