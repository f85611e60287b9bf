package v1json

import (
	"encoding/json"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/sessions"
)

// Session is a session, without what opens it.
type Session struct {
	ID           string          `json:"id"`
	CreatedAt    api.Time        `json:"createdAt"`
	UpdatedAt    api.Time        `json:"updatedAt"`
	ProjectID    string          `json:"projectId"`
	StartedAt    api.Time        `json:"startedAt"`
	EndedAt      *api.Time       `json:"endedAt,omitempty"`
	ExpiresAt    api.Time        `json:"expiresAt"`
	Status       sessions.Status `json:"status"`
	ProxyBytes   int64           `json:"proxyBytes"`
	KeepAlive    bool            `json:"keepAlive"`
	Region       sessions.Region `json:"region"`
	ContextID    string          `json:"contextId,omitempty"`
	UserMetadata json.RawMessage `json:"userMetadata,omitempty"`
	Cause        *Cause          `json:"cause,omitempty"`
}

// SessionOf returns a session as lists have it.
func SessionOf(s sessions.Session) Session {
	out := Session{
		ID: s.ID, ProjectID: s.ProjectID, Status: s.Status, ProxyBytes: s.ProxyBytes, KeepAlive: s.KeepAlive, Region: s.Region,
		CreatedAt: api.Time(s.CreatedAt), UpdatedAt: api.Time(s.UpdatedAt), StartedAt: api.Time(s.StartedAt),
		EndedAt: api.OptionalTime(s.EndedAt), ExpiresAt: api.Time(s.ExpiresAt), UserMetadata: s.UserMetadata,
	}
	if s.StartedAt.IsZero() { // the field is required, and the session is about to start
		out.StartedAt = api.Time(s.CreatedAt)
	}
	if s.Settings.Context != nil {
		out.ContextID = s.Settings.Context.ID
	}
	if s.Cause != nil {
		out.Cause = &Cause{s.Cause.Code, s.Cause.Message}
	}
	return out
}
