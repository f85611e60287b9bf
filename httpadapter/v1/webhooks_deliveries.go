package v1

import (
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/storage/webhooks"
)

type deliveryJSON struct {
	// ID is the webhook-id that the receiver gets.
	ID         string          `json:"id"`
	WebhookID  string          `json:"webhookId"`
	Type       string          `json:"type"`
	ResourceID string          `json:"resourceId"`
	Status     webhooks.Status `json:"status"`
	CreatedAt  wireTime        `json:"createdAt"`
	// NextAttemptAt is absent once it has ended.
	NextAttemptAt *wireTime     `json:"nextAttemptAt,omitempty"`
	FinishedAt    *wireTime     `json:"finishedAt,omitempty"`
	Attempts      []attemptJSON `json:"attempts"`
}

type attemptJSON struct {
	StartedAt  wireTime  `json:"startedAt"`
	FinishedAt *wireTime `json:"finishedAt,omitempty"`
	// ResponseStatus is absent where there was no answer.
	ResponseStatus int `json:"responseStatus,omitempty"`
	// ResponseBody is the beginning of the answer.
	ResponseBody string `json:"responseBody,omitempty"`
	Error        string `json:"error,omitempty"`
}

func deliveryOut(d webhooks.Dispatch) deliveryJSON {
	out := deliveryJSON{
		ID: d.ID, WebhookID: d.WebhookID, Type: d.Event, ResourceID: d.Object, Status: d.Status,
		CreatedAt: wireTime(d.CreatedAt), FinishedAt: optionalTime(d.FinishedAt), Attempts: each(d.Attempts, attemptOut),
	}
	if d.Status == webhooks.Active {
		out.NextAttemptAt = optionalTime(d.NextAt)
	}
	return out
}

func attemptOut(a webhooks.Attempt) attemptJSON {
	return attemptJSON{wireTime(a.StartedAt), optionalTime(a.FinishedAt), a.ResponseStatus, a.ResponseBody, a.Error}
}

func listDeliveries(x *exchange) (answer, error) {
	q := x.Query()
	f := webhooks.Filter{
		Offset: q.Int("offset", 0, maxOffset), Limit: q.Int("limit", 1, maxFunctionPage), Desc: true,
		Status: webhooks.Status(q.OneOf("status", string(webhooks.Active), string(webhooks.Succeeded), string(webhooks.Failed))),
	}
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	if f.Limit == 0 {
		f.Limit = defaultDeliveries
	}
	w, err := x.webhook()
	if err != nil {
		return answer{}, err
	}
	f.Webhook = w.ID
	l, err := x.Webhooks.Dispatches(x.R.Context(), f)
	return api.OK(dataJSON[deliveryJSON]{each(l.Items, deliveryOut), l.Total}), err
}

// defaultDeliveries is a page of deliveries where none is asked for.
const defaultDeliveries = 20

// delivery finds the delivery of the path, which is one of the webhook of the path.
func (x *exchange) delivery() (webhooks.Dispatch, error) {
	w, err := x.webhook()
	if err != nil {
		return webhooks.Dispatch{}, err
	}
	id := x.id("deliveryId")
	d, err := x.Webhooks.Dispatch(x.R.Context(), id)
	if errtypes.Is(err, errtypes.NotFound) || err == nil && d.WebhookID != w.ID {
		err = errtypes.New(errtypes.NotFound, "the webhook has no delivery %q", id)
	}
	return d, err
}

// redeliver reads no body.
func redeliver(x *exchange) (answer, error) {
	d, err := x.delivery()
	if err != nil {
		return answer{}, err
	}
	d, err = x.Webhooks.Redeliver(x.R.Context(), d.ID)
	return api.Accepted(deliveryOut(d)), err
}

// testWebhook reads no body.
func testWebhook(x *exchange) (answer, error) {
	w, err := x.webhook()
	if err != nil {
		return answer{}, err
	}
	d, err := x.Webhooks.Test(x.R.Context(), w.ID)
	return api.Accepted(deliveryOut(d)), err
}
