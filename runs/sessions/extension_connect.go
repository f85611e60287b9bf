package sessions

import (
	"cmp"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/loopback"
	"github.com/drover-go/drover/internal/weburl"
)

// An extension that has the permission debugger may drive its session as a
// client, from inside the browser: its
// program tells it the URL that it has connected to itself. The gate lets nobody
// reach the address of this host, so the session's proxy answers such tunnels
// here. What comes this way is for this session alone.

// doors are the addresses under which clients have found a session, as
// "host:port".
type doors struct {
	mu    sync.Mutex
	known map[string]bool
}

// maxDoors is how many addresses are remembered: one that nobody made up, and
// that of each gateway in front.
const maxDoors = 8

// add remembers where a client has come in: what it was asked under, and what
// it was told.
func (d *doors) add(r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, base := range append(seenAs(r), r.Header.Values(seenHeader)...) {
		if door, ok := doorOf(base); ok && len(d.known) < maxDoors {
			if d.known == nil {
				d.known = map[string]bool{}
			}
			d.known[door] = true
		}
	}
}

// seenHeader tells the process that has a session as what its client saw another
// one, which forwards the client. Who has the session's key may as well ask under
// any name.
const seenHeader = "Drover-Seen-As"

// seenAs are the URLs under which the client of a request may see this host.
func seenAs(r *http.Request) []string { return []string{"http://" + r.Host, baseOf(r)} }

func (d *doors) has(target string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.known[target]
}

// doorOf is the target of a tunnel to a URL.
func doorOf(base string) (string, bool) {
	u, err := url.Parse(base)
	if err != nil {
		return "", false
	}
	host, port, err := weburl.HostPort(u.Host)
	if err != nil {
		return "", false
	}
	port = cmp.Or(port, map[string]string{"http": "80", "https": "443"}[u.Scheme])
	return net.JoinHostPort(strings.Trim(host, "[]"), port), port != ""
}

// inside returns what answers a tunnel of the session's browser; nil for one
// that leads elsewhere.
func (l *live) inside(target string) func(net.Conn) {
	if !l.doors.has(target) {
		return nil
	}
	return l.serveInside
}

// serveInside answers the requests of one connection.
func (l *live) serveInside(conn net.Conn) {
	one := &single{conn: make(chan net.Conn, 1), ended: make(chan struct{}), addr: conn.LocalAddr()}
	one.conn <- &toldOfEnd{Conn: conn, end: sync.OnceFunc(func() { close(one.ended) })}
	server := loopback.NewServer(http.HandlerFunc(l.fromInside), l.conf.Logger)
	defer server.Close()
	if err := server.Serve(one); !errors.Is(err, io.EOF) {
		l.conf.Logger.Debug("sessions: a connection from inside a session has ended", "session", l.ID, "error", err)
	}
}

// fromInside lets in the session's own extension, with the session's key. Pages
// of the session are no more welcome than those of others.
func (l *live) fromInside(w http.ResponseWriter, r *http.Request) {
	err := l.keyed(r, l.ID)
	switch {
	case r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, ConnectPath(l.ID)):
		err = errtypes.New(errtypes.NotFound, "from inside a session there is nothing but the session's own connect URL")
	case err == nil && !ofExtension(r):
		err = errtypes.New(errtypes.Forbidden, "web pages may not connect to a session")
	}
	if err != nil {
		refuse(w, err)
		return
	}
	l.serveClient(w, r)
}

func ofExtension(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	return len(origins) == 1 && strings.HasPrefix(origins[0], "chrome-extension://")
}

// single is a listener that has one connection, and ends with it.
type single struct {
	conn  chan net.Conn
	ended chan struct{} // closed when the connection is
	addr  net.Addr
}

func (s *single) Accept() (net.Conn, error) {
	select {
	case conn := <-s.conn:
		return conn, nil
	default:
	}
	<-s.ended
	return nil, io.EOF
}

func (s *single) Addr() net.Addr { return s.addr }
func (s *single) Close() error   { return nil }

type toldOfEnd struct {
	net.Conn
	end func()
}

func (t *toldOfEnd) Close() error {
	defer t.end()
	return t.Conn.Close()
}
