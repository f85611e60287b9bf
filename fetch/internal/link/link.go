// Package link makes the addresses that a page holds absolute, as browsers do
// (the WHATWG URL standard).
package link

import (
	"net/url"
	"strings"

	"github.com/drover-go/drover/fetch/internal/effort"
	"github.com/drover-go/drover/internal/weburl"
)

// maxURL is the length in bytes above which an address is not an address but
// a burden: the link keeps its text and loses its target.
const maxURL = 16 << 10

// maxBase is the same for a base, which every relative link repeats.
const maxBase = 8 << 10

// A Resolver makes addresses absolute. Most are plain, and resolving them is
// joining strings; the others take the parser, which is many times slower.
type Resolver struct {
	meter *effort.Meter
	base  *weburl.URL // nil without a base
	// Of a base with a host: "https://example.com", the base without its
	// fragment, the same without its query, and that up to its last slash.
	origin, page, path, dir string
}

// NewResolver returns a resolver for a page, whose address may be nil. base is
// the address in its first base element, or "", which is resolved against the
// page's own. The work is counted by m.
func NewResolver(m *effort.Meter, page *url.URL, base string) *Resolver {
	r := &Resolver{meter: m}
	if page != nil {
		r.setBase(page.String())
	}
	if base = strings.TrimSpace(base); base != "" {
		r.setBase(base)
	}
	return r
}

// setBase makes ref the base, if it is an address of the web.
func (r *Resolver) setBase(ref string) {
	if len(ref) > maxBase {
		return
	}
	u := r.parse(ref)
	if u == nil || u.Scheme != "http" && u.Scheme != "https" {
		return
	}
	u.Username, u.Password = "", "" // of no use to a reader, and perhaps a secret
	r.base = u
	r.origin = u.Scheme + "://" + u.HostPort()
	r.path = r.origin + u.Path
	r.page = r.path
	if u.HasQuery {
		r.page += "?" + u.Query
	}
	r.dir = r.path[:strings.LastIndexByte(r.path, '/')+1]
}

// parseBytes is how much of an address, and of the base that it is written on,
// takes as long to read as a node to visit.
const parseBytes = 2

func (r *Resolver) parse(ref string) *weburl.URL {
	r.meter.Step((len(ref) + len(r.page)) / parseBytes)
	u, err := weburl.Parse(ref, r.base)
	if err != nil {
		return nil
	}
	return u
}

// HasBase reports whether there is an address that relative ones are resolved
// against.
func (r *Resolver) HasBase() bool { return r.base != nil }

// Resolve returns ref as an absolute address that others can follow, too. It
// returns "" for scripts, data, local files and what no browser understands.
// Without a base, addresses are returned as they are.
func (r *Resolver) Resolve(ref string) string {
	ref = strings.Trim(ref, " \t\r\n\f\v\x00")
	if len(ref) > maxURL {
		return ""
	}
	if abs, ok := r.join(ref); ok {
		return abs
	}
	if scheme, ok := weburl.SchemeOf(ref); ok && IsLocal(scheme) {
		return ""
	}
	if r.base == nil {
		return ref
	}
	u := r.parse(ref)
	if u == nil {
		return ""
	}
	if abs := u.String(); len(abs) <= maxURL {
		return abs
	}
	return ""
}

// join resolves the plain forms of ref.
func (r *Resolver) join(ref string) (string, bool) {
	if r.base == nil || !isPlain(ref) {
		return "", false
	}
	if abs, ok := joinAbsolute(ref); ok {
		return abs, true
	}
	switch {
	case ref == "":
		return r.page, true
	case ref[0] == '#':
		return r.page + ref, true
	case ref[0] == '?':
		return r.path + ref, true
	case ref[0] == '/' && !strings.HasPrefix(ref, "//"):
		return r.origin + ref, true
	case isWord(ref[0]) && !hasScheme(ref):
		return r.dir + ref, true
	}
	return "", false
}

// joinAbsolute handles http and https addresses with a plain host.
func joinAbsolute(ref string) (string, bool) {
	rest, ok := strings.CutPrefix(ref, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(ref, "http://"); !ok {
			return "", false
		}
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if !isPlainHost(rest[:end]) {
		return "", false
	}
	if end == len(rest) || rest[end] != '/' {
		return ref[:len(ref)-len(rest)+end] + "/" + rest[end:], true
	}
	return ref, true
}

// plainBytes are the bytes that every part of an address leaves as they are.
var plainBytes = func() (t [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/?&=%+,;@!$*:()#[]") {
		t[c] = true
	}
	return t
}()

// isPlain reports whether ref needs no encoding and has no segment of dots.
func isPlain(ref string) bool {
	for i := range len(ref) {
		if !plainBytes[ref[i]] {
			return false
		}
	}
	return !strings.HasPrefix(ref, ".") && !strings.Contains(ref, "/.") &&
		!strings.Contains(ref, "%2e") && !strings.Contains(ref, "%2E")
}

// isPlainHost reports whether host is a name in lower case that is neither an
// address in digits nor in Punycode.
func isPlainHost(host string) bool {
	if host == "" || strings.Contains(host, "xn--") {
		return false
	}
	for i := range len(host) {
		if c := host[i]; !isWord(c) || 'A' <= c && c <= 'Z' || c == '_' {
			if c != '.' && c != '-' {
				return false
			}
		}
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	return last != "" && (last[0] < '0' || last[0] > '9')
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// hasScheme reports whether a colon comes before any slash, question mark and
// hash.
func hasScheme(ref string) bool {
	i := strings.IndexAny(ref, ":/?#")
	return i > 0 && ref[i] == ':'
}

// IsLocal reports whether an address of the scheme leads nowhere outside of the
// browser that shows the page.
func IsLocal(scheme string) bool {
	switch scheme {
	case "javascript", "vbscript", "livescript", "mocha", "data", "blob", "about", "file", "filesystem",
		"view-source", "chrome", "chrome-extension", "moz-extension", "edge", "jar", "resource":
		return true
	}
	return false
}
