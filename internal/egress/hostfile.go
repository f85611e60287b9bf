package egress

import (
	"bufio"
	"io"
	"net/netip"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// maxHosts bounds how many hosts a file may name, and maxHostLine the length of
// its lines in bytes.
const (
	maxHosts    = 2_000_000
	maxHostLine = 64 << 10
)

// ReadHosts reads a list of hosts, for Options.BlockHosts: one entry a line, or
// lines of a hosts file, which begin with an address. What follows a # is a
// comment. Names without a dot in lines of a hosts file, such as localhost, are
// this machine's and left out. Error kind: Invalid, which names the line.
func ReadHosts(r io.Reader) (hosts []string, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxHostLine)
	number := 0
	for lines.Scan() {
		number++
		text, _, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "\ufeff"), "#")
		entries, err := readHostLine(strings.Fields(text))
		if err != nil {
			return nil, errtypes.New(errtypes.Invalid, "line %d of the list of hosts %s", number, err)
		}
		if hosts = append(hosts, entries...); len(hosts) > maxHosts {
			return nil, errtypes.New(errtypes.Invalid, "the list must name at most %d hosts", maxHosts)
		}
	}
	if lines.Err() != nil {
		return nil, errtypes.New(errtypes.Invalid, "the list of hosts cannot be read after line %d", number).WithCause(lines.Err())
	}
	return hosts, nil
}

// readHostLine reads "host" or "address host host …".
func readHostLine(words []string) (entries []string, err error) {
	if len(words) == 0 {
		return nil, nil
	}
	if _, err := netip.ParseAddr(words[0]); err == nil && len(words) > 1 {
		for _, name := range words[1:] {
			if _, err := netip.ParseAddr(name); err != nil && strings.Contains(name, ".") {
				entries = append(entries, name)
			}
		}
		words = nil
	}
	if len(words) > 1 {
		return nil, errHostLine
	}
	entries = append(entries, words...)
	for _, entry := range entries {
		if err := newHostList().add(entry); err != nil {
			return nil, err
		}
	}
	return entries, nil
}
