package v1

import (
	"errors"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/httpadapter/internal/strictjson"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage/projects"
)

// sessionCreateIn is the body of a new session. Its objects are open; what is
// known is honoured or refused (DECISIONS 6).
// The extension has two names; where its first one alone is used, *outside is
// set.
func sessionCreateIn(c *sessions.Create, outside *bool) strictjson.Value {
	var outer, inner string
	var timeout int
	return checked(strictjson.Open(strictjson.Fields{
		"projectId":       strictjson.Text(&c.ProjectID),
		"extensionId":     idIn(&outer),
		"browserSettings": sessionSettingsIn(&c.Settings, &inner),
		"timeout":         strictjson.Then(strictjson.Int(&timeout, 0, 1<<31-1), func() { c.Timeout = orNegative(timeout) }),
		"keepAlive":       strictjson.Bool(&c.KeepAlive),
		"proxies":         strictjson.Either(strictjson.Bool(&c.Settings.Proxies.Managed), proxyRulesIn(&c.Settings.Proxies.Rules)),
		"proxySettings":   certificatesIn(&c.Settings),
		"region":          strictjson.OneOf(&c.Region, sessions.Regions()...),
		"userMetadata":    strictjson.RawObject(&c.UserMetadata),
	}), func() error {
		if outer != "" && inner != "" && outer != inner {
			return errtypes.Field("extensionId", "differs from browserSettings.extensionId")
		}
		*outside = inner == ""
		c.Settings.ExtensionID = outer + inner
		if outer == inner {
			c.Settings.ExtensionID = outer
		}
		return nil
	})
}

// asNamed makes an error about the extension one of the field by which the
// caller named it.
func asNamed(err error, outside bool) error {
	const inner, outer = "browserSettings.extensionId", "extensionId"
	e, ok := errors.AsType[*errtypes.Error](err)
	if !ok || !outside || e.Field != inner {
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

func sessionSettingsIn(s *sessions.Settings, extension *string) strictjson.Value {
	return strictjson.Open(strictjson.Fields{
		"context":                    contextIn(&s.Context),
		"extensionId":                idIn(extension),
		"viewport":                   viewportIn(&s.Viewport),
		"blockAds":                   strictjson.Bool(&s.BlockAds),
		"solveCaptchas":              strictjson.Bool(&s.SolveCaptchas),
		"recordSession":              not(&s.NoRecording),
		"logSession":                 not(&s.NoLog),
		"advancedStealth":            either(&s.Verified),
		"verified":                   either(&s.Verified),
		"ownProcess":                 strictjson.Bool(&s.OwnProcess),
		"allowedDomains":             textsIn(&s.AllowedDomains),
		"ignoreCertificateErrors":    strictjson.Bool(&s.IgnoreCertificates),
		"os":                         only(sessions.HostOS()),
		"size":                       only("small"),
		"captchaImageSelector":       refused("has no use: there is no solver of captchas"),
		"captchaInputSelector":       refused("has no use: there is no solver of captchas"),
		"enableNativeSelectPolyfill": falseOnly(),
		"enablePdfViewer":            falseOnly(),
		"extensions":                 emptyOnly(),
	})
}

// viewportIn wants either side or both, and lets none of them be 0, which
// stands for the default inside.
func viewportIn(v *sessions.Viewport) strictjson.Value {
	const most = 10_000
	return strictjson.Open(strictjson.Fields{
		"width":  strictjson.Int(&v.Width, 1, most),
		"height": strictjson.Int(&v.Height, 1, most),
	})
}

// checked runs a check over a whole value that has been read.
func checked(v strictjson.Value, check func() error) strictjson.Value {
	return strictjson.Checked(v, func(string) error { return check() })
}

// not notes that a setting whose default is true was switched off.
func not(dst *bool) strictjson.Value {
	var asked bool
	return strictjson.Then(strictjson.Bool(&asked), func() { *dst = !asked })
}

// either notes that one of two names of a setting was switched on.
func either(dst *bool) strictjson.Value {
	var asked bool
	return strictjson.Then(strictjson.Bool(&asked), func() { *dst = *dst || asked })
}

// only wants the one value that there is here.
func only(value string) strictjson.Value {
	var s string
	return strictjson.Checked(strictjson.String(&s), func(at string) error {
		if s != value {
			return errtypes.Field(at, "must be %s, which is all there is here", value)
		}
		return nil
	})
}

// refused wants a string and refuses it.
func refused(reason string) strictjson.Value {
	var s string
	return strictjson.Checked(strictjson.String(&s), func(at string) error { return errtypes.Field(at, "%s", reason) })
}

func falseOnly() strictjson.Value {
	var b bool
	return strictjson.Checked(strictjson.Bool(&b), func(at string) error {
		if b {
			return errtypes.Field(at, "is not supported")
		}
		return nil
	})
}

func emptyOnly() strictjson.Value {
	var all []string
	return strictjson.Checked(textsIn(&all), func(at string) error {
		if len(all) > 0 {
			return errtypes.Field(at, "is not supported")
		}
		return nil
	})
}

func textsIn(dst *[]string) strictjson.Value {
	return strictjson.Array(func(_ int, read func(strictjson.Value) error) error {
		var s string
		err := read(strictjson.Text(&s))
		*dst = append(*dst, s)
		return err
	})
}

func sessionUpdateIn(status, projectID *string) strictjson.Value {
	return strictjson.Open(strictjson.Fields{
		"status":    strictjson.OneOf(status, "REQUEST_RELEASE"),
		"projectId": strictjson.Text(projectID),
	}, "status")
}

// checkProject refuses a project that is not the caller's.
func (x *exchange) checkProject(ref string) error {
	if p, _ := projects.From(x.r.Context()); ref != "" && !p.Is(ref) {
		return errtypes.New(errtypes.NotFound, "there is no project %q", ref)
	}
	return nil
}

func sessionFilterIn(x *exchange) (f sessions.Filter, err error) {
	q := x.query()
	f.Status = sessions.Status(q.OneOf("status", each(sessions.Statuses(), func(s sessions.Status) string { return string(s) })...))
	text := q.String("q")
	if err := q.Err(); err != nil || text == "" {
		return f, err
	}
	f.Metadata, err = sessions.ParseQuery(text)
	return f, err
}
