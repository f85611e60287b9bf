package platform

import (
	"encoding/base64"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs/actors"
)

// webhooksIn reads the parameter webhooks: an array in JSON, in base64. Clients send
// an empty one for none.
func (x *exchange) webhooksIn(text string) (all []actors.Webhook, err error) {
	if text == "" {
		return nil, nil
	}
	// A plus that was not escaped has become a space.
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.ReplaceAll(text, " ", "+"), "="))
	if err != nil {
		return nil, errtypes.Field("webhooks", "must be base64 of an array in JSON")
	}
	err = strictjson.Decode(raw, strictjson.Options{MaxDepth: x.opts.MaxDepth, NullIsAbsent: true, At: "webhooks"}, arrayIn(&all, webhookIn))
	return all, err
}

func webhookIn(w *actors.Webhook) strictjson.Value {
	return strictjson.Open(strictjson.Fields{
		"eventTypes": strictjson.Array(func(_ int, read func(strictjson.Value) error) error {
			var event string
			err := read(strictjson.OneOf(&event, actors.WebhookEvents...))
			w.Events = append(w.Events, event)
			return err
		}),
		"requestUrl":      strictjson.Text(&w.RequestURL),
		"payloadTemplate": strictjson.String(&w.PayloadTemplate), "headersTemplate": strictjson.String(&w.HeadersTemplate),
		"shouldInterpolateStrings": strictjson.Bool(&w.Interpolate), "idempotencyKey": strictjson.String(&w.IdempotencyKey),
		"ignoreSslErrors": strictjson.Bool(&w.IgnoreTLSErrors), "doNotRetry": strictjson.Bool(&w.DoNotRetry),
	}, "eventTypes", "requestUrl")
}
