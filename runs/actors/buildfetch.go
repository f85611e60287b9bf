package actors

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/storage/records"
)

// Archives are the records in which clients keep the archives of sources.
type Archives interface {
	// Signed returns a context for reading a record of a store with a signature. See
	// records.Service.
	Signed(ctx context.Context, kind records.Kind, id, key, signature string) (context.Context, error)
	// OpenRecord returns a record and its bytes, to read and close.
	OpenRecord(ctx context.Context, store, key string, codings ...string) (io.ReadCloser, records.Record, error)
}

// archive is one that is fetched.
type archive struct {
	io.ReadCloser
	err error
}

func (a *archive) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		a.err = err
	}
	return n, err
}

// broken reports whether it could not be read to its end.
func (a *archive) broken() bool { return a.err != nil }

// fetchArchive fetches the archive of a source: a record of this host by itself, any
// other over the gate.
func (s *service) fetchArchive(ctx context.Context, address string, say func(string)) (*archive, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, buildFailure("the URL of the archive cannot be read")
	}
	body, err := s.ownRecord(ctx, u)
	if body == nil && err == nil {
		say("Fetching the archive of the source from " + u.Host) // the rest may be secret
		body, err = s.get(ctx, u)
	} else if err == nil {
		say("Reading the archive of the source from a key-value store")
	}
	if err != nil {
		return nil, err
	}
	return &archive{ReadCloser: body}, nil
}

// recordPath is that of a record in the interface.
var recordPath = regexp.MustCompile(`^/v2/key-value-stores/([A-Za-z0-9]+)/records/([^/]+)$`)

// ownRecord opens a record of this host that an URL names, whatever it calls the
// host: what shows it is the signature, which nobody else can make. Nil is that it
// names none.
func (s *service) ownRecord(ctx context.Context, u *url.URL) (io.ReadCloser, error) {
	at := recordPath.FindStringSubmatch(u.Path)
	signature := u.Query().Get("signature")
	if s.conf.Archives == nil || at == nil || signature == "" {
		return nil, nil
	}
	owner, err := s.conf.Archives.Signed(ctx, records.KeyValueStore, at[1], at[2], signature)
	if errtypes.Is(err, errtypes.NotFound) || errtypes.Is(err, errtypes.Invalid) || errtypes.Is(err, errtypes.Forbidden) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	body, _, err := s.conf.Archives.OpenRecord(owner, at[1], at[2])
	if errtypes.Is(err, errtypes.NotFound) {
		return nil, buildFailure("the archive of the source is not in its key-value store any more")
	}
	return body, err
}

const (
	maxRedirects  = 10
	headerTimeout = time.Minute
)

// get fetches what a caller names over the gate.
func (s *service) get(ctx context.Context, u *url.URL) (io.ReadCloser, error) {
	if s.conf.Gate == nil {
		return nil, errtypes.New(errtypes.Unavailable, "this host fetches no sources")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, buildFailure("the URL of the archive cannot be read")
	}
	transport := &http.Transport{DialContext: s.conf.Gate.DialContext, DisableKeepAlives: true, ResponseHeaderTimeout: headerTimeout, TLSHandshakeTimeout: headerTimeout, DisableCompression: true}
	client := &http.Client{Transport: transport, CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return errors.New("too many redirects")
		}
		return nil
	}}
	resp, err := client.Do(req)
	if err != nil {
		return nil, notFetched(ctx, err)
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, buildFailure("the archive of the source could not be fetched: the server answered with status %d", resp.StatusCode)
	}
	return resp.Body, nil
}

// notFetched says why nothing was fetched, without the URL, which may be secret.
func notFetched(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var refused *egress.RefusedError
	var at *url.Error
	switch {
	case errors.As(err, &refused):
		return buildFailure("the archive of the source could not be fetched: %v", refused)
	case errors.As(err, &at):
		return buildFailure("the archive of the source could not be fetched: %v", at.Err)
	}
	return buildFailure("the archive of the source could not be fetched: %v", err)
}
