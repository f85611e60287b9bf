package runs

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/sessions"
)

// storedOptions is what is written down of what was asked for with a run, beside
// its settings.
type storedOptions struct {
	MaxSteps int    `json:"maxSteps,omitempty"`
	Duration int64  `json:"maxDuration,omitempty"` // milliseconds
	Budget   Budget `json:"budget,omitzero"`
	// SessionID is the session that it was given.
	SessionID   string   `json:"sessionId,omitempty"`
	KeepSession bool     `json:"keepSession,omitempty"`
	Domains     []string `json:"domains,omitempty"`
	Files       []string `json:"files,omitempty"`
}

func (c Create) storedOptions() storedOptions {
	return storedOptions{
		MaxSteps: c.Limits.MaxSteps, Duration: c.Limits.MaxDuration.Milliseconds(), Budget: c.Limits.Budget,
		SessionID: c.SessionID, KeepSession: c.KeepSession, Domains: slices.Clone(c.AllowedDomains), Files: slices.Clone(c.Files),
	}
}

// text is the column; nothing where nothing was asked for.
func (o storedOptions) text() ([]byte, error) {
	raw, err := json.Marshal(o)
	if string(raw) == "{}" {
		return nil, err
	}
	return raw, err
}

// limitsOf are those of the service, and what bounds the run further.
func (s *service) limitsOf(r row) Limits {
	l := s.conf.Limits
	if n := r.options.MaxSteps; n > 0 {
		l.MaxSteps = n
	}
	if ms := r.options.Duration; ms > 0 {
		l.MaxDuration = time.Duration(ms) * time.Millisecond
	}
	if n := r.options.Budget.Tokens; n > 0 {
		l.Budget.Tokens = n
	}
	if n := r.options.Budget.Cost; n > 0 {
		l.Budget.Cost = n
	}
	return l
}

// checkRunLimits refuses limits beyond those of the service.
func (s *service) checkRunLimits(c RunLimits) error {
	l := s.conf.Limits
	if c.MaxSteps < 0 || c.MaxSteps > l.MaxSteps {
		return errtypes.Field("limits.maxSteps", "must be 1 to %d", l.MaxSteps)
	}
	if d := c.MaxDuration; d != 0 && (d < time.Second || d > l.MaxDuration) {
		return errtypes.Field("limits.maxDuration", "must be 1s to %v", l.MaxDuration)
	}
	if err := checkBudget("limits.budget.tokens", c.Budget.Tokens, l.Budget.Tokens); err != nil {
		return err
	}
	return checkBudget("limits.budget.cost", c.Budget.Cost, l.Budget.Cost)
}

func checkBudget(field string, n, most int64) error {
	switch {
	case n < 0:
		return errtypes.Field(field, "must not be negative")
	case most > 0 && n > most:
		return errtypes.Field(field, "must be at most %d", most)
	}
	return nil
}

// checkSession refuses a session that the run cannot work in.
func (s *service) checkSession(ctx context.Context, c Create) error {
	if c.SessionID == "" {
		return nil
	}
	switch b := c.BrowserSettings; {
	case b.Context != nil || !b.Proxies.IsZero() || b.Verified:
		return errtypes.Field("browserSettings", "must be empty: the session %s has its own", c.SessionID)
	case c.KeepSession:
		return errtypes.Field("keepSession", "must be false: a run does not end a session that it was given")
	case len(c.AllowedDomains) > 0:
		return errtypes.Field("allowedDomains", "must be empty: the session %s has its own", c.SessionID)
	}
	return s.conf.Sessions.CheckJoin(ctx, c.SessionID, sessions.Join{Secrets: len(c.Variables) > 0})
}
