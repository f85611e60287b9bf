package webhooks

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
)

// The bounds of what a receiver sends, beside its body.
const (
	maxAnswerHeader = 64 << 10
	idleTime        = 30 * time.Second
)

// Sender sends requests to receivers, through the gate.
type Sender struct {
	checked, unchecked *http.Client // whether certificates are
	most               int
}

// NewSender returns a sender that reads so many bytes of an answer.
func NewSender(gate *egress.Gate, perHost, most int) *Sender {
	d := gate.Dialer(egress.Policy{})
	return &Sender{client(d, perHost, false), client(d, perHost, true), most}
}

func client(d *egress.Dialer, perHost int, insecure bool) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext:            d.DialContext,
			TLSClientConfig:        d.TLSConfig(insecure, ""),
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxAnswerHeader,
			MaxIdleConns:           256,
			MaxIdleConnsPerHost:    perHost,
			IdleConnTimeout:        idleTime,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Close closes connections that wait for a next request.
func (s *Sender) Close() {
	s.checked.CloseIdleConnections()
	s.unchecked.CloseIdleConnections()
}

// Request is what is sent, once.
type Request struct {
	URL    string
	Header http.Header
	Body   []byte
	// IgnoreTLSErrors takes any certificate.
	IgnoreTLSErrors bool
	// Time bounds all of it.
	Time time.Duration
}

// Outcome is what became of a request.
type Outcome struct {
	// Status is 0 where there was no answer.
	Status int
	// Body is the beginning of the answer.
	Body string
	// Error says why it failed; empty where it did not.
	Error string
	// Silent says that the receiver did not answer: it could not be reached, or not in time.
	Silent bool
}

// errTime is the cause of a request that took too long.
var errTime = errors.New("webhooks: the receiver did not answer in time")

// Send sends a request, and follows no redirect. What became of it counts unless the context has
// ended.
func (s *Sender) Send(ctx context.Context, r Request) Outcome {
	ctx, cancel := context.WithTimeoutCause(ctx, r.Time, errTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return Outcome{Error: "the URL cannot be read"}
	}
	req.Header = r.Header
	c := s.checked
	if r.IgnoreTLSErrors {
		c = s.unchecked
	}
	resp, err := c.Do(req)
	if err != nil {
		return Outcome{Error: explain(ctx, err, r.Time), Silent: true}
	}
	defer resp.Body.Close()
	return s.read(ctx, resp, r.Time)
}

// read judges an answer, once its body has ended or as much was read as is kept.
func (s *Sender) read(ctx context.Context, resp *http.Response, most time.Duration) Outcome {
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(s.most)))
	o := Outcome{Status: resp.StatusCode, Body: strings.ToValidUTF8(strings.ReplaceAll(string(body), "\x00", ""), "\uFFFD")}
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		o.Error = fmt.Sprintf("the receiver answered with status %d: redirects are not followed", resp.StatusCode)
	case resp.StatusCode < 200 || resp.StatusCode >= 300:
		o.Error = fmt.Sprintf("the receiver answered with status %d", resp.StatusCode)
	case err != nil:
		o.Error, o.Silent = explain(ctx, err, most), true
	}
	return o
}

// explain says what went wrong, in words for whoever owns the webhook: no address of
// this machine is among them.
func explain(ctx context.Context, err error, most time.Duration) string {
	var refused *egress.RefusedError
	var unknown *net.DNSError
	var tlsError *tls.CertificateVerificationError
	var opErr *net.OpError
	switch {
	case context.Cause(ctx) == errTime:
		return fmt.Sprintf("the receiver did not answer within %v", most)
	case errors.As(err, &refused):
		return errtypes.Public(refused).Message
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return "the host " + unknown.Name + " was not found"
	case errors.As(err, &unknown): // its text names the server that was asked
		return "the host " + unknown.Name + " could not be looked up"
	case errors.As(err, &tlsError):
		return "the receiver's certificate is not valid: " + tlsError.Err.Error()
	case errors.As(err, &opErr) && opErr.Op == "dial":
		return "the receiver could not be reached: " + reason(opErr.Err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &opErr):
		return "the receiver closed the connection before the end of its answer"
	}
	return "the request failed: " + reason(err)
}

// reason is the last of a chain of errors: those before it name addresses.
func reason(err error) string {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err.Error()
}
