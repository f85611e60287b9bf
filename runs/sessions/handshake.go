package sessions

import (
	"bufio"
	"crypto/sha1"
	"encoding/base64"
	"net"
	"net/http"
	"strings"

	"github.com/coder/websocket"
)

// The header in which a client's handshake has its key, and that of the answer.
const (
	keyHeader    = "Sec-WebSocket-Key"
	acceptHeader = "Sec-WebSocket-Accept"
)

// maxKey bounds the key of a handshake, in bytes.
const maxKey = 256

// accept makes a websocket of a request. The key of the client may be any text,
// as for Chromium: it proves nothing but that the answer is to this request, and
// some clients (go-rod) send none of the form that RFC 6455 wants. All else about
// the handshake is checked by the library.
//
// A client with such a key is made for what Chromium's own server sends, and that
// is messages only. It takes each frame for a message: go-rod panics over a ping
// and over a closing frame. It gets neither: plain is its connection, which is
// ended in their place; nil for others.
//
// What is no handshake is refused in the form of all errors, with the status and
// the headers that the library has for it.
func accept(w http.ResponseWriter, r *http.Request) (conn *websocket.Conn, plain net.Conn, err error) {
	h := &handshake{ResponseWriter: w}
	defer h.refuse()
	w = h
	if key := oddKey(r); key != "" {
		a := &answering{ResponseWriter: w, answer: answerTo(key)}
		defer func() { plain = a.taken }()
		w = a
		r = r.Clone(r.Context())
		r.Header.Set(keyHeader, base64.StdEncoding.EncodeToString(make([]byte, 16)))
	}
	conn, err = websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // the origin has been looked at
	return conn, nil, err
}

// handshake is the answer to a request for a websocket. It holds back what the
// library writes to who has not asked for one.
type handshake struct {
	http.ResponseWriter
	switched bool
	status   int // of a refusal; else 0
	words    strings.Builder
}

// Unwrap lets the library take the connection over.
func (h *handshake) Unwrap() http.ResponseWriter { return h.ResponseWriter }

func (h *handshake) WriteHeader(status int) {
	if status == http.StatusSwitchingProtocols {
		h.switched = true
		h.ResponseWriter.WriteHeader(status)
		return
	}
	h.status = status
}

func (h *handshake) Write(text []byte) (int, error) { return h.words.Write(text) }

// refuse answers who has been refused.
func (h *handshake) refuse() {
	if h.status != 0 && !h.switched {
		refuseAs(h.ResponseWriter, h.status, "only websockets are served here: "+strings.TrimSpace(h.words.String()))
	}
}

// oddKey returns a key that is not of the form of the RFC; empty where there is
// none, or what is there is no key at all.
func oddKey(r *http.Request) string {
	keys := r.Header.Values(keyHeader)
	if len(keys) != 1 || len(keys[0]) > maxKey {
		return ""
	}
	key := strings.TrimSpace(keys[0])
	if raw, err := base64.StdEncoding.DecodeString(key); err == nil && len(raw) == 16 {
		return ""
	}
	return key
}

// answerTo is what a server answers to a key (RFC 6455, section 4.2.2).
func answerTo(key string) string {
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// answering answers the key that the client has sent, and keeps the connection
// that is taken over.
type answering struct {
	http.ResponseWriter
	answer string
	taken  net.Conn
}

// Hijack implements [http.Hijacker].
func (a *answering) Hijack() (conn net.Conn, rw *bufio.ReadWriter, err error) {
	a.taken, rw, err = http.NewResponseController(a.ResponseWriter).Hijack()
	return a.taken, rw, err
}

func (a *answering) WriteHeader(status int) {
	if status == http.StatusSwitchingProtocols {
		a.Header().Set(acceptHeader, a.answer)
	}
	a.ResponseWriter.WriteHeader(status)
}
