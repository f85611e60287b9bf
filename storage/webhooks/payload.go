package webhooks

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/drover-go/drover/errtypes"
	hooks "github.com/drover-go/drover/internal/webhooks"
)

// variables are what templates may begin a variable with (wire-v2, 5).
var variables = []string{"userId", "createdAt", "eventType", "eventData", "resource", "globals"}

// DefaultPayload is the template of webhooks of the job platform that have none.
const DefaultPayload = `{
    "userId": {{userId}},
    "createdAt": {{createdAt}},
    "eventType": {{eventType}},
    "eventData": {{eventData}},
    "resource": {{resource}}
}`

// isoTime is the form of times on the wire.
const isoTime = "2006-01-02T15:04:05.000Z"

func (in Settings) payload() (hooks.Template, error) {
	text := in.PayloadTemplate
	if text == "" {
		text = DefaultPayload
	}
	return hooks.ParseTemplate(text, in.Interpolate, variables...)
}

// headers is the template of headers; ok is false where there is none.
func (in Settings) headers() (t hooks.Template, ok bool, err error) {
	if in.HeadersTemplate == "" {
		return t, false, nil
	}
	t, err = hooks.ParseTemplate(in.HeadersTemplate, in.Interpolate, variables...)
	return t, true, err
}

func (s *service) checkTemplates(in Settings) error {
	if _, err := in.payload(); err != nil {
		return errtypes.Field("payloadTemplate", "%v", err)
	}
	t, ok, err := in.headers()
	if ok && err == nil {
		err = hooks.CheckHeaders(t)
	}
	if err != nil {
		return errtypes.Field("headersTemplate", "%v", err)
	}
	return nil
}

// fillPlatform makes body and headers by the templates.
func (s *service) fillPlatform(r *dispatchRow, m match, resource Resource) (problem string) {
	payload, err := m.payload()
	if err != nil {
		return "the payload template " + err.Error()
	}
	values, most := valuesOf(r, m, resource), s.conf.Limits.MaxPayload
	var fits bool
	if r.body, fits = payload.RenderWithin(values, most); !fits {
		return fmt.Sprintf("the payload template makes more than %d bytes", most)
	}
	if !json.Valid(r.body) {
		return "the payload template makes no JSON"
	}
	t, ok, err := m.headers()
	if err != nil {
		return "the headers template " + err.Error()
	}
	if ok {
		made, fits := hooks.RenderHeaders(t, values, most)
		if !fits {
			return fmt.Sprintf("the headers template makes more than %d bytes", most)
		}
		text, err := json.Marshal(made)
		if err != nil {
			return "the headers template makes no JSON"
		}
		r.headers = string(text)
	}
	return ""
}

func valuesOf(r *dispatchRow, m match, resource Resource) map[string]json.RawMessage {
	at := r.CreatedAt.UTC().Format(isoTime)
	data, _ := json.Marshal(r.EventData) // texts have no error
	return map[string]json.RawMessage{
		"userId": quoted(m.userID), "createdAt": quoted(at), "eventType": quoted(r.Event), "eventData": data, "resource": resource,
		"globals": json.RawMessage(`{"dateISO":` + string(quoted(at)) + `,"dateUnix":` + strconv.FormatInt(r.CreatedAt.Unix(), 10) + `}`),
	}
}

func quoted(text string) json.RawMessage {
	b, _ := json.Marshal(text) // texts have no error
	return b
}

// headerOf are the headers of a request, but for those that are made at each attempt.
func headerOf(r dispatchRow, p Protocol) http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"Drover-Webhooks"}}
	var templated []hooks.Header
	if r.headers != "" {
		json.Unmarshal([]byte(r.headers), &templated) // it was written here
	}
	for _, t := range templated {
		h.Set(t.Name, t.Value)
	}
	if p == Platform {
		h.Set("Content-Type", "application/json")
		h.Set("X-Apify-Webhook", "drover")
		h.Set("X-Apify-Webhook-Dispatch-Id", r.ID)
		h.Set("X-Apify-Request-Origin", "WEBHOOK")
	}
	return h
}
