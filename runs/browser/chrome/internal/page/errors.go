package page

import (
	"context"
	"errors"
	"strings"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/chromedp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// Why work on a page was broken off.
var (
	ErrTabClosed = errtypes.New(errtypes.BadGateway, "the page's tab was closed")
	errCrashed   = errtypes.New(errtypes.BadGateway, "the page crashed: its process ended; navigate to go on")
	errNoTab     = errtypes.New(errtypes.BadGateway, "no page is open; navigate to one")
	ErrEnded     = errtypes.New(errtypes.Gone, "the browser session is closed")
	ErrDied      = errtypes.New(errtypes.Unavailable, "the browser of this session ended unexpectedly")
	errDownload  = errtypes.New(errtypes.BadGateway, "the URL leads to a file to download, not to a page")
	errNoContent = errtypes.New(errtypes.BadGateway, "the server answered without a page")
)

// refusedError is what the caller's own function said.
type refusedError struct{ err error }

func (e *refusedError) Error() string { return e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }

// classify turns an error of the driver into one of Drover's. Errors that are
// Drover's already, or the package browser's, stay as they are.
func classify(err error) error {
	var (
		ours    *errtypes.Error
		stale   *browser.StaleError
		covered *browser.CoveredError
		refused *refusedError
		stands  *browser.DialogError
		proto   *cdproto.Error
	)
	switch {
	case err == nil, errors.As(err, &ours), errors.As(err, &stale), errors.As(err, &covered), errors.As(err, &refused), errors.As(err, &stands):
		return err
	case errors.Is(err, chromedp.ErrTargetDetached):
		return ErrTabClosed.WithCause(err)
	case errors.As(err, &proto), errors.Is(err, errScript):
		return errtypes.New(errtypes.BadGateway, "the page did not let itself be read or acted on").WithCause(err)
	case errors.Is(err, mux.ErrLost), strings.Contains(err.Error(), "lost the connection"):
		return ErrDied.WithCause(err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return errtypes.New(errtypes.Internal, "the browser failed").WithCause(err)
}

// netErrors are the failures of loading, as Chromium names them, that get a
// message of their own. What is missing is a BadGateway that quotes the name.
var netErrors = []struct {
	prefix  string
	kind    errtypes.Kind
	message string
}{
	{"ERR_NAME_", errtypes.BadGateway, "the host name could not be resolved"},
	{"ERR_CONNECTION_REFUSED", errtypes.BadGateway, "the server refused the connection"},
	{"ERR_CONNECTION_TIMED_OUT", errtypes.GatewayTimeout, "the server did not answer in time"},
	{"ERR_TIMED_OUT", errtypes.GatewayTimeout, "the server did not answer in time"},
	{"ERR_CONNECTION_", errtypes.BadGateway, "the connection to the server broke"},
	{"ERR_EMPTY_RESPONSE", errtypes.BadGateway, "the server answered nothing"},
	{"ERR_TUNNEL_CONNECTION_FAILED", errtypes.BadGateway, "the server could not be reached"},
	{"ERR_PROXY_", errtypes.BadGateway, "the session's proxy could not be reached"},
	{"ERR_CERT_", errtypes.BadGateway, "the server's certificate is not valid"},
	{"ERR_SSL_", errtypes.BadGateway, "the TLS handshake with the server failed"},
	{"ERR_TOO_MANY_REDIRECTS", errtypes.BadGateway, "the server redirected too often"},
	{"ERR_HTTP_RESPONSE_CODE_FAILURE", errtypes.BadGateway, "the server answered with an error and no page"},
	{"ERR_INVALID_URL", errtypes.Invalid, "the URL is not valid"},
	{"ERR_UNSAFE_PORT", errtypes.Invalid, "browsers do not connect to this port"},
	{"ERR_UNKNOWN_URL_SCHEME", errtypes.Invalid, "only http and https URLs can be loaded"},
	{"ERR_DISALLOWED_URL_SCHEME", errtypes.Invalid, "only http and https URLs can be loaded"},
	{"ERR_INVALID_AUTH_CREDENTIALS", errtypes.BadGateway, "the server asks for a user name and a password"},
	{"ERR_BLOCKED_BY_", errtypes.BadGateway, "the browser blocked the page"},
}

// netError explains a "net::ERR_…" of Chromium.
func netError(text string) error {
	name := strings.TrimPrefix(text, "net::")
	for _, e := range netErrors {
		if strings.HasPrefix(name, e.prefix) {
			return errtypes.New(e.kind, "%s (%s)", e.message, name)
		}
	}
	return errtypes.New(errtypes.BadGateway, "the page could not be loaded (%s)", name)
}
