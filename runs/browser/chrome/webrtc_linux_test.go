package chrome_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// rtcScript connects in the ways that pages do, keeps the connections, and
// reports all that it learns of addresses: from REPORT and by FROM.
const rtcScript = `
const learnt = [], kept = [];
async function gather(config, prepare) {
	const pc = new RTCPeerConnection(config);
	kept.push(pc);
	pc.onicecandidate = e => e.candidate && learnt.push(e.candidate.candidate);
	pc.onicecandidateerror = e => learnt.push('error ' + e.address + ' ' + e.errorText);
	pc.createDataChannel('d');
	if (prepare) await prepare(pc);
	const complete = new Promise(done => pc.onicegatheringstatechange = () => pc.iceGatheringState === 'complete' && done());
	await pc.setLocalDescription(await pc.createOffer());
	await complete;
	return pc;
}
async function pair() {
	const one = await gather(), two = new RTCPeerConnection();
	kept.push(two);
	two.onicecandidate = e => e.candidate && learnt.push(e.candidate.candidate);
	await two.setRemoteDescription(one.localDescription);
	await two.setLocalDescription(await two.createAnswer());
	await one.setRemoteDescription(two.localDescription);
	for (const to of ['11111111-2222-4333-8444-555555555555.local 50000', '127.0.0.1 50001', '192.0.2.77 50002'])
		await two.addIceCandidate({candidate: 'candidate:1 1 udp 2113937151 ' + to + ' typ host', sdpMid: '0', sdpMLineIndex: 0});
}
async function sound(pc) {
	await navigator.mediaDevices?.getUserMedia({audio: true}).catch(e => learnt.push('no microphone: ' + e.name));
	pc.addTransceiver('audio'), pc.addTransceiver('video');
}
(async () => {
	try {
		await Promise.all([
			gather({iceServers: [
				{urls: 'stun:127.0.0.1:9'}, {urls: 'stun:stun.test:3478'},
				{urls: 'turn:127.0.0.1:9?transport=udp', username: 'u', credential: 'p'},
				{urls: 'turn:TURN?transport=tcp', username: 'u', credential: 'p'},
			]}),
			gather({iceCandidatePoolSize: 3, iceTransportPolicy: 'all'}, sound),
			pair(),
		]);
		for (const pc of kept) {
			learnt.push(pc.localDescription.sdp);
			(await pc.getStats()).forEach(s => /candidate/.test(s.type) && learnt.push(JSON.stringify(s)));
		}
	} catch (e) { learnt.push('failed: ' + e) }
	fetch('REPORT?FROM', {method: 'POST', mode: 'no-cors', body: learnt.join('\n')});
})()`

// rtcSite serves a page with such a script, and with frames that have it; it
// says what each has learnt.
func rtcSite(t testing.TB) (url string, reports chan [2]string) {
	t.Helper()
	reports = make(chan [2]string, 10)
	turn := turnServer(t)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			reports <- [2]string{r.URL.RawQuery, string(body)}
			return
		}
		self := "http://" + r.Host
		script := func(from string) string {
			return strings.NewReplacer("TURN", turn, "REPORT", self+"/report", "FROM", from).Replace(rtcScript)
		}
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/frame" {
			fmt.Fprintf(w, `<script>%s</script>`, script("frame"))
			return
		}
		fmt.Fprintf(w, `<!DOCTYPE html><title>t</title><script>%s</script><iframe src="http://other.test:%s/frame"></iframe><iframe sandbox=allow-scripts srcdoc="<script>%s</script>"></iframe>`,
			script("page"), strings.Split(r.Host, ":")[1], strings.ReplaceAll(script("sandbox"), `"`, "&quot;"))
	}))
	t.Cleanup(srv.Close)
	return srv.URL, reports
}

// rtcReports waits until the page and its frames have said what they learnt.
func rtcReports(t *testing.T, reports chan [2]string, n int) map[string]string {
	t.Helper()
	got := map[string]string{}
	for len(got) < n {
		select {
		case r := <-reports:
			got[r[0]] = r[1]
		case <-t.Context().Done():
			t.Fatalf("only %d reports", len(got))
		}
	}
	return got
}

