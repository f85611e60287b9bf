package sessions

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/runs/browser"
)

// knock sends the handshake of a client with the lines for its key.
func knock(t *testing.T, rawURL, keyLines string) *http.Response {
	t.Helper()
	_, r := dialRaw(t, rawURL, keyLines)
	res, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// dialRaw is knock for who reads what is answered, byte for byte.
func dialRaw(t *testing.T, rawURL, keyLines string) (net.Conn, *bufio.Reader) {
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
	return conn, bufio.NewReader(conn)
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

// Who asks for no websocket is refused in the form of all errors.
func TestWhatIsNoHandshake(t *testing.T) {
	w := start(t, setup{browser: &quickBrowser{}})
	s := w.create(t, Create{KeepAlive: true})
	const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n"
	const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
	for name, c := range map[string]struct {
		lines       string
		status      int
		header, has string
	}{
		"a GET":                     {"", http.StatusUpgradeRequired, "Upgrade", "websocket"},
		"another upgrade":           {"Connection: Upgrade\r\nUpgrade: h2c\r\n", http.StatusUpgradeRequired, "Upgrade", "websocket"},
		"an upgrade of another hop": {"Upgrade: websocket\r\n", http.StatusUpgradeRequired, "Upgrade", "websocket"},
		"an old version":            {upgrade + key + "Sec-WebSocket-Version: 8\r\n", http.StatusBadRequest, "Sec-WebSocket-Version", "13"},
		"an old version, odd key":   {upgrade + "Sec-WebSocket-Key: nil\r\nSec-WebSocket-Version: 8\r\n", http.StatusBadRequest, "Sec-WebSocket-Version", "13"},
		"no key":                    {upgrade + "Sec-WebSocket-Version: 13\r\n", http.StatusBadRequest, "Cache-Control", "no-store"},
	} {
		t.Run(name, func(t *testing.T) {
			u := must(url.Parse(s.ConnectURL))(t)
			conn := must(net.Dial("tcp", u.Host))(t)
			defer conn.Close()
			fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", u.RequestURI(), u.Host, c.lines)
			res := must(http.ReadResponse(bufio.NewReader(conn), nil))(t)
			defer res.Body.Close()
			var e struct {
				StatusCode     int
				Error, Message string
			}
			if err := json.NewDecoder(res.Body).Decode(&e); err != nil || e.Message == "" {
				t.Errorf("%+v, %v", e, err)
			}
			if res.StatusCode != c.status || e.StatusCode != c.status || e.Error != http.StatusText(c.status) {
				t.Errorf("%d with %+v, want %d", res.StatusCode, e, c.status)
			}
			if got := res.Header.Get("Content-Type"); got != "application/json; charset=utf-8" {
				t.Errorf("it comes as %s", got)
			}
			if got := res.Header.Get(c.header); got != c.has {
				t.Errorf("%s: %q", c.header, got)
			}
		})
	}
	dial(t, s.ConnectURL, nil) // places are free for all that
}

// A client whose message is too long is told so, and how long it may be.
func TestAMessageThatIsTooLong(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}, limits: Limits{MaxClientMessage: 100}})
	s := w.create(t, Create{KeepAlive: true})
	conn := connect(t, s.ConnectURL)
	if err := conn.Write(t.Context(), websocket.MessageText, []byte(strings.Repeat("x", 101))); err != nil {
		t.Fatal(err)
	}
	_, _, err := conn.Read(t.Context())
	var closed websocket.CloseError
	if !errors.As(err, &closed) || closed.Code != websocket.StatusMessageTooBig || closed.Reason != "a message may have at most 100 bytes" {
		t.Errorf("its connection ends with %v", err)
	}
}

// A client whose key is not of the RFC's form is one for Chromium's own server,
// and takes each frame for a message: it gets no pings and no closing frame.
func TestAClientThatKnowsMessagesOnly(t *testing.T) {
	limits := Limits{PingInterval: 50 * time.Millisecond, IdleTimeout: 500 * time.Millisecond}
	w := start(t, setup{browser: &quickBrowser{}, limits: limits})
	s := w.create(t, Create{KeepAlive: true})
	for key, want := range map[string]string{
		"nil":                      "",
		"dGhlIHNhbXBsZSBub25jZQ==": "\x89", // a ping
	} {
		sent := allSent(t, s.ConnectURL, "Sec-WebSocket-Key: "+key+"\r\n")
		if want == "" && sent != "" || !strings.HasPrefix(sent, want) {
			t.Errorf("with the key %q the server sends %q, want %q", key, sent, want)
		}
	}
}

// allSent returns what a client is sent after the handshake, until the server
// closes the connection.
func allSent(t *testing.T, rawURL, keyLines string) string {
	t.Helper()
	conn, r := dialRaw(t, rawURL, keyLines)
	if res, err := http.ReadResponse(r, nil); err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(res, err)
	}
	conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	sent, err := io.ReadAll(r)
	if err != nil {
		t.Error("the connection is not closed: ", err)
	}
	return string(sent)
}

// maskedFrame is a text frame as clients send it, with a mask of zeros.
func maskedFrame(text string) []byte {
	return append([]byte{0x81, 0x80 | byte(len(text)), 0, 0, 0, 0}, text...)
}

// What such a client does wrong ends its connection, too, and nothing else.
func TestAMessageThatIsTooLongFromAClientThatKnowsMessagesOnly(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}, limits: Limits{MaxClientMessage: 100}})
	s := w.create(t, Create{KeepAlive: true})
	conn, r := dialRaw(t, s.ConnectURL, "Sec-WebSocket-Key: nil\r\n")
	if res, err := http.ReadResponse(r, nil); err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(res, err)
	}
	conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	conn.Write(maskedFrame(strings.Repeat("x", 101)))
	if sent, err := io.ReadAll(r); err != nil || len(sent) > 0 {
		t.Errorf("it is sent %q, %v", sent, err)
	}
}

// What has been written to it arrives, also where it says more than is read.
func TestTheLastAnswersToAClientThatKnowsMessagesOnly(t *testing.T) {
	t.Parallel()
	const parts, size = 8, 256 << 10
	w := start(t, setup{browser: &quickBrowser{opened: func(s *quickSession) {
		s.serve = func(ctx context.Context, c browser.Client) error {
			if _, err := c.Read(ctx); err != nil {
				return err
			}
			for range parts {
				if err := c.Write(ctx, make([]byte, size)); err != nil {
					return err
				}
			}
			return nil
		}
	}}})
	s := w.create(t, Create{KeepAlive: true})
	conn, r := dialRaw(t, s.ConnectURL, "Sec-WebSocket-Key: nil\r\n")
	if res, err := http.ReadResponse(r, nil); err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(res, err)
	}
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	for range 20 { // commands behind the one that ends it
		conn.Write(maskedFrame("{}"))
	}
	if sent, _ := io.ReadAll(r); len(sent) < parts*size {
		t.Errorf("%d bytes of %d arrive", len(sent), parts*size)
	}
}
