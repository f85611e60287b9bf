package egress

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// dnsServer is a DNS server on loopback whose answers a test scripts.
type dnsServer struct {
	conn net.PacketConn
	done chan struct{}

	mu      sync.Mutex
	answers map[string][][]netip.Addr // by name: one list an answer, the last one stays
	asked   map[string]int            // questions for A
}

func newDNSServer(t testing.TB, answers map[string][][]netip.Addr) *dnsServer {
	t.Helper()
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &dnsServer{conn: conn, done: make(chan struct{}), answers: answers, asked: map[string]int{}}
	go s.serve()
	t.Cleanup(func() { conn.Close(); <-s.done })
	return s
}

// resolver returns a real Go resolver that asks this server.
func (s *dnsServer) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp4", s.conn.LocalAddr().String())
	}}
}

func (s *dnsServer) questions(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[name]
}

func (s *dnsServer) serve() {
	defer close(s.done)
	buf := make([]byte, 1500)
	for {
		n, from, err := s.conn.ReadFrom(buf)
		if err != nil {
			return
		}
		var query dnsmessage.Message
		if query.Unpack(buf[:n]) != nil || len(query.Questions) != 1 {
			continue
		}
		answer := s.answer(query)
		if packed, err := answer.Pack(); err == nil {
			s.conn.WriteTo(packed, from)
		}
	}
}

func (s *dnsServer) answer(query dnsmessage.Message) dnsmessage.Message {
	q := query.Questions[0]
	m := dnsmessage.Message{Header: dnsmessage.Header{ID: query.ID, Response: true, RecursionAvailable: true}, Questions: query.Questions}
	addrs, known := s.next(q)
	if !known {
		m.RCode = dnsmessage.RCodeNameError
		return m
	}
	for _, a := range addrs {
		header := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, Type: q.Type}
		switch {
		case q.Type == dnsmessage.TypeA && a.Is4():
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: a.As4()}})
		case q.Type == dnsmessage.TypeAAAA && a.Is6():
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}})
		}
	}
	return m
}

// next returns the addresses for a question; those for A move the script on.
func (s *dnsServer) next(q dnsmessage.Question) (addrs []netip.Addr, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := q.Name.String()
	script := s.answers[name]
	if len(script) == 0 {
		return nil, false
	}
	addrs = slices.Clone(script[0])
	if q.Type == dnsmessage.TypeA {
		s.asked[name]++
		if len(script) > 1 {
			s.answers[name] = script[1:]
		}
	}
	return addrs, true
}

func addrs(texts ...string) []netip.Addr {
	var all []netip.Addr
	for _, text := range texts {
		all = append(all, netip.MustParseAddr(text))
	}
	return all
}
