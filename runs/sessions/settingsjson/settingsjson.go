// Package settingsjson reads the settings of browser sessions from JSON, as
// callers of v1 and authors of functions write them. What is known is honoured
// or refused by its name (DECISIONS 6, 28). Values are checked by who opens the
// session.
package settingsjson

import (
	"errors"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs/sessions"
)

// Session is a new session as its author has written it.
type Session struct {
	sessions.Create
	// outside: its extension is named at the top alone, of the two places for it.
	outside bool
}

// Decode reads the settings of a session from a document that a domain takes in,
// such as the manifest of a function: extensionId, browserSettings, proxies,
// proxySettings, userMetadata, timeout, keepAlive, region and projectId. Fields
// named in refused cannot be set there; other unknown ones are ignored
// everywhere. What is wrong is an Invalid error that names the field, below o.At
// where that is set.
func Decode(data []byte, o strictjson.Options, refused ...string) (s Session, err error) {
	o.IgnoreUnknown = true
	err = strictjson.Decode(data, o, s.Value(refused...))
	return s, err
}

// Value wants the object of a new session. It may have other fields, as those in
// it may, but for that of a context; the refused ones it may not have.
func (s *Session) Value(refused ...string) strictjson.Value {
	var outer, inner string
	var timeout int
	c := &s.Create
	fields := strictjson.Fields{
		"projectId":       strictjson.Text(&c.ProjectID),
		"extensionId":     id(&outer),
		"browserSettings": browserSettings(&c.Settings, &inner),
		"timeout":         strictjson.Then(strictjson.Int(&timeout, 0, 1<<31-1), func() { c.Timeout = orNegative(timeout) }),
		"keepAlive":       strictjson.Bool(&c.KeepAlive),
		"proxies":         Proxies(&c.Settings.Proxies),
		"proxySettings":   certificates(&c.Settings),
		"region":          strictjson.OneOf(&c.Region, sessions.Regions()...),
		"userMetadata":    strictjson.RawObject(&c.UserMetadata),
	}
	for _, name := range refused {
		fields[name] = strictjson.Refused("cannot be set here")
	}
	return strictjson.Checked(strictjson.Open(fields), func(at string) error {
		if outer != "" && inner != "" && outer != inner {
			return errtypes.Field(strings.TrimPrefix(at+".extensionId", "."), "differs from browserSettings.extensionId")
		}
		c.Settings.ExtensionID, s.outside = inner, inner == ""
		if s.outside {
			c.Settings.ExtensionID = outer
		}
		return nil
	})
}

// Named makes an error about the extension of s, as package sessions gives it,
// one of the field by which the author named it. Others it returns as they are.
func (s *Session) Named(err error) error {
	const inner, outer = "browserSettings.extensionId", "extensionId"
	e, ok := errors.AsType[*errtypes.Error](err)
	if !ok || !s.outside || e.Field != inner {
		return err
	}
	return errtypes.Field(outer, "%s", strings.TrimPrefix(e.Message, inner+" ")).WithCause(err)
}

// orNegative is a time that is refused where 0 seconds are asked for, which
// must not become the default.
func orNegative(seconds int) time.Duration {
	if seconds == 0 {
		return -1
	}
	return time.Duration(seconds) * time.Second
}

// id is an id in the form it is stored in.
func id(dst *string) strictjson.Value {
	return strictjson.Then(strictjson.Text(dst), func() { *dst = ids.Canonical(*dst) })
}
