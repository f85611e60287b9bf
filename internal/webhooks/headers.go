package webhooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/textproto"
	"slices"
	"strings"
)

// Forced are the headers that the job platform sets itself, whatever a template says
// (wire-v2, 5).
var Forced = []string{"Host", "Content-Type", "X-Apify-Webhook", "X-Apify-Webhook-Dispatch-Id", "X-Apify-Request-Origin"}

// barred are headers of the connection and of how a body is sent, which are no template's
// to say.
var barred = []string{
	"Connection", "Content-Length", "Expect", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection",
	"Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

// The most that templates may make of headers.
const (
	maxHeaders = 64
	maxHeader  = 8 << 10
)

// CheckHeaders refuses a template that makes no headers: it must be an object of
// strings, of which variables may take the place.
func CheckHeaders(t Template) error {
	all, err := headers(t.Render(nil))
	if err != nil {
		return err
	}
	for _, h := range all {
		if err := checkHeader(h); err != nil {
			return err
		}
	}
	if len(all) > maxHeaders {
		return fmt.Errorf("has %d headers: %d are the most", len(all), maxHeaders)
	}
	return nil
}

// Header is one that a template has made.
type Header struct{ Name, Value string }

// RenderHeaders makes the headers of a checked template. One whose value cannot be sent,
// because of what variables have brought into it, is left out, as are those that are
// [Forced]; ok is false where the template makes more than so many bytes.
func RenderHeaders(t Template, values map[string]json.RawMessage, most int) (all []Header, ok bool) {
	text, ok := t.RenderWithin(values, most)
	if !ok {
		return nil, false
	}
	made, err := headers(text)
	if err != nil {
		return nil, true
	}
	for _, h := range made {
		if !slices.Contains(Forced, h.Name) && checkHeader(h) == nil {
			all = append(all, h)
		}
	}
	return all, true
}

// headers reads an object of strings, in its order. What variables have made a number or
// the like of counts as its text, and null as nothing.
func headers(object []byte) (all []Header, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(object, &members); err != nil {
		return nil, errors.New("must be an object in JSON, whose values are strings")
	}
	for name, raw := range members {
		value, ok := headerText(raw)
		if !ok {
			return nil, fmt.Errorf("has a value of %.100q that is no string", name)
		}
		all = append(all, Header{textproto.CanonicalMIMEHeaderKey(name), value})
	}
	slices.SortFunc(all, func(a, b Header) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

func headerText(raw json.RawMessage) (text string, ok bool) {
	if raw[0] == '{' || raw[0] == '[' {
		return "", false
	}
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	return text, true
}

func checkHeader(h Header) error {
	isToken := func(r rune) bool {
		return r > ' ' && r < 0x7f && !strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	}
	isValue := func(r rune) bool { return r == '\t' || r >= ' ' && r != 0x7f }
	switch {
	case h.Name == "" || strings.ContainsFunc(h.Name, func(r rune) bool { return !isToken(r) }):
		return fmt.Errorf("has the name %.100q, which no header can have", h.Name)
	case slices.Contains(barred, h.Name):
		return fmt.Errorf("has %q, which is the connection's", h.Name)
	case len(h.Value) > maxHeader || strings.ContainsFunc(h.Value, func(r rune) bool { return !isValue(r) }):
		return fmt.Errorf("has a value of %q with control characters in it, or with more than %d bytes", h.Name, maxHeader)
	}
	return nil
}
