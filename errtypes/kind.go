package errtypes

import "net/http"

// Kind says what sort of failure an error is. The set is closed: an adapter
// can switch over it and know that it has covered everything.
type Kind uint8

// The kinds. The zero value is Internal, so that an error nobody classified is
// treated as a fault of the service and its text is kept from the caller.
const (
	// Internal is a fault of the service or of a library it uses.
	Internal Kind = iota
	// Invalid is input that breaks a rule of the interface.
	Invalid
	// Unauthenticated is a missing or wrong key.
	Unauthenticated
	// PaymentRequired is a quota or plan that the host's gate says is used up.
	PaymentRequired
	// Forbidden is a feature that the host's gate has not enabled.
	Forbidden
	// NotFound is a thing that does not exist for the caller, which includes
	// every thing of another project.
	NotFound
	// MethodNotAllowed is a known path asked with an unknown method.
	MethodNotAllowed
	// NotAcceptable is an Accept header that nothing offered satisfies.
	NotAcceptable
	// RequestTimeout is a wait the caller asked for that ended without result, by
	// the deadline of its context, too.
	RequestTimeout
	// Conflict is a request that the current state of the thing forbids.
	Conflict
	// Gone is a thing that existed and never will again.
	Gone
	// PreconditionFailed is a condition of the caller that does not hold.
	PreconditionFailed
	// TooLarge is a request body over its limit.
	TooLarge
	// UnsupportedMediaType is a body in a format or coding that is not read.
	UnsupportedMediaType
	// RateLimited is a limit on rate or concurrency that the caller exceeds.
	RateLimited
	// BadGateway is a server that Drover asked for the caller and that failed:
	// unreachable, broken TLS, an undecodable or oversized answer.
	BadGateway
	// Unavailable is a service that is closing or not ready; trying again
	// later may succeed.
	Unavailable
	// GatewayTimeout is a server that Drover asked for the caller and that did
	// not answer in time.
	GatewayTimeout
	// Canceled is a call whose own context ended. Nobody is left to read it.
	Canceled

	kindCount
)

type kindInfo struct {
	name   string
	status int
}

// statusClientClosed is what access logs of several servers record for a
// request whose client went away; nothing is ever sent with it.
const statusClientClosed = 499

var kinds = [kindCount]kindInfo{
	Internal:             {"internal", http.StatusInternalServerError},
	Invalid:              {"invalid", http.StatusBadRequest},
	Unauthenticated:      {"unauthenticated", http.StatusUnauthorized},
	PaymentRequired:      {"payment required", http.StatusPaymentRequired},
	Forbidden:            {"forbidden", http.StatusForbidden},
	NotFound:             {"not found", http.StatusNotFound},
	MethodNotAllowed:     {"method not allowed", http.StatusMethodNotAllowed},
	NotAcceptable:        {"not acceptable", http.StatusNotAcceptable},
	RequestTimeout:       {"request timeout", http.StatusRequestTimeout},
	Conflict:             {"conflict", http.StatusConflict},
	Gone:                 {"gone", http.StatusGone},
	PreconditionFailed:   {"precondition failed", http.StatusPreconditionFailed},
	TooLarge:             {"too large", http.StatusRequestEntityTooLarge},
	UnsupportedMediaType: {"unsupported media type", http.StatusUnsupportedMediaType},
	RateLimited:          {"rate limited", http.StatusTooManyRequests},
	BadGateway:           {"bad gateway", http.StatusBadGateway},
	Unavailable:          {"unavailable", http.StatusServiceUnavailable},
	GatewayTimeout:       {"gateway timeout", http.StatusGatewayTimeout},
	Canceled:             {"canceled", statusClientClosed},
}

// String returns the kind in words, for logs.
func (k Kind) String() string {
	if k >= kindCount {
		return kinds[Internal].name
	}
	return kinds[k].name
}

// HTTPStatus is the one table from kinds to HTTP status codes. A v2 error with
// a [Type] uses the type's own status instead.
func (k Kind) HTTPStatus() int {
	if k >= kindCount {
		return kinds[Internal].status
	}
	return kinds[k].status
}

// Kinds returns every kind, for tests and documentation that must cover all.
func Kinds() []Kind {
	all := make([]Kind, kindCount)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}
