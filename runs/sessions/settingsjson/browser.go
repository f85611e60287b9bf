package settingsjson

import (
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs/sessions"
)

func browserSettings(s *sessions.Settings, extension *string) strictjson.Value {
	return strictjson.Open(strictjson.Fields{
		"context":                    Context(&s.Context),
		"extensionId":                id(extension),
		"viewport":                   viewport(&s.Viewport),
		"blockAds":                   strictjson.Bool(&s.BlockAds),
		"solveCaptchas":              strictjson.Bool(&s.SolveCaptchas),
		"recordSession":              not(&s.NoRecording),
		"logSession":                 not(&s.NoLog),
		"advancedStealth":            either(&s.Verified),
		"verified":                   either(&s.Verified),
		"ownProcess":                 strictjson.Bool(&s.OwnProcess),
		"allowedDomains":             strictjson.Texts(&s.AllowedDomains),
		"ignoreCertificateErrors":    strictjson.Bool(&s.IgnoreCertificates),
		"os":                         only(sessions.HostOS()),
		"size":                       only("small"),
		"captchaImageSelector":       useless("has no use: there is no solver of captchas"),
		"captchaInputSelector":       useless("has no use: there is no solver of captchas"),
		"enableNativeSelectPolyfill": falseOnly(),
		"enablePdfViewer":            falseOnly(),
		"extensions":                 emptyOnly(),
	})
}

// Context wants a reference to a stored context. The object is closed.
func Context(dst **sessions.ContextRef) strictjson.Value {
	var c sessions.ContextRef
	return strictjson.Then(strictjson.Closed(strictjson.Fields{
		"id":      id(&c.ID),
		"persist": strictjson.Bool(&c.Persist),
	}, "id"), func() { *dst = &c })
}

// certificates are those that a session names.
func certificates(s *sessions.Settings) strictjson.Value {
	return strictjson.Open(strictjson.Fields{
		"caCertificates":     strictjson.Texts(&s.CACertificates),
		"clientCertificates": strictjson.Texts(&s.ClientCertificates),
	})
}

// viewport wants either side or both, and lets none of them be 0, which
// stands for the default inside.
func viewport(v *sessions.Viewport) strictjson.Value {
	const most = 10_000
	return strictjson.Open(strictjson.Fields{
		"width":  strictjson.Int(&v.Width, 1, most),
		"height": strictjson.Int(&v.Height, 1, most),
	})
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

// useless wants a string and refuses it.
func useless(reason string) strictjson.Value {
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
	return strictjson.Checked(strictjson.Texts(&all), func(at string) error {
		if len(all) > 0 {
			return errtypes.Field(at, "is not supported")
		}
		return nil
	})
}
