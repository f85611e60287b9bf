package fetch

import (
	"context"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
)

// Renderer loads pages in a browser, which runs their scripts.
type Renderer interface {
	// Render loads the page, following redirects, and returns its document as it
	// stands when it has settled. The context bounds it. Error kinds: Invalid
	// for an address that is refused and a page that is no HTML; BadGateway,
	// GatewayTimeout, Unavailable.
	Render(ctx context.Context, url string, o RenderOptions) (*Rendered, error)
}

// RenderOptions say how to load a page.
type RenderOptions struct {
	// Project is the id of the caller's project: pages of two projects are never
	// in the same browser process.
	Project string
	// Egress is what the page may reach, and through what.
	Egress egress.Policy
	// MaxBytes bounds the document; a longer one is a BadGateway.
	MaxBytes int64
}

// Rendered is a page that a browser has loaded.
type Rendered struct {
	// URL is where the page is, after redirects and what its scripts did.
	URL string
	// Answers are those to the request for the page, redirects first; at least
	// one.
	Answers []RenderedAnswer
	// HTML is the document, serialised.
	HTML string
}

// RenderedAnswer is the head of an answer that a browser got.
type RenderedAnswer struct {
	URL    string
	Status int
	Header http.Header
}

// render runs a fetch through the browser. A redirect that is not to be
// followed is the answer all the same; where it led, the browser has been.
func (s *service) render(f *one, u *url.URL, o Options) (*answer, error) {
	switch {
	case s.conf.Renderer == nil:
		return nil, errtypes.Field("render", "must be false: this service has no browser")
	case o.AllowInsecureSSL:
		return nil, errtypes.Field("render", "must not be true together with allowInsecureSsl")
	}
	policy, err := s.client.policy(f.ctx, o, u)
	if err != nil {
		return nil, err
	}
	page, err := s.conf.Renderer.Render(f.ctx, u.String(), RenderOptions{Project: f.project, Egress: policy, MaxBytes: s.conf.MaxBody})
	if err != nil {
		return nil, err
	}
	first, last := page.Answers[0], page.Answers[len(page.Answers)-1]
	if first.Status >= 300 && first.Status < 400 && !o.AllowRedirects {
		return f.rendered(first, first.URL, "")
	}
	if media, _, _ := mime.ParseMediaType(last.Header.Get("Content-Type")); media != "" && media != "text/html" && media != "application/xhtml+xml" {
		return nil, errtypes.Field("render", "needs a page in HTML; the content type is %q", media)
	}
	return f.rendered(last, page.URL, page.HTML)
}

func (f *one) rendered(r RenderedAnswer, at, html string) (*answer, error) {
	u, err := url.Parse(at)
	if err != nil {
		return nil, errBroken.WithCause(err)
	}
	return &answer{
		url: u, status: r.Status, headers: flatten(r.Header), contentType: headerText(r.Header.Get("Content-Type")),
		length: int64(len(html)), body: strings.NewReader(html), raw: io.NopCloser(nil), one: f, isUTF8: true,
	}, nil
}
