package schema

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// placed is what is wrong, in words that follow the name of the thing, and the
// JSON Pointer of where in the thing it is.
type placed struct {
	at   string
	text string
}

func placedf(at, format string, args ...any) *placed {
	return &placed{at: at, text: fmt.Sprintf(format, args...)}
}

// of makes the error that the caller sees: "resultSchema at /a/b: has …", or
// "resultSchema has …" where the whole of it is meant.
func (p *placed) of(field string) *errtypes.Error {
	if p.at == "" {
		return errtypes.Field(field, "%s", p.text)
	}
	return errtypes.Field(field, "at %s: %s", shortPointer(p.at), p.text)
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// join appends reference tokens to a JSON Pointer (RFC 6901).
func join(pointer string, tokens ...string) string {
	var b strings.Builder
	b.WriteString(pointer)
	for _, t := range tokens {
		b.WriteByte('/')
		pointerEscaper.WriteString(&b, t)
	}
	return b.String()
}

func joinIndex(pointer string, i int) string { return pointer + "/" + strconv.Itoa(i) }

// splitPointer returns the reference tokens of a JSON Pointer.
func splitPointer(pointer string) (tokens []string, ok bool) {
	if pointer == "" {
		return nil, true
	}
	if pointer[0] != '/' {
		return nil, false
	}
	for t := range strings.SplitSeq(pointer[1:], "/") {
		t, ok := unescapeToken(t)
		if !ok {
			return nil, false
		}
		tokens = append(tokens, t)
	}
	return tokens, true
}

func unescapeToken(t string) (string, bool) {
	for i := strings.IndexByte(t, '~'); i >= 0; {
		if i+1 == len(t) || t[i+1] != '0' && t[i+1] != '1' {
			return "", false
		}
		next := strings.IndexByte(t[i+2:], '~')
		if next < 0 {
			break
		}
		i += 2 + next
	}
	return strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~"), true
}

// lookup finds what a JSON Pointer leads to.
func lookup(doc any, pointer string) (any, bool) {
	tokens, ok := splitPointer(pointer)
	if !ok {
		return nil, false
	}
	for _, t := range tokens {
		if doc, ok = member(doc, t); !ok {
			return nil, false
		}
	}
	return doc, true
}

func member(v any, token string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		m, ok := v[token]
		return m, ok
	case []any:
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 || i >= len(v) || strconv.Itoa(i) != token {
			return nil, false
		}
		return v[i], true
	}
	return nil, false
}

// What a message may quote of foreign text, in bytes.
const (
	quotedText    = 80
	quotedPointer = 300
)

// quote shows foreign text in a message: quoted, without control characters,
// not too long.
func quote(s string) string { return strconv.Quote(shorten(s, quotedText)) }

// shortPointer shows a JSON Pointer in a message.
func shortPointer(p string) string {
	q := strconv.Quote(shorten(p, quotedPointer))
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

// shorten cuts s to at most n bytes and a mark, never inside a character.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
