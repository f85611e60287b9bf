// Package dials goes around the gate in every way that the checker knows.
package dials

import (
	"context"
	"crypto/tls"
	"net"
	web "net/http"
	"net/http/httputil"
	_ "net/smtp" // want net/smtp
	"os/exec"
	"syscall"

	"github.com/coder/websocket"
	_ "golang.org/x/net/proxy" // want golang.org/x/net/proxy
)

func dialers(ctx context.Context) {
	net.Dial("tcp", "h:1")                           // want net.Dial
	net.DialTimeout("tcp", "h:1", 0)                 // want net.DialTimeout
	net.DialTCP("tcp", nil, nil)                     // want net.DialTCP
	d := net.Dialer{}                                // want net.Dialer
	(&net.Dialer{}).DialContext(ctx, "tcp", "h:1")   // want net.Dialer
	var pointer *net.Dialer                          // want net.Dialer
	dial := net.Dial                                 // want net.Dial
	tls.Dial("tcp", "h:1", nil)                      // want tls.Dial
	tls.DialWithDialer(nil, "tcp", "h:1", nil)       // want tls.DialWithDialer
	(&tls.Dialer{}).DialContext(ctx, "tcp", "h:1")   // want tls.Dialer
	websocket.Dial(ctx, "ws://h", nil)               // want websocket.Dial
	syscall.Connect(0, nil)                          // want syscall.Connect
	syscall.Socket(0, 0, 0)                          // want syscall.Socket
	syscall.RawSyscall(syscall.SYS_CONNECT, 0, 0, 0) // want syscall.SYS_CONNECT
	_, _, _ = d, pointer, dial
}

func lookups(ctx context.Context) {
	net.LookupHost("h")                             // want net.LookupHost
	net.LookupIP("h")                               // want net.LookupIP
	net.DefaultResolver.LookupNetIP(ctx, "ip", "h") // want net.DefaultResolver
	r := &net.Resolver{PreferGo: true}              // want net.Resolver
	_ = r
}

func clients(gate interface {
	DialContext(context.Context, string, string) (net.Conn, error)
}) {
	web.Get("http://h")                            // want http.Get
	web.Head("http://h")                           // want http.Head
	web.Post("http://h", "", nil)                  // want http.Post
	web.PostForm("http://h", nil)                  // want http.PostForm
	web.DefaultClient.Get("http://h")              // want http.DefaultClient
	t := web.DefaultTransport                      // want http.DefaultTransport
	c := &web.Client{}                             // want http.Client without Transport
	c = &web.Client{Transport: nil}                // want http.Client without Transport
	c = &web.Client{Timeout: 1}                    // want http.Client without Transport
	c = new(web.Client)                            // want http.Client without a literal
	var value web.Client                           // want http.Client without a literal
	c.Transport = &web.Transport{}                 // want http.Transport without DialContext
	c.Transport = &web.Transport{DialContext: nil} // want http.Transport without DialContext
	c.Transport = new(web.Transport)               // want http.Transport without a literal
	httputil.NewSingleHostReverseProxy(nil)        // want httputil.NewSingleHostReverseProxy
	proxy := &httputil.ReverseProxy{}              // want httputil.ReverseProxy
	c = &web.Client{Transport: &web.Transport{}}   // want http.Transport without DialContext
	c = &web.Client{Transport: &web.Transport{DialContext: gate.DialContext}}
	_, _, _ = t, value, proxy
}

type holder struct {
	client    *web.Client // a pointer holds what somebody else made
	transport *web.Transport
	inline    web.Client // want http.Client without a literal
}

func commands(ctx context.Context, program string) {
	exec.Command("curl", "http://h")                // want the command curl
	exec.CommandContext(ctx, "/usr/bin/wget", "-q") // want the command wget
	exec.Command("sh", "-c", "echo x | nc h 1")     // want the command nc
	exec.Command(program, "--version")
}

func harmless(net struct{ Dial func() }, websocket map[string]func()) {
	net.Dial() // a parameter, not the package
	websocket["Dial"]()
}
