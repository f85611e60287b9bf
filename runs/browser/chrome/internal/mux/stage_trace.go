package mux

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"sync"

	cdpio "github.com/chromedp/cdproto/io"
	"github.com/chromedp/cdproto/tracing"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

// A trace carries the command line of the browser and names files of its: what
// lies on this machine and where. traceFilter takes that out of the parts of a
// trace as they are read, one behind the other.
type traceFilter struct {
	mu      sync.Mutex
	secrets [][]byte // names of directories
	inside  bool     // what comes is still part of the command line
	escaped bool     // and begins with a character that a backslash came before
	held    []byte   // the end of what came, in which a name may begin
}

var commandLine = []byte(`"command_line":"`)

// next is a part without what is not shown. The end of it is held back, but
// for the last part.
func (f *traceFilter) next(part []byte, last bool) []byte {
	buf := append(f.held, part...)
	var shown []byte
	for len(buf) > 0 {
		if f.inside {
			buf = f.skip(buf)
			continue
		}
		before, after, found := bytes.Cut(buf, commandLine)
		shown = append(shown, before...)
		if !found {
			break
		}
		shown = append(shown, commandLine...)
		f.inside, buf = true, after
	}
	for _, secret := range f.secrets {
		shown = bytes.ReplaceAll(shown, secret, []byte("..."))
	}
	f.held = nil
	if keep := f.longest(); !last && !f.inside {
		at := max(len(shown)-keep, 0)
		f.held, shown = bytes.Clone(shown[at:]), shown[:at]
	}
	return shown
}

// skip leaves out what is in the string, and returns what begins with its end.
func (f *traceFilter) skip(buf []byte) []byte {
	for i, b := range buf {
		switch {
		case f.escaped:
			f.escaped = false
		case b == '\\':
			f.escaped = true
		case b == '"':
			f.inside = false
			return buf[i:]
		}
	}
	return nil
}

func (f *traceFilter) longest() int {
	n := len(commandLine)
	for _, secret := range f.secrets {
		n = max(n, len(secret))
	}
	return n
}

// addTrace notes a stream of a trace, which can be read from then on.
func (v *Clients) addTrace(handle cdpio.StreamHandle, f *traceFilter) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.traces[handle] = f
}

func (v *Clients) trace(handle cdpio.StreamHandle) *traceFilter {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.traces[handle]
}

// filter is a new one for the session's browser.
func (v *Clients) filter() *traceFilter {
	f := &traceFilter{}
	for _, path := range v.s.Secrets() {
		if len(path) > 1 {
			f.secrets = append(f.secrets, []byte(path))
		}
	}
	return f
}

// startTracing records as JSON: what the other formats say is not looked into.
func (c *conn) startTracing(st *attachment, cmd policy.Command) {
	p := map[string]json.RawMessage{}
	json.Unmarshal(paramsOf(cmd), &p)
	p["streamFormat"], p["streamCompression"] = json.RawMessage(`"json"`), json.RawMessage(`"none"`)
	cmd.Params, _ = json.Marshal(p) // of what was JSON
	c.forward(st, cmd)
}

// readStream filters a trace as it is read, in order: whoever could begin in
// the middle could have a name in two halves.
func (c *conn) readStream(st *attachment, cmd policy.Command) {
	f := c.clients.trace(parsed[cdpio.ReadParams](cmd).Handle)
	if f == nil {
		c.forward(st, cmd)
		return
	}
	p := map[string]json.RawMessage{}
	json.Unmarshal(cmd.Params, &p)
	delete(p, "offset")
	c.later(cmd, func() (any, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		raw, err := c.call(st.real, cmd.Method, p)
		if err != nil {
			return nil, err
		}
		return f.answer(raw)
	})
}

// answer is one to IO.read, filtered.
func (f *traceFilter) answer(raw json.RawMessage) (any, error) {
	var part struct {
		Base64Encoded bool   `json:"base64Encoded,omitempty"`
		Data          string `json:"data"`
		EOF           bool   `json:"eof"`
	}
	if err := json.Unmarshal(raw, &part); err != nil {
		return nil, err
	}
	data := []byte(part.Data)
	if part.Base64Encoded {
		var err error
		if data, err = base64.StdEncoding.DecodeString(part.Data); err != nil {
			return nil, err
		}
	}
	data = f.next(data, part.EOF)
	if part.Data = string(data); part.Base64Encoded {
		part.Data = base64.StdEncoding.EncodeToString(data)
	}
	return part, nil
}

var aboutTraces = []byte(`{"method":"Tracing.`)

// traced is an event about a trace as the client may see it. It runs on the
// goroutine that reads the wire.
func (v *Clients) traced(frame []byte) []byte {
	if !bytes.HasPrefix(frame, aboutTraces) {
		return frame
	}
	var done struct {
		Method string
		Params tracing.EventTracingComplete
	}
	if json.Unmarshal(frame, &done) == nil && done.Method == tracing.TracingComplete.Method && done.Params.Stream != "" {
		v.addTrace(done.Params.Stream, v.filter())
	}
	return v.filter().next(frame, true)
}
