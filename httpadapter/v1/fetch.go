package v1

import (
	"errors"

	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
)

// fetchIn is the body of a fetch. Other fields are ignored (DECISIONS 6).
func fetchIn(url *string, o *fetch.Options) strictjson.Value {
	return strictjson.Open(strictjson.Fields{
		"url":              strictjson.Text(url),
		"allowRedirects":   strictjson.Bool(&o.AllowRedirects),
		"allowInsecureSsl": strictjson.Bool(&o.AllowInsecureSSL),
		"proxies":          strictjson.Bool(&o.Proxies),
		"format":           strictjson.OneOf(&o.Format, fetch.Raw, fetch.JSON, fetch.Markdown),
		"schema":           strictjson.RawObject(&o.Schema),
		"render":           strictjson.Bool(&o.Render),

		"caCertificates":     strictjson.Texts(&o.CACertificates),
		"clientCertificates": strictjson.Texts(&o.ClientCertificates),
		"onlyMainContent":    strictjson.Bool(&o.OnlyMainContent),
	}, "url")
}

func fetchPage(x *exchange) (answer, error) {
	var url string
	var o fetch.Options
	if err := x.Body(fetchIn(&url, &o)); err != nil {
		return answer{}, &unfetched{ids.New(), err}
	}
	a, err := x.Fetch.Get(x.R.Context(), url, o)
	return api.OK((*fetchJSON)(a)), err
}

// unfetched is an error that came before the fetch began. It has an id like
// those that came after, so that every error of the route can be found again.
type unfetched struct {
	id    string
	cause error
}

func (e *unfetched) Error() string { return "fetch " + e.id + ": " + e.cause.Error() }
func (e *unfetched) Unwrap() error { return e.cause }

// fetchID returns the id of the fetch that err is of; empty if it is of none.
func fetchID(err error) string {
	var u *unfetched
	if errors.As(err, &u) {
		return u.id
	}
	return fetch.ErrorID(err)
}
