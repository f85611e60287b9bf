// Package fetch gets one page and returns it as it is, as markdown, or as JSON
// in the caller's shape.
//
// Every connection passes the gate of internal/egress, so that no caller and
// no redirect reaches a private network.
package fetch

import (
	"context"
	"encoding/json"
	"io"

	"github.com/drover-go/drover/fetch/extract"
)

// Format is what the content of an answer is.
type Format string

// The formats of the specification.
const (
	// Raw is the body as it was sent, decompressed, and decoded to UTF-8 where
	// it is text.
	Raw Format = "raw"
	// JSON is the page's data in the shape of a schema: an object that holds
	// what the page says and nothing else. No model is asked for it.
	JSON Format = "json"
	// Markdown is the page as CommonMark with tables and strikethrough.
	Markdown Format = "markdown"
)

// Options say what to fetch a page as, and how. The zero value gets the page
// raw and follows no redirect.
type Options struct {
	// Format, default Raw.
	Format Format
	// AllowRedirects follows redirects. Default false: a redirect is the
	// answer itself.
	AllowRedirects bool
	// AllowInsecureSSL accepts any TLS certificate. Default false.
	AllowInsecureSSL bool
	// Render loads the page in a browser and returns its document as its scripts
	// have left it, with the status and headers of its server, cookies left out.
	// It is for HTML only, costs a browser session, and follows redirects in any
	// case: AllowRedirects says only what the answer is. Not together with
	// AllowInsecureSSL. Default false.
	Render bool
	// Proxies sends the request through one of the configured proxies, each in
	// its turn; it is refused where none is configured. Default false.
	Proxies bool
	// ProxyRules say by host which proxy a request, or a redirect, goes through;
	// the first that matches decides, and no match goes directly. Not together
	// with Proxies. Default none.
	ProxyRules []ProxyRule
	// AllowedDomains are the only hosts that the fetch may reach, redirects and what a
	// rendered page loads included: "example.com" is it and what is below it. Default
	// all.
	AllowedDomains []string
	// CACertificates are ids of certificates of authorities that are trusted, too.
	// Default none.
	CACertificates []string
	// ClientCertificates are ids of certificates that the server of the URL is
	// shown if it asks for one: the first whose issuer it accepts. A server is its
	// scheme, host and port; no other is shown any, wherever redirects lead, or
	// what a rendered page loads. The URL must be of https. Not together with
	// AllowInsecureSSL. Default none.
	ClientCertificates []string
	// OnlyMainContent leaves out what surrounds the content of an HTML page. In
	// format JSON that goes for what people see; what the page says for machines
	// is taken in any case. It is refused in format Raw. Default false.
	OnlyMainContent bool
	// Schema is the shape of the answer in format JSON, where it is required, and
	// ignored otherwise: a JSON Schema of draft 4 to 2020-12 whose root can be
	// an object.
	Schema json.RawMessage
	// Explain says of each value of format JSON where on the page it was found.
	// Default false.
	Explain bool
	// Extractor is asked for what the schema requires and the page does not say.
	// Default that of the service.
	Extractor Extractor
}

// ProxyRule is one of the three variants of a proxy.
type ProxyRule struct {
	// Type is managed (or browserbase) for one of the configured proxies,
	// external for the one named here, or none.
	Type string
	// DomainPattern is a regular expression (RE2) on the host name. Default
	// every host.
	DomainPattern string
	// Server is the URL of the external variant: http, https or socks5. It must
	// not lie in a private network, unless the host has opened that. Username
	// and Password belong to it.
	Server, Username, Password string
}

// Answer is a fetched page.
type Answer struct {
	// ID is the id of this fetch, a UUID.
	ID string
	// URL is the address that answered, after redirects, normalised.
	URL string
	// StatusCode is the HTTP status of the page, whatever it is.
	StatusCode int
	// Headers are the page's, names in lower case. Several values of one name
	// are joined by ", ", those of set-cookie by a newline.
	Headers map[string]string
	// Format is what was asked for.
	Format Format
	// Content is text in UTF-8, or base64 where Encoding says so; in format JSON
	// an object as JSON.
	Content string
	// ContentType is the page's Content-Type as it was sent; empty without one.
	ContentType string
	// Encoding is "utf-8" or "base64".
	Encoding string
	// Metadata is what a page in HTML says about itself; nil for others, for
	// format Raw, and for a page that takes too long to search.
	Metadata *Metadata
	// Unsatisfied are JSON Pointers into the content of format JSON, in the order
	// of their places: what the schema requires and the page does not say.
	// Without any, the content is valid against the schema.
	Unsatisfied []string
	// Origins say where each value of format JSON was found, if Explain asked.
	Origins []extract.Origin
	// ExtractorErr is why nothing, or not all, of what the Extractor said was
	// taken; nil if it was or none was asked.
	ExtractorErr error
}

// Metadata is what a page says about itself. See there for what is believed.
type Metadata = extract.Metadata

// Stream is a page whose content is read as it comes.
type Stream struct {
	// ID is the id of this fetch, a UUID.
	ID string
	// URL is the address that answered, after redirects, normalised.
	URL string
	// StatusCode is the HTTP status of the page.
	StatusCode int
	// Headers are as in [Answer].
	Headers map[string]string
	// ContentType is the page's Content-Type as it was sent.
	ContentType string
	// Body is the content, decompressed but not decoded to UTF-8. It must be
	// closed. Reading fails with BadGateway when it is too large or broken and
	// with GatewayTimeout when it is too slow.
	Body io.ReadCloser
}

// Service fetches pages for the caller's project.
//
// The interface may gain methods; implement it only inside Drover.
type Service interface {
	// Get returns the page. Error kinds: Invalid for a bad URL, a refused
	// address and a format that the content does not have; PaymentRequired and
	// Forbidden from the host's gate; RateLimited; BadGateway for a page that
	// is unreachable, too large or broken; Unavailable while closing;
	// GatewayTimeout. [ErrorID] returns the id of the fetch that failed.
	Get(ctx context.Context, url string, o Options) (*Answer, error)
	// Open returns the page before its content has been read. Only format Raw
	// streams. Error kinds as for Get.
	Open(ctx context.Context, url string, o Options) (*Stream, error)
	// Convert brings a page that the caller has into a format, as Get does with one
	// that it has fetched. Options that say how to fetch are ignored, and there is no
	// time limit but that of the context. Error kinds: Invalid for a bad format or
	// schema; PaymentRequired and Forbidden from the host's gate; RateLimited;
	// BadGateway for a page that takes too many steps to read; Unavailable while
	// closing.
	Convert(ctx context.Context, p Page, o Options) (*Answer, error)
	// Close refuses further calls and waits for those under way, whose
	// contexts are canceled when ctx ends. It is idempotent.
	Close(ctx context.Context) error
}
