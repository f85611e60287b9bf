package egress

import "github.com/drover-go/drover/errtypes"

// BlockedReason says why a policy refuses a host. It reads after "the host is".
type BlockedReason string

// The reasons of a policy.
const (
	BlockedDomain BlockedReason = "not one of the allowed domains"
	BlockedAd     BlockedReason = "known for advertising or tracking"
)

// BlockedError is a host that a [Policy] refuses. Its kind is errtypes.Invalid.
type BlockedError struct {
	// Host is what was asked for.
	Host string
	// Reason is why.
	Reason BlockedReason
}

// Error returns the text for the log, which is the caller's.
func (e *BlockedError) Error() string { return e.Public().Message }

// Unwrap returns what the caller may see.
func (e *BlockedError) Unwrap() error { return e.Public() }

// Public returns the refusal as an error for the caller. It names the setting
// that refuses.
func (e *BlockedError) Public() *errtypes.Error {
	setting := map[BlockedReason]string{BlockedDomain: "allowedDomains", BlockedAd: "blockAds"}[e.Reason]
	return errtypes.New(errtypes.Invalid, "%s is refused: it is %s (the setting %s)", e.Host, e.Reason, setting)
}
