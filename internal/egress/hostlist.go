package egress

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/drover-go/drover/errtypes"
)

//go:embed adhosts.txt
var adHosts string

// builtInAds is the list that comes with Drover.
var builtInAds = sync.OnceValue(func() *hostList {
	l := newHostList()
	for line := range strings.Lines(adHosts) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			l.add(line)
		}
	}
	return l
})

// A hostList knows hosts: by suffix ("example.com" is it and what is below it),
// or, for an entry like "adserver.*", by their first label.
type hostList struct {
	suffixes map[string]bool
	labels   map[string]bool
	more     *hostList // what is known besides; nil for nothing
}

var (
	errNoHost   = errors.New("must be a host, or the first label of hosts followed by .*")
	errHostLine = errors.New("must be one host, or an address and the hosts that it stands for")
)

func newHostList() *hostList {
	return &hostList{suffixes: map[string]bool{}, labels: map[string]bool{}}
}

// newAds returns the list that comes with Drover, unless the host does not want
// it, with the host's own entries.
func newAds(o Options) (*hostList, error) {
	l := newHostList()
	if !o.BlockHostsOnly {
		l.more = builtInAds()
	}
	for i, entry := range o.BlockHosts {
		if err := l.add(entry); err != nil {
			return nil, errtypes.Field(fmt.Sprintf("Options.BlockHosts[%d]", i), "%s", err)
		}
	}
	return l, nil
}

func (l *hostList) add(entry string) error {
	if label, ok := strings.CutSuffix(entry, ".*"); ok && label != "" && !strings.Contains(label, ".") {
		l.labels[strings.ToLower(label)] = true
		return nil
	}
	name, ok := readDomain(entry)
	if !ok {
		return errNoHost
	}
	l.suffixes[name] = true
	return nil
}

// has reports whether the list knows a host, given in its bare form.
func (l *hostList) has(name string) bool {
	if first, rest, ok := strings.Cut(name, "."); ok && rest != "" && l.labels[first] {
		return true
	}
	for part := name; part != ""; {
		if l.suffixes[part] {
			return true
		}
		_, part, _ = strings.Cut(part, ".")
	}
	return l.more != nil && l.more.has(name)
}
