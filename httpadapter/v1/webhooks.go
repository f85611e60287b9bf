package v1

import (
	"errors"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/storage/webhooks"
)

type webhookJSON struct {
	ID         string   `json:"id"`
	ProjectID  string   `json:"projectId"`
	Endpoint   string   `json:"endpoint"`
	EventTypes []string `json:"eventTypes"`
	CreatedAt  wireTime `json:"createdAt"`
	UpdatedAt  wireTime `json:"updatedAt"`
}

func webhookOut(w webhooks.Webhook) webhookJSON {
	return webhookJSON{w.ID, w.ProjectID, w.URL, w.Events, wireTime(w.CreatedAt), wireTime(w.ModifiedAt)}
}

// newWebhookJSON is a webhook with its secret, which is shown this once.
type newWebhookJSON struct {
	webhookJSON
	Secret string `json:"secret"`
}

type webhookSecretJSON struct {
	Secret string `json:"secret"`
}

// webhook finds the webhook of the path. Those of the job platform are not here.
func (x *exchange) webhook() (webhooks.Webhook, error) {
	id := x.id("webhookId")
	w, err := x.Webhooks.Get(x.R.Context(), id)
	if err == nil && w.Protocol != webhooks.Standard {
		err = errtypes.New(errtypes.NotFound, "there is no webhook %q", id)
	}
	return w, err
}

func createWebhook(x *exchange) (answer, error) {
	c := webhooks.Create{Settings: webhooks.Settings{Protocol: webhooks.Standard}}
	err := x.Body(strictjson.Open(strictjson.Fields{
		"endpoint": strictjson.Text(&c.URL), "eventTypes": strictjson.Texts(&c.Events),
	}, "endpoint", "eventTypes"))
	if err != nil {
		return answer{}, err
	}
	w, secret, err := x.Webhooks.Create(x.R.Context(), c)
	return api.Created(newWebhookJSON{webhookOut(w), secret}), asEndpoint(err)
}

func updateWebhook(x *exchange) (answer, error) {
	var u webhooks.Update
	err := x.Body(strictjson.Open(strictjson.Fields{
		"endpoint": strictjson.StringPtr(&u.URL),
		"eventTypes": strictjson.Then(strictjson.Texts(&u.Events), func() {
			if u.Events == nil { // no events are not the events there were
				u.Events = []string{}
			}
		}),
	}))
	if err != nil {
		return answer{}, err
	}
	w, err := x.webhook()
	if err != nil {
		return answer{}, err
	}
	w, err = x.Webhooks.Update(x.R.Context(), w.ID, u)
	return api.OK(webhookOut(w)), asEndpoint(err)
}

// asEndpoint gives what the service says of a URL the name that it has on the wire.
func asEndpoint(err error) error {
	const inner, outer = "url", "endpoint"
	e, ok := errors.AsType[*errtypes.Error](err)
	if !ok || e.Field != inner {
		return err
	}
	return errtypes.Field(outer, "%s", strings.TrimPrefix(e.Message, inner+" ")).WithCause(err)
}

func listWebhooks(x *exchange) (answer, error) {
	q := x.Query()
	f := webhooks.PageFilter{Limit: q.Int("limit", 1, maxPage), Cursor: q.String("cursor")}
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	page, err := x.Webhooks.Page(x.R.Context(), f)
	return api.OK(pageOut(page.Webhooks, webhookOut, page.Limit, page.NextCursor)), err
}

func getWebhook(x *exchange) (answer, error) {
	w, err := x.webhook()
	return api.OK(webhookOut(w)), err
}

func deleteWebhook(x *exchange) (answer, error) {
	w, err := x.webhook()
	if err != nil {
		return answer{}, err
	}
	return api.NoContent(), x.Webhooks.Delete(x.R.Context(), w.ID)
}

func rotateWebhookSecret(x *exchange) (answer, error) {
	var revoke bool
	if _, err := x.OptionalBody(strictjson.Open(strictjson.Fields{"revokeImmediately": strictjson.Bool(&revoke)})); err != nil {
		return answer{}, err
	}
	w, err := x.webhook()
	if err != nil {
		return answer{}, err
	}
	secret, err := x.Webhooks.RotateSecret(x.R.Context(), w.ID, revoke)
	return api.OK(webhookSecretJSON{secret}), err
}
