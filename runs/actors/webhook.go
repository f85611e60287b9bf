package actors

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// Webhook is a request that a run asks for. It is kept with the run; nothing is sent
// yet.
type Webhook struct {
	// Events are those that it is sent for, at least one of [WebhookEvents].
	Events []string
	// RequestURL is where it is sent: http or https, at most 500 bytes.
	RequestURL string
	// PayloadTemplate and HeadersTemplate make its body and headers. Default those of
	// the sender.
	PayloadTemplate, HeadersTemplate string
	// Interpolate says that variables inside texts of the template count, too.
	Interpolate bool
	// IdempotencyKey tells one webhook from another, in at most 255 bytes. Default none.
	IdempotencyKey string
	// IgnoreTLSErrors sends it whatever the certificate, DoNotRetry once.
	IgnoreTLSErrors, DoNotRetry bool
}

// WebhookEvents are what webhooks may be for (wire-v2, 5).
var WebhookEvents = []string{
	"ACTOR.RUN.CREATED", "ACTOR.RUN.SUCCEEDED", "ACTOR.RUN.FAILED", "ACTOR.RUN.TIMED_OUT", "ACTOR.RUN.ABORTED", "ACTOR.RUN.RESURRECTED",
	"ACTOR.BUILD.CREATED", "ACTOR.BUILD.SUCCEEDED", "ACTOR.BUILD.FAILED", "ACTOR.BUILD.TIMED_OUT", "ACTOR.BUILD.ABORTED", "TEST",
}

// maxWebhooks is how many a run may have; the others are bytes of their parts, and of
// all as they are kept.
const (
	maxWebhooks   = 100
	maxWebhookURL = 500
	maxWebhookKey = 255
	maxKept       = 64 << 10
)

// validateWebhooks refuses too many, and those that could not be sent. Error kind
// Invalid, which names the field.
func validateWebhooks(all []Webhook) error {
	if len(all) > maxWebhooks {
		return errtypes.Field("webhooks", "must have at most %d elements", maxWebhooks)
	}
	for i, w := range all {
		if field, problem := w.problem(); field != "" {
			return errtypes.Field(fmt.Sprintf("webhooks[%d].%s", i, field), "%s", problem)
		}
	}
	if text, err := webhooksText(all); err != nil || len(text) > maxKept {
		return errtypes.Field("webhooks", "must be at most %d bytes together", maxKept)
	}
	return nil
}

// problem returns the first field that is not in order, and what it must be.
func (w Webhook) problem() (field, problem string) {
	u, err := url.Parse(w.RequestURL)
	unknown := slices.ContainsFunc(w.Events, func(e string) bool { return !slices.Contains(WebhookEvents, e) })
	switch {
	case len(w.Events) == 0:
		return "eventTypes", "must not be empty"
	case unknown:
		return "eventTypes", "must be of " + strings.Join(WebhookEvents, ", ")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || len(w.RequestURL) > maxWebhookURL:
		return "requestUrl", fmt.Sprintf("must be a URL of http or https with at most %d bytes", maxWebhookURL)
	case len(w.IdempotencyKey) > maxWebhookKey:
		return "idempotencyKey", fmt.Sprintf("must be at most %d bytes", maxWebhookKey)
	}
	return "", ""
}

// webhooksText is how webhooks are stored; empty for none.
func webhooksText(all []Webhook) (string, error) {
	if len(all) == 0 {
		return "", nil
	}
	text, err := json.Marshal(all)
	return string(text), err
}

func webhooksOf(text string) (all []Webhook, err error) {
	if text == "" {
		return nil, nil
	}
	err = json.Unmarshal([]byte(text), &all)
	return all, err
}
