package sessions

import (
	"errors"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// named gives what a browser refuses the name that callers know the setting by.
func (s Settings) named(err error) error {
	e, ok := errors.AsType[*errtypes.Error](err)
	if !ok || e.Kind != errtypes.Invalid {
		return err
	}
	field := s.settingOf(e.Field)
	if field == "" {
		return err
	}
	return errtypes.Field(field, "%s", strings.TrimPrefix(e.Message, e.Field+" ")).WithCause(err)
}

// settingOf is the setting by which a browser is asked for something; empty for
// what has the same name, or is none.
func (s Settings) settingOf(asked string) string {
	switch asked {
	case "certificates":
		if len(s.CACertificates) == 0 {
			return "proxySettings.clientCertificates"
		}
		return "proxySettings.caCertificates"
	case "profile":
		return "browserSettings.context"
	case "verified", "ownProcess", "allowedDomains", "blockAds":
		return "browserSettings." + asked
	}
	return ""
}
