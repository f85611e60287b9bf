package secrets

import (
	"bytes"
	"encoding/json"
)

// RedactJSON returns a JSON text without values in its strings, names and
// numbers; the order of names stays. A number that contains a value becomes a
// string. A text that is not JSON becomes null.
func (v *Vault) RedactJSON(raw json.RawMessage) json.RawMessage {
	if v == nil || len(v.everywhere().forms) == 0 || len(raw) == 0 {
		return raw
	}
	if !json.Valid(raw) {
		return json.RawMessage("null")
	}
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return json.RawMessage("null")
	}
	r := jsonRedactor{v: v, text: compact.Bytes()}
	for r.at < len(r.text) {
		r.next()
	}
	return r.out.Bytes()
}

// jsonRedactor goes over a valid, compact JSON text.
type jsonRedactor struct {
	v    *Vault
	text []byte
	at   int
	out  bytes.Buffer
}

func (r *jsonRedactor) next() {
	switch c := r.text[r.at]; {
	case c == '"':
		end := stringEnd(r.text, r.at)
		r.literal(r.text[r.at:end])
		r.at = end
	case c == '-' || '0' <= c && c <= '9':
		end := r.at
		for end < len(r.text) && bytes.IndexByte([]byte("+-.eE0123456789"), r.text[end]) >= 0 {
			end++
		}
		r.number(r.text[r.at:end])
		r.at = end
	default:
		r.out.WriteByte(c)
		r.at++
	}
}

// stringEnd is the index behind the string that begins at from.
func stringEnd(text []byte, from int) int {
	for i := from + 1; ; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

func (r *jsonRedactor) literal(quoted []byte) {
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		s = ""
	}
	if clean := r.v.Redact(s); clean != s {
		r.write(clean)
		return
	}
	r.out.Write(quoted)
}

func (r *jsonRedactor) number(digits []byte) {
	if clean := r.v.Redact(string(digits)); clean != string(digits) {
		r.write(clean)
		return
	}
	r.out.Write(digits)
}

func (r *jsonRedactor) write(s string) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) == nil {
		r.out.Write(bytes.TrimSpace(b.Bytes()))
	}
}
