package chrome_test

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// A trap listens at an address that sessions may not reach, over TCP and UDP,
// and remembers who came: paths of requests, and what was not HTTP.
type trap struct {
	host string // 127.0.0.2:port

	mu   sync.Mutex
	seen map[string]int
}

func newTrap(t *testing.T) *trap {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skipf("SKIPPED: this machine has no second loopback address: %v", err)
	}
	tr := &trap{host: ln.Addr().String(), seen: map[string]int{}}
	udp, err := net.ListenPacket("udp", tr.host)
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: tr, ErrorLog: log.New(io.Discard, "", 0), ConnState: func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			tr.note("tcp")
		}
	}}
	var wg sync.WaitGroup
	wg.Go(func() { srv.Serve(ln) })
	wg.Go(func() {
		buf := make([]byte, 2048)
		for {
			if _, _, err := udp.ReadFrom(buf); err != nil {
				return
			}
			tr.note("udp")
		}
	})
	t.Cleanup(func() { srv.Close(); udp.Close(); wg.Wait() })
	tr.listenMDNS(t)
	return tr
}

// mdnsName is what a page asks the local network for, which would tell it of
// the session. Questions of other tests on this machine are heard, too.
var mdnsName = ids.New()

// listenMDNS hears questions for mdnsName, or for what the resolver's rules
// may make of it.
func (tr *trap) listenMDNS(t *testing.T) {
	t.Helper()
	mdns, err := net.ListenMulticastUDP("udp4", nil, &net.UDPAddr{IP: net.IPv4(224, 0, 0, 251), Port: 5353})
	if err != nil {
		t.Logf("multicast is not heard here: %v", err)
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		buf := make([]byte, 2048)
		for {
			n, _, err := mdns.ReadFrom(buf)
			if err != nil {
				return
			}
			if packet := string(buf[:n]); strings.Contains(packet, mdnsName) || strings.Contains(packet, "NOTFOUND") {
				tr.note("mdns")
			}
		}
	})
	t.Cleanup(func() { mdns.Close(); wg.Wait() })
}

func (tr *trap) note(what string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.seen[what]++
}

func (tr *trap) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	tr.note(r.URL.Path)
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Private-Network", "true")
}

// came returns what the trap has seen, and forgets it.
func (tr *trap) came() map[string]int {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	seen := tr.seen
	tr.seen = map[string]int{}
	return seen
}

