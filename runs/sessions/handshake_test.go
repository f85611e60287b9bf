package sessions

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// knock sends the handshake of a client with the lines for its key.
func knock(t *testing.T, rawURL, keyLines string) *http.Response {
	t.Helper()
	u, err := url.Parse(rawURL)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n%s\r\n", u.RequestURI(), u.Host, keyLines)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// Chromium takes any text for the key of a handshake, and answers that one.
func TestTheKeyOfAHandshake(t *testing.T) {
	w := start(t, setup{browser: &quickBrowser{}})
	s := w.create(t, Create{KeepAlive: true})
	for key, accept := range map[string]string{
		"dGhlIHNhbXBsZSBub25jZQ==": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", // of RFC 6455, section 1.3
		"nil":                      "Q67D9eATKx531lK8F7u2rqQNnNI=",
		"not base64 at all !":      "oopVJPjuRTM+F1jhR+dBp8Hk+7I=",
		"dG9vIHNob3J0":             "5weHZ01Qdq6r3oh1A596qn/ZJZE=",
	} {
		res := knock(t, s.ConnectURL, "Sec-WebSocket-Key: "+key+"\r\n")
		if got := res.Header.Values("Sec-WebSocket-Accept"); res.StatusCode != http.StatusSwitchingProtocols || len(got) != 1 || got[0] != accept {
			t.Errorf("%q: %d, %q, want %q", key, res.StatusCode, got, accept)
		}
	}
	for name, lines := range map[string]string{
		"none": "", "empty": "Sec-WebSocket-Key: \r\n", "two": "Sec-WebSocket-Key: a\r\nSec-WebSocket-Key: b\r\n",
		"long": "Sec-WebSocket-Key: " + strings.Repeat("k", maxKey+1) + "\r\n",
	} {
		if res := knock(t, s.ConnectURL, lines); res.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d", name, res.StatusCode)
		}
	}
}
