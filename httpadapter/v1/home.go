package v1

import (
	"crypto/rand"
	_ "embed"
	"html/template"
	"net/http"
	"strings"

	"github.com/drover-go/drover/internal/wire/api"
)

// Home is what GET / says of the service; see httpadapter.Home.
type Home struct{ Name, Version string }

var (
	//go:embed home.html
	homePage     string
	homeTemplate = template.Must(template.New("home").Parse(homePage))
)

// homeJSON is where everything is that needs no key to be found.
type homeJSON struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	OpenAPI string `json:"openapi"`
	Health  string `json:"health"`
	Docs    string `json:"docs"`
	// KeyHeaders are those that a key may come in.
	KeyHeaders []string `json:"keyHeaders"`
}

// docsURL is where the documents for people are.
const docsURL = "https://github.com/drover-go/drover/tree/main/docs"

// home says who this is, on a page to who wants to look at one.
func home(x *exchange) (answer, error) {
	h, base := x.opts.Home, x.Base()
	about := homeJSON{h.Name, h.Version, base + "/v1/openapi.json", base + "/healthz", docsURL, x.opts.KeyHeaders}
	x.W.Header().Add("Vary", "Accept")
	if !strings.Contains(strings.Join(x.R.Header.Values("Accept"), ","), "text/html") {
		return api.OK(about), nil
	}
	return api.OK(ownPage{homeTemplate, about}), nil
}

// ownPage is a page of this interface's own, which runs nothing.
type ownPage struct {
	template *template.Template
	what     any
}

func (p ownPage) Stream(x *api.Exchange) {
	var b strings.Builder
	nonce := rand.Text()
	if err := p.template.Execute(&b, struct {
		Nonce string
		What  any
	}{nonce, p.what}); err != nil {
		x.Fail(err)
		return
	}
	h := x.W.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'nonce-"+nonce+"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	x.Send(http.StatusOK, []byte(b.String()))
}
