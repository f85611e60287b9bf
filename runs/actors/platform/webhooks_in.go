package platform

import (
	"encoding/base64"
	"errors"
	"regexp"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/storage/webhooks"
)

// alphabet has the digits of base64 for those of base64url, and for the space that a plus
// becomes that was not escaped.
var alphabet = strings.NewReplacer(" ", "+", "-", "+", "_", "/")

// webhooksIn reads the parameter webhooks: an array in JSON, in base64. Clients send
// an empty one for none.
func (x *exchange) webhooksIn(text string) (all []webhooks.Create, err error) {
	if text == "" {
		return nil, nil
	}
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(alphabet.Replace(text), "="))
	if err != nil {
		return nil, errtypes.Field("webhooks", "must be base64 of an array in JSON")
	}
	err = strictjson.Decode(raw, strictjson.Options{MaxDepth: x.opts.MaxDepth, NullIsAbsent: true, At: "webhooks"}, arrayIn(&all, func(c *webhooks.Create) strictjson.Value {
		return strictjson.Open(hookFields(c), "eventTypes", "requestUrl")
	}))
	return all, err
}

// hookFields are those that webhooks of runs and others have (wire-v2, 5).
func hookFields(c *webhooks.Create) strictjson.Fields {
	return strictjson.Fields{
		"eventTypes": eventsIn(&c.Events), "requestUrl": strictjson.Text(&c.URL),
		"payloadTemplate": strictjson.String(&c.PayloadTemplate), "headersTemplate": strictjson.String(&c.HeadersTemplate),
		"shouldInterpolateStrings": strictjson.Bool(&c.Interpolate), "ignoreSslErrors": strictjson.Bool(&c.IgnoreTLSErrors), "doNotRetry": strictjson.Bool(&c.DoNotRetry),
		"title": strictjson.String(&c.Title), "description": strictjson.String(&c.Description), "idempotencyKey": strictjson.String(&c.IdempotencyKey),
	}
}

// eventsIn are types of events; the list is not nil where it was given.
func eventsIn(events *[]string) strictjson.Value {
	all := []string{}
	return strictjson.Then(strictjson.Array(func(_ int, read func(strictjson.Value) error) error {
		var event string
		err := read(strictjson.OneOf(&event, webhooks.PlatformEvents...))
		all = append(all, event)
		return err
	}), func() { *events = all })
}

// conditionIn says whose events a webhook is for: at most one of the three. An empty one
// is an addition: all events of the project.
func conditionIn(c *webhooks.Condition) strictjson.Value {
	return strictjson.Checked(strictjson.Open(strictjson.Fields{
		"actorId": strictjson.Text(&c.Actor), "actorTaskId": strictjson.Text(&c.Task), "actorRunId": strictjson.Text(&c.Run),
	}), func(at string) error {
		given := 0
		for _, id := range []string{c.Actor, c.Task, c.Run} {
			if id != "" {
				given++
			}
		}
		if given > 1 {
			return errtypes.Field(at, "must name one of actorId, actorTaskId and actorRunId, and no more")
		}
		return nil
	})
}

// newHookIn is the body of a webhook that is made.
func newHookIn(c *webhooks.Create) strictjson.Value {
	c.Protocol = webhooks.Platform
	fields := hookFields(c)
	fields["condition"], fields["isAdHoc"] = conditionIn(&c.Condition), strictjson.Bool(&c.AdHoc)
	return strictjson.Open(fields, "eventTypes", "requestUrl", "condition")
}

// hookUpdateIn is the body of a change. What stays with a webhook may be said again:
// clients send back what they have got.
func hookUpdateIn(u *webhooks.Update, was webhooks.Webhook) strictjson.Value {
	var condition webhooks.Condition
	var adHoc bool
	return strictjson.Open(strictjson.Fields{
		"eventTypes": eventsIn(&u.Events), "requestUrl": pointerIn(strictjson.Text, &u.URL),
		"condition":       strictjson.Then(conditionIn(&condition), func() { u.Condition = &condition }),
		"payloadTemplate": pointerIn(textIn, &u.PayloadTemplate), "headersTemplate": pointerIn(textIn, &u.HeadersTemplate),
		"shouldInterpolateStrings": pointerIn(strictjson.Bool, &u.Interpolate), "ignoreSslErrors": pointerIn(strictjson.Bool, &u.IgnoreTLSErrors), "doNotRetry": pointerIn(strictjson.Bool, &u.DoNotRetry),
		"title": pointerIn(textIn, &u.Title), "description": pointerIn(textIn, &u.Description),
		"isAdHoc": strictjson.Checked(strictjson.Bool(&adHoc), func(at string) error {
			if adHoc != was.AdHoc {
				return errtypes.Field(at, "cannot be changed")
			}
			return nil
		}),
	})
}

// pointerIn sets a pointer where a value is given.
func pointerIn[T any](value func(*T) strictjson.Value, to **T) strictjson.Value {
	v := new(T)
	set := func() { *to = v }
	return strictjson.Then(value(v), set)
}

// hookURL is the URL of a webhook, by itself or in a start, as the domains name it.
var hookURL = regexp.MustCompile(`^(webhooks\[\d+\]\.)?url$`)

// hookError gives the URL the name that it has on the wire.
func hookError(err error) error {
	var of *errtypes.Error
	if !errors.As(err, &of) || !hookURL.MatchString(of.Field) {
		return err
	}
	return errtypes.Field(strings.TrimSuffix(of.Field, "url")+"requestUrl", "%s", strings.TrimPrefix(of.Message, of.Field+" ")).WithCause(err)
}
