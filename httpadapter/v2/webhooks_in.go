package v2

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
)

// webhook is one that a run is started with (wire-v2, 5).
type webhook struct {
	Events     []string
	RequestURL string
}

// maxWebhooks is how many a run may be started with, maxWebhookURL how many bytes
// the URL of one may have.
const (
	maxWebhooks   = 100
	maxWebhookURL = 500
)

// webhookEvents are those that webhooks may be for.
var webhookEvents = []string{
	"ACTOR.RUN.CREATED", "ACTOR.RUN.SUCCEEDED", "ACTOR.RUN.FAILED", "ACTOR.RUN.TIMED_OUT", "ACTOR.RUN.ABORTED", "ACTOR.RUN.RESURRECTED",
	"ACTOR.BUILD.CREATED", "ACTOR.BUILD.SUCCEEDED", "ACTOR.BUILD.FAILED", "ACTOR.BUILD.TIMED_OUT", "ACTOR.BUILD.ABORTED", "TEST",
}

// webhooksIn reads the parameter webhooks: an array in JSON, in base64. Clients send
// an empty one for none.
func (x *exchange) webhooksIn(text string) (all []webhook, err error) {
	if text == "" {
		return nil, nil
	}
	// A plus that was not escaped has become a space.
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.ReplaceAll(text, " ", "+"), "="))
	if err != nil {
		return nil, errtypes.Field("webhooks", "must be base64 of an array in JSON")
	}
	err = strictjson.Decode(raw, strictjson.Options{MaxDepth: x.opts.MaxDepth, NullIsAbsent: true, At: "webhooks"}, arrayIn(&all, webhookIn))
	if err == nil && len(all) > maxWebhooks {
		err = errtypes.Field("webhooks", "must have at most %d elements", maxWebhooks)
	}
	return all, err
}

func webhookIn(w *webhook) strictjson.Value {
	var text string
	var yes bool
	return strictjson.Open(strictjson.Fields{
		"eventTypes": strictjson.Checked(strictjson.Array(func(_ int, read func(strictjson.Value) error) error {
			var event string
			err := read(strictjson.OneOf(&event, webhookEvents...))
			w.Events = append(w.Events, event)
			return err
		}), func(at string) error {
			if len(w.Events) == 0 {
				return errtypes.Field(at, "must not be empty")
			}
			return nil
		}),
		"requestUrl":      strictjson.Checked(strictjson.Text(&w.RequestURL), func(at string) error { return checkWebhookURL(at, w.RequestURL) }),
		"payloadTemplate": strictjson.String(&text), "headersTemplate": strictjson.String(&text), "idempotencyKey": strictjson.String(&text),
		"shouldInterpolateStrings": strictjson.Bool(&yes), "ignoreSslErrors": strictjson.Bool(&yes), "doNotRetry": strictjson.Bool(&yes),
	}, "eventTypes", "requestUrl")
}

func checkWebhookURL(at, text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || len(text) > maxWebhookURL {
		return errtypes.Field(at, "must be a URL of http or https with at most %d bytes", maxWebhookURL)
	}
	return nil
}
