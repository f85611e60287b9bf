package platform

import (
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/webhooks"
)

const (
	oneWebhook  = "/v2/webhooks/{webhookId}"
	oneDispatch = "/v2/webhook-dispatches/{dispatchId}"
)

// webhookRoutes are webhooks and what was sent of them (wire-v2-stores, 10), and as an
// addition the way to send it once more. A run with limited permissions may have
// webhooks of its own.
var webhookRoutes = append(open(anybody, Route{Method: "POST", Pattern: "/v2/webhooks", call: createWebhook}), []Route{
	{Method: "GET", Pattern: "/v2/webhooks", call: listWebhooks(func(*exchange, *webhooks.Filter) error { return nil })},
	{Method: "GET", Pattern: oneWebhook, call: getWebhook},
	{Method: "PUT", Pattern: oneWebhook, call: updateWebhook},
	{Method: "DELETE", Pattern: oneWebhook, call: deleteWebhook},
	{Method: "POST", Pattern: oneWebhook + "/test", call: testWebhook},
	{Method: "GET", Pattern: oneWebhook + "/dispatches", call: listDispatchesOf},

	{Method: "GET", Pattern: "/v2/webhook-dispatches", call: listDispatches},
	{Method: "GET", Pattern: oneDispatch, call: getDispatch},
	{Method: "POST", Pattern: oneDispatch + "/redeliver", call: redeliver},

	{Method: "GET", Pattern: oneActor + "/webhooks", call: listWebhooks(ofActorAlone)},
	{Method: "GET", Pattern: oneTask + "/webhooks", call: listWebhooks(ofTaskAlone)},
}...)

// webhookPage is a page of a list that webhooks have.
func webhookPage[A, B any](x *exchange, f webhooks.Filter, list func(webhooks.Filter) (webhooks.List[A], error), out func(A) B) (answer, error) {
	q := x.Query()
	page := filterIn(q)
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	f.Protocol, f.Offset, f.Limit, f.Desc = webhooks.Platform, page.Offset, page.Limit, page.Desc
	l, err := list(f)
	return data(pageOf(actors.List[A]{Items: l.Items, Total: l.Total}, page, out)), err
}

// listWebhooks lists the webhooks of which a list is.
func listWebhooks(of func(x *exchange, f *webhooks.Filter) error) call {
	return func(x *exchange) (answer, error) {
		var f webhooks.Filter
		if err := of(x, &f); err != nil {
			return answer{}, err
		}
		return webhookPage(x, f, func(f webhooks.Filter) (webhooks.List[webhooks.Webhook], error) {
			return x.Webhooks.List(x.R.Context(), f)
		}, x.hookItem)
	}
}

func ofActorAlone(x *exchange, f *webhooks.Filter) error {
	a, err := x.Actors.Actor(x.R.Context(), x.Path("actorId"))
	f.Actor = a.ID
	return err
}

func ofTaskAlone(x *exchange, f *webhooks.Filter) error {
	t, err := x.Actors.Task(x.R.Context(), x.Path("taskId"))
	f.Task = t.ID
	return err
}

func createWebhook(x *exchange) (answer, error) {
	var c webhooks.Create
	if err := x.Body(newHookIn(&c)); err != nil {
		return answer{}, err
	}
	if err := x.mayHook(c); err != nil {
		return answer{}, err
	}
	w, _, err := x.Webhooks.Create(x.R.Context(), c)
	if err == nil { // by its key it may be another one that there was
		err = x.mayHook(webhooks.Create{AdHoc: w.AdHoc, Settings: w.Settings})
	}
	if err != nil {
		return answer{}, hookError(err)
	}
	x.W.Header().Set("Location", x.Base()+"/v2/webhooks/"+w.ID)
	return api.Created(dataOf(x.hookOut(w))), nil
}

// webhook is the one in the path. Those of the first interface are not there for this one.
func (x *exchange) webhook() (webhooks.Webhook, error) {
	id := x.Path("webhookId")
	w, err := x.Webhooks.Get(x.R.Context(), id)
	if err == nil && w.Protocol != webhooks.Platform {
		err = errtypes.OfType(errtypes.TypeRecordNotFound, "there is no webhook %q", id)
	}
	return w, err
}

func getWebhook(x *exchange) (answer, error) {
	w, err := x.webhook()
	return data(x.hookOut(w)), err
}

func updateWebhook(x *exchange) (answer, error) {
	was, err := x.webhook()
	if err != nil {
		return answer{}, err
	}
	var u webhooks.Update
	if _, err := x.OptionalBody(hookUpdateIn(&u, was)); err != nil {
		return answer{}, err
	}
	w, err := x.Webhooks.Update(x.R.Context(), was.ID, u)
	return data(x.hookOut(w)), hookError(err)
}

func deleteWebhook(x *exchange) (answer, error) {
	w, err := x.webhook()
	if err != nil {
		return answer{}, err
	}
	return api.NoContent(), x.Webhooks.Delete(x.R.Context(), w.ID)
}

// testWebhook sends an event of the type TEST.
func testWebhook(x *exchange) (answer, error) {
	w, err := x.webhook()
	if err != nil {
		return answer{}, err
	}
	d, err := x.Webhooks.Test(x.R.Context(), w.ID)
	return api.Created(dataOf(x.dispatchOut(d))), err
}

func (x *exchange) dispatches(f webhooks.Filter) (answer, error) {
	return webhookPage(x, f, func(f webhooks.Filter) (webhooks.List[webhooks.Dispatch], error) {
		return x.Webhooks.Dispatches(x.R.Context(), f)
	}, x.dispatchOut)
}

func listDispatches(x *exchange) (answer, error) { return x.dispatches(webhooks.Filter{}) }

func listDispatchesOf(x *exchange) (answer, error) {
	w, err := x.webhook()
	if err != nil {
		return answer{}, err
	}
	return x.dispatches(webhooks.Filter{Webhook: w.ID})
}

func (x *exchange) dispatch() (webhooks.Dispatch, error) {
	id := x.Path("dispatchId")
	d, err := x.Webhooks.Dispatch(x.R.Context(), id)
	if err == nil && d.Webhook.Protocol != webhooks.Platform {
		err = errtypes.OfType(errtypes.TypeRecordNotFound, "there is no dispatch %q", id)
	}
	return d, err
}

func getDispatch(x *exchange) (answer, error) {
	d, err := x.dispatch()
	return data(x.dispatchOut(d)), err
}

// redeliver sends what was sent before, or failed, once more.
func redeliver(x *exchange) (answer, error) {
	d, err := x.dispatch()
	if err != nil {
		return answer{}, err
	}
	d, err = x.Webhooks.Redeliver(x.R.Context(), d.ID)
	if errtypes.Is(err, errtypes.Conflict) {
		err = errtypes.OfType(errtypes.TypeOperationNotAllowed, "%s", errtypes.Public(err).Message).WithCause(err)
	}
	return data(x.dispatchOut(d)), err
}