// ways are the ways in which a page reaches for an address: markup or a
// script, with H for the trap's host. Those marked sure arrive, under their
// name, when the gate lets them.
var ways = []struct {
	name, html, script string
	sure               bool
}{
	{name: "img", html: `<img src=http://H/img>`, sure: true},
	{name: "svg", html: `<svg><image href=http://H/svg /></svg>`, sure: true},
	{name: "style", html: `<link rel=stylesheet href=http://H/style>`, sure: true},
	{name: "import", html: `<style>@import "http://H/import";</style>`, sure: true},
	{name: "background", html: `<div style="background:url(http://H/background)">b</div>`, sure: true},
	{name: "font", html: `<style>@font-face{font-family:f;src:url(http://H/font)}.f{font-family:f}</style><p class=f>f</p>`, sure: true},
	{name: "script", html: `<script async src=http://H/script></script>`, sure: true},
	{name: "module", html: `<script type=module src=http://H/module></script>`, sure: true},
	{name: "preload", html: `<link rel=preload as=fetch crossorigin href=http://H/preload>`, sure: true},
	{name: "modulepreload", html: `<link rel=modulepreload href=http://H/modulepreload>`, sure: true},
	{name: "prefetch", html: `<link rel=prefetch href=http://H/prefetch>`},
	{name: "preconnect", html: `<link rel=preconnect href=http://H><link rel=dns-prefetch href=//H><link rel=preconnect href=http://N>`},
	{name: "speculation", html: `<script type=speculationrules>{"prefetch":[{"urls":["http://H/speculation"]}],"prerender":[{"urls":["http://H/prerender"]}]}</script>`},
	{name: "icon", html: `<link rel=icon href=http://H/icon><link rel=manifest href=http://H/manifest>`},
	{name: "frame", html: `<iframe src=http://H/frame></iframe>`, sure: true},
	{name: "srcdoc", html: `<iframe srcdoc="<img src=http://H/srcdoc>"></iframe>`, sure: true},
	{name: "dataframe", html: `<iframe src="data:text/html,<img src=http://H/dataframe>"></iframe>`, sure: true},
	{name: "sandbox", html: `<iframe sandbox=allow-scripts srcdoc="<script>fetch('http://H/sandbox',{mode:'no-cors'})</script>"></iframe>`, sure: true},
	{name: "framerefresh", html: `<iframe srcdoc="<meta http-equiv=refresh content='0;url=http://H/framerefresh'>"></iframe>`, sure: true},
	{name: "object", html: `<object data=http://H/object></object>`, sure: true},
	{name: "embed", html: `<embed src=http://H/embed>`, sure: true},
	{name: "video", html: `<video src=http://H/video preload=auto></video>`, sure: true},
	{name: "audio", html: `<audio src=http://H/audio preload=auto></audio>`, sure: true},
	{name: "redirect", html: `<img src="/redirect?to=http://H/redirect">`, sure: true},
	{name: "frameredirect", html: `<iframe src="/redirect?to=http://H/frameredirect"></iframe>`, sure: true},
	{name: "byname", html: `<img src=http://N/byname>`, sure: true},
	{name: "decimal", html: `<img src=http://2130706434:P/decimal>`, sure: true},
	{name: "hex", html: `<img src=http://0x7f.2:P/hex>`, sure: true},
	{name: "mapped", html: `<img src="http://[::ffff:7f00:2]:P/mapped">`, sure: true},
	{name: "other", html: `<img src=http://localhost:P/localhost><img src=http://127.2:P/other>`, sure: true},
	{name: "https", html: `<img src=https://H/https><iframe src=https://H/https></iframe>`},
	{name: "fetch", script: `fetch('http://H/fetch')`, sure: true},
	{name: "nocors", script: `fetch('http://H/nocors', {mode:'no-cors', method:'POST', body:'x', keepalive:true})`, sure: true},
	{name: "xhr", script: `const x = new XMLHttpRequest(); x.open('GET', 'http://H/xhr'); x.send()`, sure: true},
	{name: "beacon", script: `navigator.sendBeacon('http://H/beacon', 'x')`, sure: true},
	{name: "events", script: `new EventSource('http://H/events')`, sure: true},
	{name: "socket", script: `new WebSocket('ws://H/socket')`, sure: true},
	{name: "wss", script: `new WebSocket('wss://H/wss')`},
	{name: "form", html: `<iframe name=t1></iframe><form id=f1 method=post target=t1 action=http://H/form><input name=a></form>`, script: `document.getElementById('f1').submit()`, sure: true},
	{name: "framelocation", html: `<iframe id=l1></iframe>`, script: `document.getElementById('l1').contentWindow.location = 'http://H/framelocation'`, sure: true},
	{name: "ping", html: `<a id=p1 ping=http://H/ping href="#x">p</a>`, script: `document.getElementById('p1').click()`},
	{name: "worker", script: `new Worker(URL.createObjectURL(new Blob(["fetch('http://H/worker'); new WebSocket('ws://H/workersocket'); try { importScripts('http://H/workerimport') } catch {}"])))`, sure: true},
	{name: "nested", script: `new Worker(URL.createObjectURL(new Blob(["new Worker(URL.createObjectURL(new Blob([\"fetch('http://H/nested')\"])))"])))`, sure: true},
	{name: "shared", script: `new SharedWorker(URL.createObjectURL(new Blob(["fetch('http://H/shared')"])))`, sure: true},
	{name: "service", script: `navigator.serviceWorker.register('/service.js?to=http://H/service')`, sure: true},
	{name: "worklet", script: `CSS.paintWorklet?.addModule('http://H/worklet'); new AudioContext().audioWorklet.addModule('http://H/audioworklet')`},
	{name: "stun", script: rtc(`[{urls:'stun:H'}]`)},
	{name: "turn", script: rtc(`[{urls:['turn:H?transport=udp','turn:H?transport=tcp','turns:H?transport=tcp'],username:'u',credential:'c'}]`)},
	{name: "candidates", script: rtcCandidates},
	{name: "transport", script: `new WebTransport('https://H/transport')`},
	{name: "fedcm", script: `navigator.credentials.get({identity:{providers:[{configURL:'https://H/fedcm.json', clientId:'1'}]}})`},
	{name: "payment", script: `new PaymentRequest([{supportedMethods:'https://H/pay'}], {total:{label:'x',amount:{currency:'EUR',value:'1'}}}).canMakePayment()`},
	{name: "attribution", html: `<img attributionsrc=https://H/attribution src=data:,>`},
	{name: "stylesheetpi", script: `const d = document.createElement('iframe'); d.src = '/xml?to=http://H/stylesheetpi'; document.body.append(d)`},
}

func rtc(servers string) string {
	return `const c = new RTCPeerConnection({iceServers:` + servers + `}); c.createDataChannel('x'); c.createOffer().then(o => c.setLocalDescription(o))`
}

