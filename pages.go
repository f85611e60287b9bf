package drover

import (
	"context"
	"encoding/base64"
	"encoding/json"

	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/runs"
)

// pages reads the pages of sessions, as fetches read theirs. d has its Fetch by
// the time that anybody asks.
type pages struct{ d *Drover }

// Shape implements [runs.Pages].
func (p pages) Shape(ctx context.Context, page runs.PageToShape) (runs.Shaped, error) {
	o := fetch.Options{Format: fetch.JSON, Schema: page.Schema, Explain: true}
	if page.Complete != nil {
		o.Extractor = func(ctx context.Context, q fetch.Question) (json.RawMessage, error) {
			return page.Complete(ctx, runs.Missing{Text: q.Markdown, Unsatisfied: q.Unsatisfied, Schema: q.Schema, Content: q.Content})
		}
	}
	a, err := p.d.Fetch.Convert(ctx, fetch.Page{URL: page.URL, HTML: page.HTML}, o)
	if err != nil {
		return runs.Shaped{}, err
	}
	shaped := runs.Shaped{Content: json.RawMessage(a.Content), Unsatisfied: a.Unsatisfied}
	for _, o := range a.Origins {
		shaped.Origins = append(shaped.Origins, runs.Origin(o))
	}
	return shaped, nil
}

// Get implements [runs.Pages].
func (p pages) Get(ctx context.Context, page runs.PageToGet) (runs.GotPage, error) {
	o := fetch.Options{Format: fetch.Raw, AllowRedirects: true, AllowedDomains: page.AllowedDomains, Proxies: page.Proxies.Managed}
	for _, r := range page.Proxies.Rules {
		o.ProxyRules = append(o.ProxyRules, fetch.ProxyRule{Type: r.Type, DomainPattern: r.DomainPattern, Server: r.Server, Username: r.Username, Password: r.Password})
	}
	a, err := p.d.Fetch.Get(ctx, page.URL, o)
	if err != nil {
		return runs.GotPage{}, err
	}
	got := runs.GotPage{URL: a.URL, Status: a.StatusCode, ContentType: a.ContentType, Text: a.Content}
	if a.Encoding == "base64" {
		got.Text = ""
		got.Bytes, err = base64.StdEncoding.DecodeString(a.Content)
	}
	return got, err
}

// ExtractAs is [runs.Service.Extract] for the type of the result: the schema is
// that of T, unless e has one. Error kinds: those of Extract. Conflict where the
// page does not say what the schema requires: the error names it, and what the page
// says is returned besides.
func ExtractAs[T any](ctx context.Context, d *Drover, sessionID string, e runs.Extract) (T, error) {
	if len(e.Schema) == 0 {
		e.Schema = SchemaFor[T]()
	}
	got, err := d.Runs.Extract(ctx, sessionID, e)
	if err != nil {
		var none T
		return none, err
	}
	return runs.Decode[T](got)
}