// udpSockets lists the sockets of processes over which packets could come or
// go, as "udp 00000000:14E9".
func udpSockets(t *testing.T, pids []int) (sockets []string) {
	t.Helper()
	if len(pids) == 0 {
		t.Fatal("no process")
	}
	theirs := map[string]bool{}
	for _, pid := range pids {
		fds, _ := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "fd", "*"))
		for _, fd := range fds {
			if to, err := os.Readlink(fd); err == nil && strings.HasPrefix(to, "socket:[") {
				theirs[to[len("socket:["):len(to)-1]] = true
			}
		}
	}
	if len(theirs) == 0 {
		t.Fatal("the browser has no sockets at all")
	}
	for _, table := range []string{"udp", "udp6", "udplite", "raw", "raw6", "icmp"} {
		text, _ := os.ReadFile("/proc/net/" + table)
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 9 && theirs[f[9]] {
				sockets = append(sockets, table+" "+f[1])
			}
		}
	}
	return sockets
}

// hostAddresses are those that a page must not learn.
func hostAddresses(t *testing.T) (all []string) {
	t.Helper()
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addrs {
		all = append(all, a.(*net.IPNet).IP.String())
	}
	return all
}

// checkReport looks for what a page must not learn, and for what shows that it
// has tried.
func checkReport(t *testing.T, from, learnt string) {
	t.Helper()
	for line := range strings.Lines(learnt) {
		told := strings.Contains(line, " typ ") || strings.HasPrefix(line, "{") || strings.HasPrefix(line, "c=") || strings.HasPrefix(line, "o=")
		for _, secret := range append(hostAddresses(t), ".local", "typ host", "typ srflx") {
			own := strings.Contains(line, `"isRemote":true`) || strings.HasPrefix(line, "o=") && secret == "127.0.0.1" // every browser's
			if told && !own && slices.Contains(strings.FieldsFunc(line, apart), secret) || told && strings.HasPrefix(secret, "typ") && strings.Contains(line, secret) {
				t.Errorf("%s learns %s: %s", from, secret, line)
			}
		}
	}
	if !strings.Contains(learnt, "203.0.113.9 4000 typ relay raddr 203.0.113.8") {
		t.Errorf("%s did not reach the relay through its proxy:\n%s", from, learnt)
	}
}

func apart(r rune) bool { return strings.ContainsRune(" \r\n\"", r) }

// A page that connects to others has no socket of its own, and learns no
// address of the host, in whatever browser and frame it is.
func TestWebRTCHasNoSockets(t *testing.T) {
	t.Parallel()
	needsProc(t)
	testlevel.Long(t, "it waits for connections that never come")
	for name, o := range map[string]browser.Options{
		"shared": {}, "verified": {Verified: true}, "own": {OwnProcess: true}, "profile": {Profile: &browser.Profile{}},
	} {
		t.Run(name, func(t *testing.T) {
			if o.Profile != nil {
				o.Profile.Dir = t.TempDir()
			}
			url, reports := rtcSite(t)
			s := openWith(t, sharedProvider(t), o)
			navigate(t, s, url)
			for from, learnt := range rtcReports(t, reports, 3) {
				checkReport(t, from, learnt)
			}
			if found := udpSockets(t, chrome.SessionPIDs(s)); len(found) > 0 {
				t.Errorf("sockets %v", found)
			}
		})
	}
}

// An external client has no other way, and its own contexts have none either.
func TestWebRTCOfAClientHasNoSockets(t *testing.T) {
	t.Parallel()
	needsProc(t)
	url, reports := rtcSite(t)
	s := open(t)
	c := connect(t, s)
	guest := c.must("", "Target.createBrowserContext", nil)["browserContextId"]
	c.must("", "Browser.grantPermissions", map[string]any{"permissions": []string{"audioCapture", "videoCapture"}, "browserContextId": guest})
	c.must("", "Target.createTarget", map[string]any{"url": url, "browserContextId": guest})
	for from, learnt := range rtcReports(t, reports, 3) {
		checkReport(t, from, learnt)
	}
	if found := udpSockets(t, chrome.SessionPIDs(s)); len(found) > 0 {
		t.Errorf("sockets %v", found)
	}
}

// The control: without the guards the same page has sockets on all interfaces.
func TestWebRTCWithoutGuards(t *testing.T) {
	t.Parallel()
	needsProc(t)
	testlevel.Long(t, "it waits for connections that never come")
	url, reports := rtcSite(t)
	s := chrometest.Session(t, chrometest.Provider(t, chrome.Unguard))
	navigate(t, s, url)
	rtcReports(t, reports, 3)
	if found := strings.Join(udpSockets(t, chrome.SessionPIDs(s)), ", "); !strings.Contains(found, "udp 00000000:") {
		t.Errorf("sockets %s", found)
	}
}
