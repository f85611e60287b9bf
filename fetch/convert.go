package fetch

import (
	"context"
	"io"
	"net/url"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
)

// Page is a page that the caller has, as a browser shows it.
type Page struct {
	// URL is where it is; relative addresses in it are of there.
	URL string
	// HTML is the document.
	HTML string
}

// Convert implements [Service].
func (s *service) Convert(ctx context.Context, p Page, o Options) (_ *Answer, err error) {
	id := ids.New()
	defer s.identify(ctx, &err, id)
	u, err := url.Parse(p.URL)
	if err != nil {
		return nil, errtypes.Field("url", "must be an address")
	}
	f, err := s.begin(ctx, o)
	if err != nil {
		return nil, err
	}
	f.untimed()
	a := f.given(u, p.HTML)
	defer a.close()
	got := &Answer{Format: cmpFormat(o.Format), ID: id, URL: u.String(), ContentType: a.contentType}
	if err := a.fill(got, o); err != nil {
		return nil, explain(f.ctx, err)
	}
	return got, nil
}

// untimed ends the time of a fetch that waits for no server.
func (f *one) untimed() {
	f.whole.Stop()
	f.silence.Stop()
}

// given is a document that nobody has to send.
func (f *one) given(u *url.URL, html string) *answer {
	return &answer{
		url: u, contentType: "text/html; charset=utf-8", length: int64(len(html)),
		body: strings.NewReader(html), raw: io.NopCloser(nil), one: f, isUTF8: true,
	}
}
