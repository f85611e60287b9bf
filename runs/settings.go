package runs

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/sessions"
)

// session is what the settings of a run ask of its session. Frames of a run
// that has variables are not recorded: their values may be on the screen.
func (b BrowserSettings) session(variables int, domains []string) sessions.Settings {
	return sessions.Settings{
		Context: b.Context, Proxies: b.Proxies, Verified: b.Verified, StepsOnly: variables > 0, AllowedDomains: domains,
	}
}

// checkSettings refuses what a session would refuse, by the name that it has in
// a run.
func (s *service) checkSettings(ctx context.Context, b BrowserSettings, domains []string) error {
	err := s.conf.Sessions.Check(ctx, b.session(0, domains))
	var e *errtypes.Error
	if errors.As(err, &e) && strings.HasPrefix(e.Field, "browserSettings.allowedDomains") {
		return errtypes.Field(strings.TrimPrefix(e.Field, "browserSettings."), "%s", strings.TrimPrefix(e.Message, e.Field+" "))
	}
	if errors.As(err, &e) && e.Field != "" && !strings.HasPrefix(e.Field, "browserSettings.") {
		return errtypes.Field("browserSettings."+e.Field, "%s", strings.TrimPrefix(e.Message, e.Field+" "))
	}
	return err
}

// storedSettings is what is written down of a run's settings.
type storedSettings struct {
	Context  *ContextRef `json:"context,omitempty"`
	Proxies  Proxies     `json:"proxies,omitzero"`
	Verified bool        `json:"verified,omitempty"`
	// Secret says that the proxies have passwords, which are in memory only.
	Secret bool `json:"secret,omitempty"`
}

func (b BrowserSettings) stored() storedSettings {
	return storedSettings{b.Context, b.Proxies.Stored(), b.Verified, b.Proxies.Secret()}
}

// text is the column; nothing for settings that ask for nothing.
func (s storedSettings) text() ([]byte, error) {
	if s.Context == nil && s.Proxies.IsZero() && !s.Verified {
		return nil, nil
	}
	return json.Marshal(s)
}
