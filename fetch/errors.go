package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
)

// failed is an error of one fetch. It carries the id that v1 puts in the body.
type failed struct {
	id  string
	err error
}

func (f *failed) Error() string { return "fetch " + f.id + ": " + f.err.Error() }

func (f *failed) Unwrap() error { return f.err }

// ErrorID returns the id of the fetch that failed with err; empty if err is
// not of a fetch.
func ErrorID(err error) string {
	var f *failed
	if errors.As(err, &f) {
		return f.id
	}
	return ""
}

// The causes that end a fetch.
var (
	errTimedOut = errtypes.New(errtypes.GatewayTimeout, "the fetch took too long")
	errTooSlow  = errtypes.New(errtypes.GatewayTimeout, "the page sent nothing for too long")
	errClosing  = errtypes.New(errtypes.Unavailable, "the service is closing")
	errBroken   = errtypes.New(errtypes.BadGateway, "the page's server sent a broken answer")
)

func errTooLarge(limit int64) error {
	return errtypes.New(errtypes.BadGateway, "the page is larger than %d bytes", limit)
}

func errUndecodable(coding string, err error) error {
	return errtypes.New(errtypes.BadGateway, "the page's content-encoding %s cannot be decoded", coding).WithCause(err)
}

// explain turns what ended a fetch into an error for the caller. A context
// that ended is the reason for whatever came after.
func explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	var known *errtypes.Error
	if errors.As(err, &known) {
		return err
	}
	if isSilence(err) {
		return errTooSlow.WithCause(err)
	}
	return errtypes.New(errtypes.BadGateway, "%s", networkMessage(err)).WithCause(err)
}

// isSilence reports a time-out after the connection stood. Before, the server
// counts as unreachable, or its name as unresolvable.
func isSilence(err error) bool {
	var dns *net.DNSError
	var op *net.OpError
	var timeout net.Error
	if errors.As(err, &dns) || errors.As(err, &op) && op.Op == "dial" {
		return false
	}
	return errors.As(err, &timeout) && timeout.Timeout()
}

// networkMessage names what failed without the addresses in the error's text,
// which may be of the host's own network.
func networkMessage(err error) string {
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case isTLS(err):
		return "TLS certificate verification failed"
	case egress.IsClientRefusal(err):
		return "the page's server refused the TLS connection: it does not accept the client certificate, or wants one"
	case isHandshake(err):
		return "the TLS connection to the page's server failed"
	case errors.As(err, &dns):
		return "the name of the page's server cannot be resolved"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the page's server closed the connection before the answer was complete"
	case errors.As(err, &op) && op.Op == "dial":
		return "the page's server cannot be reached"
	case strings.Contains(err.Error(), "server response headers exceeded"):
		return "the head of the page's answer is too large"
	}
	return "the page's server sent a broken answer"
}

func isTLS(err error) bool {
	var verify *tls.CertificateVerificationError
	return errors.As(err, &verify)
}

func isHandshake(err error) bool {
	var record tls.RecordHeaderError
	var alert tls.AlertError
	return errors.As(err, &record) || errors.As(err, &alert) || strings.HasPrefix(err.Error(), "tls: ")
}
