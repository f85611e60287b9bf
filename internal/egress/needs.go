package egress

import (
	"sync"
	"time"
)

// need is whether connections to a server have to be made by the proxy.
type need int

const (
	needUnknown need = iota
	needNone         // the client speaks to the server itself
	needProxy        // the proxy speaks TLS to the server
)

// needs remembers of servers, by "host:port", what was found out about them.
type needs struct {
	mu  sync.Mutex
	all map[string]knownNeed
}

type knownNeed struct {
	need  need
	until time.Time
}

// needsFor is how long it is remembered, and maxNeeds of how many: a page can
// name any number.
const (
	needsFor = 10 * time.Minute
	maxNeeds = 1000
)

func newNeeds() *needs { return &needs{all: map[string]knownNeed{}} }

func (n *needs) of(target string, now time.Time) need {
	n.mu.Lock()
	defer n.mu.Unlock()
	if k := n.all[target]; now.Before(k.until) {
		return k.need
	}
	return needUnknown
}

func (n *needs) remember(target string, what need, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, known := n.all[target]; !known && len(n.all) >= maxNeeds {
		clear(n.all)
	}
	n.all[target] = knownNeed{what, now.Add(needsFor)}
}
