package secrets

import (
	"bytes"
	"encoding/json"
	"strings"
)

// RedactJSON returns a JSON text without values in its strings, names and
// numbers, nor spread over its strings; the order of names stays. A number
// that contains a value becomes a string. A text that is not JSON becomes null.
func (v *Vault) RedactJSON(raw json.RawMessage) json.RawMessage { return v.redactJSON(raw, false) }

// RedactOutputJSON is RedactJSON for an answer of Drover's own, whose names no
// page chooses: they stay.
func (v *Vault) RedactOutputJSON(raw json.RawMessage) json.RawMessage { return v.redactJSON(raw, true) }

// MapTexts returns a JSON text with each of its strings, but for names, as change
// makes it. A text that is not JSON becomes null.
func MapTexts(raw json.RawMessage, change func(string) string) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return json.RawMessage("null")
	}
	tokens := tokensOf(compact.Bytes())
	for i := range tokens {
		if t := &tokens[i]; t.kind == jsonText {
			t.set(change(t.text))
		}
	}
	return joined(tokens)
}

func joined(tokens []token) json.RawMessage {
	var out bytes.Buffer
	for _, t := range tokens {
		out.Write(t.source)
	}
	return out.Bytes()
}

func (v *Vault) redactJSON(raw json.RawMessage, keepNames bool) json.RawMessage {
	if v == nil || len(raw) == 0 {
		return raw
	}
	everywhere, codes := v.everywhere(), v.codes()
	if everywhere.empty() && codes == nil {
		return raw
	}
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return json.RawMessage("null")
	}
	tokens := tokensOf(compact.Bytes())
	for i := range tokens {
		if t := &tokens[i]; t.kind != jsonMark && !(t.kind == jsonName && keepNames) {
			t.set(codes.clean(everywhere.clean(t.text)))
		}
	}
	everywhere.acrossTokens(tokens)
	if codes != nil {
		codes.acrossTokens(tokens)
	}
	return joined(tokens)
}

type tokenKind uint8

const (
	jsonMark tokenKind = iota // punctuation, null, true, false
	jsonName
	jsonText
	jsonNumber
)

// token is a part of a JSON text.
type token struct {
	kind   tokenKind
	source []byte
	text   string // what it says; not for marks
}

// set changes what a token says. A number becomes a string by that.
func (t *token) set(s string) {
	if s == t.text {
		return
	}
	t.text = s
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) == nil {
		t.source = bytes.TrimSpace(b.Bytes())
	}
}

// tokensOf takes a valid, compact JSON text apart.
func tokensOf(raw []byte) (all []token) {
	for at := 0; at < len(raw); {
		end := at + 1
		t := token{}
		switch c := raw[at]; {
		case c == '"':
			end = stringEnd(raw, at)
			t.kind = jsonText
			if end < len(raw) && raw[end] == ':' {
				t.kind = jsonName
			}
			json.Unmarshal(raw[at:end], &t.text) // valid
		case c == '-' || '0' <= c && c <= '9':
			for end < len(raw) && bytes.IndexByte([]byte("+-.eE0123456789"), raw[end]) >= 0 {
				end++
			}
			t.kind, t.text = jsonNumber, string(raw[at:end])
		}
		t.source = raw[at:end]
		all = append(all, t)
		at = end
	}
	return all
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

// acrossTokens takes out values that are spread over strings.
func (n *net) acrossTokens(tokens []token) {
	var pieces []string
	var of []*token
	for i := range tokens {
		if t := &tokens[i]; t.kind == jsonText && strings.TrimSpace(t.text) != "" {
			pieces, of = append(pieces, t.text), append(of, t)
		}
	}
	clean, changed := n.across(pieces)
	if !changed {
		return
	}
	for i, t := range of {
		t.set(clean[i])
	}
}
