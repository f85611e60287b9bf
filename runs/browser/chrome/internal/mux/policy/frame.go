// Package policy decides what an external client of the browser's protocol may
// ask for. It knows no browser: frames go in, and come out as they may be
// passed on, or as the answer that refuses them.
package policy

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Codes of error answers, as JSON-RPC has them.
const (
	CodeParse   = -32700 // not JSON
	CodeRequest = -32600 // JSON, but not a command
	CodeMethod  = -32601 // no such command
	CodeParams  = -32602 // parameters that cannot be
	CodeServer  = -32000 // refused, or failed
)

// MaxID is the largest id of a command. Ids above it are the multiplexer's own,
// on the same connection.
const MaxID = 1<<30 - 1

// maxDepth is how deep a frame may be nested. The browser stops at 300 and
// answers then without saying whom.
const maxDepth = 200

// A Command is one frame of a client.
type Command struct {
	ID      int64
	Session string // empty: the client's own root
	Method  string
	Params  json.RawMessage // as they came; nil where there were none
}

// A Fault is an error answer. It is an error for the client alone: its session
// goes on.
type Fault struct {
	ID      int64 // -1 where the frame has none that can be used
	Session string
	Code    int
	Message string
}

func (f *Fault) Error() string { return f.Message }

// Encode returns the frame of the answer.
func (f *Fault) Encode() []byte {
	type failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	answer := struct {
		ID      *int64  `json:"id,omitempty"`
		Error   failure `json:"error"`
		Session string  `json:"sessionId,omitempty"`
	}{Error: failure{f.Code, f.Message}, Session: f.Session}
	if f.ID >= 0 {
		answer.ID = &f.ID
	}
	frame, _ := json.Marshal(answer) // of strings and numbers
	return frame
}

// Fault returns the error answer to the command.
func (c Command) Fault(code int, message string) *Fault {
	return &Fault{ID: c.ID, Session: c.Session, Code: code, Message: message}
}

// Answer returns the frame of a successful answer; result is JSON.
func (c Command) Answer(result []byte) []byte {
	return envelope(c.ID, c.Session, "", "result", result)
}

// Encode returns the command as a frame for a session of the browser. The
// parameters are copied as they are; everything around them is written anew,
// so that nothing the client put there reaches the browser.
func (c Command) Encode(session string) []byte {
	return envelope(c.ID, session, c.Method, "params", c.Params)
}

func envelope(id int64, session, method, key string, value []byte) []byte {
	b := make([]byte, 0, len(value)+len(session)+len(method)+64)
	b = strconv.AppendInt(append(b, `{"id":`...), id, 10)
	if method != "" {
		b = append(append(b, `,"method":`...), quoted(method)...)
	}
	if len(value) > 0 {
		b = append(append(append(append(b, `,"`...), key...), `":`...), value...)
	}
	if session != "" {
		b = append(append(b, `,"sessionId":`...), quoted(session)...)
	}
	return append(b, '}')
}

func quoted(s string) []byte {
	b, _ := json.Marshal(s) // of a string
	return b
}

// Event returns the frame of an event.
func Event(session, method string, params any) ([]byte, error) {
	return json.Marshal(struct {
		Method  string `json:"method"`
		Params  any    `json:"params"`
		Session string `json:"sessionId,omitempty"`
	}{method, params, session})
}

// Parse reads a frame of at most limit bytes. Whatever is not exactly one
// command is a fault: what this parser and the browser's might read
// differently, such as a key that occurs twice, above all.
func Parse(frame []byte, limit int) (Command, *Fault) {
	if fault := wellFormed(frame, limit); fault != nil {
		return Command{}, fault
	}
	c, fault := Command{}, (*Fault)(nil)
	fields, err := object(frame)
	if err != nil {
		return c, &Fault{ID: -1, Code: CodeRequest, Message: "a frame is one command: " + err.Error()}
	}
	if c.ID, fault = commandID(fields["id"]); fault != nil {
		return c, fault
	}
	if raw, ok := fields["sessionId"]; ok && json.Unmarshal(raw, &c.Session) != nil {
		return c, c.Fault(CodeRequest, "sessionId must be a string")
	}
	if raw := fields["method"]; raw == nil || raw[0] != '"' || json.Unmarshal(raw, &c.Method) != nil || c.Method == "" {
		return c, c.Fault(CodeRequest, "method must be a string and name a command")
	}
	if c.Params = fields["params"]; string(c.Params) == "null" {
		c.Params = nil
	}
	if len(c.Params) > 0 && c.Params[0] != '{' {
		return c, c.Fault(CodeParams, "params must be an object")
	}
	return c, nil
}

func wellFormed(frame []byte, limit int) *Fault {
	fault := &Fault{ID: -1, Code: CodeParse}
	switch {
	case len(frame) > limit:
		fault.Message = "the frame is longer than the limit of " + strconv.Itoa(limit) + " bytes"
	case !utf8.Valid(frame):
		fault.Message = "the frame is not UTF-8"
	case !json.Valid(frame):
		fault.Message = "the frame is not JSON"
	case depth(frame) > maxDepth:
		fault.Message = "the frame is nested too deeply"
	default:
		return nil
	}
	return fault
}

func commandID(raw json.RawMessage) (int64, *Fault) {
	id, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || id < 0 || id > MaxID {
		return -1, &Fault{ID: -1, Code: CodeRequest, Message: "id must be an integer from 0 to " + strconv.Itoa(MaxID)}
	}
	return id, nil
}

// depth is how deep valid JSON is nested.
func depth(b []byte) (deepest int) {
	for i, at := 0, 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			i += stringLen(b[i:]) - 1
		case '{', '[':
			at++
			deepest = max(deepest, at)
		case '}', ']':
			at--
		}
	}
	return deepest
}

// stringLen is the length of the JSON string that b begins with.
func stringLen(b []byte) int {
	for end := 1; ; end++ {
		end += bytes.IndexByte(b[end:], '"')
		slashes := 0
		for b[end-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return end + 1
		}
	}
}