// rtcCandidates lets two ends exchange candidates, after naming the trap as one
// for UDP, one for TCP, and one by mDNS.
var rtcCandidates = `const a = new RTCPeerConnection(), b = new RTCPeerConnection(); a.createDataChannel('x');
a.onicecandidate = e => e.candidate && b.addIceCandidate(e.candidate); b.onicecandidate = e => e.candidate && a.addIceCandidate(e.candidate);
const [host, port] = 'H'.split(':');
a.createOffer().then(o => a.setLocalDescription(o)).then(() => b.setRemoteDescription(a.localDescription)).then(() => b.createAnswer()).then(o => b.setLocalDescription(o)).then(() => a.setRemoteDescription(b.localDescription)).then(() => {
  for (const end of [a, b]) for (const line of ['1 1 udp 2122260223 ' + host + ' ' + port + ' typ host', '2 1 tcp 1518280447 ' + host + ' ' + port + ' typ host tcptype passive', '3 1 udp 2122260223 ` + mdnsName + `.local ' + port + ' typ host'])
    end.addIceCandidate({candidate: 'candidate:' + line, sdpMid: '0'}).catch(() => {}) })`

// reaching serves a page that tries every way, and tells on done when it has
// tried and waited a while for what comes late.
func reaching(t *testing.T, tr *trap) (srv *httptest.Server, done chan struct{}) {
	t.Helper()
	_, port, _ := net.SplitHostPort(tr.host)
	named := strings.NewReplacer("//H", "//"+tr.host, ":H", ":"+tr.host, "'H'", "'"+tr.host+"'", "//N", "//inside.private.test:"+port, ":P", ":"+port)
	var html, script strings.Builder
	for _, w := range ways {
		html.WriteString(named.Replace(w.html) + "\n")
		body, err := json.Marshal(named.Replace(w.script))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&script, "try { new Function(%s)() } catch (e) { console.log(e) }\n", body)
	}
	done = make(chan struct{}, 1)
	srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := r.URL.Query().Get("to")
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Security-Policy-Report-Only", "default-src 'none'; report-uri http://"+tr.host+"/report")
			w.Header().Set("Reporting-Endpoints", `default="https://`+tr.host+`/reporting"`)
			w.Header().Set("Link", "<http://"+tr.host+"/linkheader>; rel=preload; as=image")
			w.Header().Set("Alt-Svc", `h3="`+tr.host+`"`)
			fmt.Fprintf(w, "<!DOCTYPE html><title>t</title>%s<script>onload = () => { %s; setTimeout(() => fetch('/done'), 2500) }; onunhandledrejection = e => e.preventDefault()</script>", html.String(), script.String())
		case "/redirect":
			http.Redirect(w, r, to, http.StatusFound)
		case "/service.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprintf(w, "self.oninstall = e => e.waitUntil(fetch(%q).catch(() => {})); fetch(%q).catch(() => {})", to, to)
		case "/xml":
			w.Header().Set("Content-Type", "text/xml")
			fmt.Fprintf(w, `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="%s"?><x/>`, to)
		case "/done":
			done <- struct{}{}
		}
	}))
	t.Cleanup(srv.Close)
	return srv, done
}

func TestNoWayLeadsToAPrivateAddress(t *testing.T) { noWayLeads(t, browser.Options{}) }

func noWayLeads(t *testing.T, o browser.Options) {
	tr := newTrap(t)
	srv, done := reaching(t, tr)
	s := openWith(t, sharedProvider(t), o)
	navigate(t, s, srv.URL+"/")
	<-done
	for _, url := range []string{"http://H/nav", "https://H/nav", "http://N/nav", "http://2130706434:P/nav", "http://[::ffff:127.0.0.2]:P/nav"} {
		_, port, _ := net.SplitHostPort(tr.host)
		url = strings.NewReplacer("//H", "//"+tr.host, "//N", "//inside.private.test:"+port, ":P", ":"+port).Replace(url)
		if _, err := s.Navigate(t.Context(), url); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), "AllowPrefixes") {
			t.Errorf("navigating to %s: %v", url, err)
		}
	}
	if seen := tr.came(); len(seen) > 0 {
		t.Errorf("reached the private address: %v", seen)
	}
}

