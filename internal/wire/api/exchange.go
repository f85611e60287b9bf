package api

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/access"
	"github.com/drover-go/drover/internal/wire/request"
	"github.com/drover-go/drover/storage/projects"
)

// Exchange is one request and its answer.
type Exchange struct {
	W http.ResponseWriter
	R *http.Request
	// Record is what the log will say of it.
	Record *access.Record

	in            *Interface
	names, values []string // of the variables in the path
	started       bool     // the answer has begun
}

// Authenticate puts the caller's project into the context, where the domains
// look for it. Routes that are not public have it done before.
func (x *Exchange) Authenticate() error { return x.enter(x.in.Authenticate) }

// enter is Authenticate in a way of its own; nil is the interface's.
func (x *Exchange) enter(authenticate func(*Exchange) (context.Context, error)) error {
	if authenticate == nil {
		authenticate = x.in.Authenticate
	}
	ctx, err := authenticate(x)
	if err != nil {
		return err
	}
	p, _ := projects.From(ctx)
	x.Record.ProjectID = p.ID
	x.R = x.R.WithContext(ctx)
	return nil
}

// Path returns the value of a variable in the path. It panics where the pattern
// has none of that name.
func (x *Exchange) Path(name string) string { return x.values[slices.Index(x.names, name)] }

// Query returns the parameters of the request.
func (x *Exchange) Query() *request.Query { return request.ParseQuery(x.R) }

// JSON returns the body, which must be JSON, as it is; nil when there is none.
// Error kinds: those of request.JSON.
func (x *Exchange) JSON() ([]byte, error) { return request.JSON(x.W, x.R, x.in.Bodies) }

// Bytes returns the body, of any media type, decompressed; nil when there is none.
// Error kinds: those of request.Bytes.
func (x *Exchange) Bytes() ([]byte, error) { return request.Bytes(x.W, x.R, x.in.Bodies) }

// Raw hands over a body of any kind as it comes; see request.Raw.
func (x *Exchange) Raw(take func(coding string, content io.Reader) error) error {
	return request.Raw(x.W, x.R, x.in.Bodies, take)
}

// OptionalBody decodes the body, if there is one. Error kinds: those of
// request.JSON, and Invalid.
func (x *Exchange) OptionalBody(v strictjson.Value) (there bool, err error) {
	data, err := x.JSON()
	if data == nil || err != nil {
		return false, err
	}
	return true, x.Decode(data, v)
}

// Body decodes the body, which must be there. Error kinds: those of
// OptionalBody.
func (x *Exchange) Body(v strictjson.Value) error {
	there, err := x.OptionalBody(v)
	if err == nil && !there {
		err = errtypes.New(errtypes.Invalid, "a body is required")
	}
	return err
}

// Forward has another handler answer.
func (x *Exchange) Forward(h http.Handler, r *http.Request) (Answer, error) {
	x.started = true
	h.ServeHTTP(x.W, r)
	return Answer{}, nil
}

// Base is the URL under which the caller sees the adapter, without a slash at
// its end: Interface.PublicURL or what the request says, which is its host,
// https where its connection has TLS, and the prefix that the host's own mux has
// taken off its path.
func (x *Exchange) Base() string {
	if x.in.PublicURL != "" {
		return x.in.PublicURL
	}
	scheme := "http://"
	if x.R.TLS != nil {
		scheme = "https://"
	}
	return scheme + x.R.Host + prefix(x.R)
}

// BasePath is the path of Base, "" for none.
func (x *Exchange) BasePath() string {
	u, err := url.Parse(x.Base())
	if err != nil { // of a Host that is none
		return ""
	}
	return u.EscapedPath()
}

// prefix is what was taken off the path that was asked for on its way here, as
// http.StripPrefix does; "" where the path is another one altogether.
func prefix(r *http.Request) string {
	asked, err := url.ParseRequestURI(r.RequestURI)
	if err != nil {
		return "" // a request that came over no wire
	}
	taken, ok := strings.CutSuffix(asked.EscapedPath(), r.URL.EscapedPath())
	if !ok {
		return ""
	}
	return taken
}

// Decode decodes a body that was read with [Exchange.JSON], once more if need be.
// Error kind Invalid.
func (x *Exchange) Decode(data []byte, v strictjson.Value) error {
	return strictjson.Decode(data, x.in.JSON, v)
}
