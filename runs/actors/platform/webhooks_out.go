package platform

import (
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/storage/webhooks"
)

// hookItemJSON is a webhook in a list (wire-v2-stores, 5).
type hookItemJSON struct {
	ID           string           `json:"id"`
	UserID       string           `json:"userId"`
	CreatedAt    api.Time         `json:"createdAt"`
	ModifiedAt   api.Time         `json:"modifiedAt"`
	IsAdHoc      bool             `json:"isAdHoc"`
	EventTypes   []string         `json:"eventTypes"`
	Condition    conditionJSON    `json:"condition"`
	IgnoreTLS    bool             `json:"ignoreSslErrors"`
	DoNotRetry   bool             `json:"doNotRetry"`
	RequestURL   string           `json:"requestUrl"`
	Interpolate  bool             `json:"shouldInterpolateStrings"`
	Title        string           `json:"title,omitempty"`
	Description  string           `json:"description,omitempty"`
	LastDispatch *lastSentJSON    `json:"lastDispatch"`
	Stats        webhookStatsJSON `json:"stats"`
}

// hookJSON is a webhook by itself.
type hookJSON struct {
	hookItemJSON
	PayloadTemplate string `json:"payloadTemplate,omitempty"`
	HeadersTemplate string `json:"headersTemplate,omitempty"`
}

type conditionJSON struct {
	ActorID     string `json:"actorId,omitempty"`
	ActorTaskID string `json:"actorTaskId,omitempty"`
	ActorRunID  string `json:"actorRunId,omitempty"`
}

type lastSentJSON struct {
	Status     webhooks.Status `json:"status"`
	FinishedAt *api.Time       `json:"finishedAt"`
}

type webhookStatsJSON struct {
	TotalDispatches int `json:"totalDispatches"`
}

func (x *exchange) hookItem(w webhooks.Webhook) hookItemJSON {
	out := hookItemJSON{
		ID: w.ID, UserID: x.user().UserID, CreatedAt: api.Time(w.CreatedAt), ModifiedAt: api.Time(w.ModifiedAt), IsAdHoc: w.AdHoc, EventTypes: w.Events,
		Condition: conditionOut(w.Condition), IgnoreTLS: w.IgnoreTLSErrors, DoNotRetry: w.DoNotRetry, RequestURL: w.URL, Interpolate: w.Interpolate,
		Title: w.Title, Description: w.Description, Stats: webhookStatsJSON{w.Dispatches},
	}
	if w.Last != nil {
		out.LastDispatch = &lastSentJSON{w.Last.Status, api.OptionalTime(w.Last.FinishedAt)}
	}
	return out
}

func (x *exchange) hookOut(w webhooks.Webhook) hookJSON {
	return hookJSON{x.hookItem(w), w.PayloadTemplate, w.HeadersTemplate}
}

func conditionOut(c webhooks.Condition) conditionJSON { return conditionJSON{c.Actor, c.Task, c.Run} }

// dispatchJSON is an event on its way to a receiver.
type dispatchJSON struct {
	ID        string            `json:"id"`
	UserID    string            `json:"userId"`
	WebhookID string            `json:"webhookId"`
	CreatedAt api.Time          `json:"createdAt"`
	Status    webhooks.Status   `json:"status"`
	EventType string            `json:"eventType"`
	EventData map[string]string `json:"eventData"` // null for none
	Webhook   receiverJSON      `json:"webhook"`
	Calls     []attemptJSON     `json:"calls"`
}

type receiverJSON struct {
	RequestURL string        `json:"requestUrl"`
	IsAdHoc    bool          `json:"isAdHoc"`
	Condition  conditionJSON `json:"condition"`
	ActionType string        `json:"actionType"`
}

// attemptJSON is a request, and what came of it.
type attemptJSON struct {
	StartedAt      api.Time  `json:"startedAt"`
	FinishedAt     *api.Time `json:"finishedAt"`
	ErrorMessage   *string   `json:"errorMessage"`
	ResponseStatus *int      `json:"responseStatus"`
	ResponseBody   *string   `json:"responseBody"`
}

func (x *exchange) dispatchOut(d webhooks.Dispatch) dispatchJSON {
	return dispatchJSON{
		ID: d.ID, UserID: x.user().UserID, WebhookID: d.WebhookID, CreatedAt: api.Time(d.CreatedAt), Status: d.Status, EventType: d.Event, EventData: d.EventData,
		Webhook: receiverJSON{d.Webhook.URL, d.Webhook.AdHoc, conditionOut(d.Webhook.Condition), "HTTP_REQUEST"},
		Calls:   api.Each(d.Attempts, attemptOut),
	}
}

func attemptOut(a webhooks.Attempt) attemptJSON {
	out := attemptJSON{StartedAt: api.Time(a.StartedAt), FinishedAt: api.OptionalTime(a.FinishedAt)}
	if a.Error != "" {
		out.ErrorMessage = &a.Error
	}
	if a.ResponseStatus != 0 {
		out.ResponseStatus, out.ResponseBody = &a.ResponseStatus, &a.ResponseBody
	}
	return out
}