// The control: the same page arrives by nearly every way when the gate lets it,
// or when the guards are off, so that the test above means something.
func TestTheWaysLeadSomewhere(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "every way around a proxy")
	tr := newTrap(t)
	srv, done := reaching(t, tr)
	gate, err := egress.New(egress.Options{
		AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Resolver: chrometest.Names{}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	s := chrometest.Session(t, chrometest.Provider(t, func(o *chrome.Options) { o.Gate = gate }))
	navigate(t, s, srv.URL+"/")
	<-done
	seen := tr.came()
	for _, w := range ways {
		if w.sure && seen["/"+w.name] == 0 {
			t.Errorf("%s did not arrive", w.name)
		}
	}
	if seen["udp"] > 0 {
		t.Errorf("%d packets went past the proxy", seen["udp"])
	}
	t.Log("through an open gate:", slices.Sorted(maps.Keys(seen)))

	unguarded := chrometest.Session(t, chrometest.Provider(t, func(o *chrome.Options) { o.Gate = gate; chrome.Unguard(o) }))
	navigate(t, unguarded, srv.URL+"/")
	<-done
	if seen := tr.came(); seen["udp"] == 0 {
		t.Error("without the guards no packet arrives either")
	}
}

// A session's proxy is asked for what its page asks for and nothing else: the
// browser's own business is with the proxy that refuses.
func TestTheBrowserKeepsToItself(t *testing.T) { keepsToItself(t, browser.Options{}) }

func keepsToItself(t *testing.T, o browser.Options) {
	var mu sync.Mutex
	asked := map[string]bool{}
	p := chrometest.Provider(t, func(o *chrome.Options) {
		gate := o.Gate
		o.Proxy = func(failed func(string, error)) (chrome.Proxy, error) {
			behind, err := egress.NewProxy(gate, egress.ProxyOptions{})
			if err != nil {
				return nil, err
			}
			return newTee(behind, func(line string) { mu.Lock(); defer mu.Unlock(); asked[line] = true })
		}
	})
	srv, done := reaching(t, newTrap(t))
	s := openWith(t, p, o)
	navigate(t, s, srv.URL+"/")
	<-done
	s.Close()
	for line := range asked {
		if !strings.Contains(line, "127.0.0.") && !strings.Contains(line, "localhost") && !strings.Contains(line, "[::ffff:7f00:2]") && !strings.Contains(line, "private.test") {
			t.Errorf("asked for %s", line)
		}
	}
	if len(asked) < 20 {
		t.Errorf("only %d requests were seen", len(asked))
	}
}

// tee is a proxy that shows the first line of each connection and passes all on
// to another.
type tee struct {
	net.Listener
	behind *egress.Proxy
	wg     sync.WaitGroup
}

func newTee(behind *egress.Proxy, show func(string)) (chrome.Proxy, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	te := &tee{Listener: ln, behind: behind}
	te.wg.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			te.wg.Go(func() { te.pass(c, show) })
		}
	})
	return te, nil
}

func (te *tee) pass(c net.Conn, show func(string)) {
	defer c.Close()
	out, err := net.Dial("tcp", te.behind.Addr().String())
	if err != nil {
		return
	}
	defer out.Close()
	in := bufio.NewReader(c)
	line, err := in.ReadString('\n')
	if err != nil {
		return
	}
	show(strings.TrimSpace(line))
	te.wg.Go(func() {
		io.WriteString(out, line)
		io.Copy(out, in)
		out.(*net.TCPConn).CloseWrite()
	})
	io.Copy(c, out)
}

func (te *tee) Use(policy egress.Policy) { te.behind.Use(policy) }

func (te *tee) Traffic() (sent, received int64) {
	s := te.behind.Stats()
	return s.Sent, s.Received
}

func (te *tee) Addr() string { return te.Listener.Addr().String() }

func (te *tee) Close() error {
	te.Listener.Close()
	err := te.behind.Close()
	te.wg.Wait()
	return err
}

// A certificate can name an address from which the browser should fetch its
// issuer.
func TestCertificatesDoNotLeadToAPrivateAddress(t *testing.T) {
	t.Parallel()
	tr := newTrap(t)
	srv := httptest.NewUnstartedServer(http.NotFoundHandler())
	srv.TLS = &tls.Config{Certificates: []tls.Certificate{orphanCertificate(t, "http://"+tr.host+"/issuer", "http://"+tr.host+"/ocsp", "http://"+tr.host+"/crl")}}
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	defer srv.Close()
	s := open(t)
	if _, err := s.Navigate(t.Context(), srv.URL); !errtypes.Is(err, errtypes.BadGateway) || !strings.Contains(err.Error(), "certificate") {
		t.Error(err)
	}
	if seen := tr.came(); len(seen) > 0 {
		t.Errorf("reached the private address: %v", seen)
	}
}

// orphanCertificate is signed by an issuer that is not sent along.
func orphanCertificate(t *testing.T, issuer, ocsp, crl string) tls.Certificate {
	t.Helper()
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ca := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Unknown issuer"}, IsCA: true, BasicConstraintsValid: true}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "127.0.0.1"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IssuingCertificateURL: []string{issuer}, OCSPServer: []string{ocsp}, CRLDistributionPoints: []string{crl},
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, ca, &key.PublicKey, caKey)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}
