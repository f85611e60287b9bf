package platform

import (
	"slices"

	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/schedules"
)

const oneSchedule = "/v2/schedules/{scheduleId}"

// scheduleRoutes are schedules (wire-v2, 1), and as additions what has become of their
// slots, and when they are due next.
var scheduleRoutes = []Route{
	{Method: "GET", Pattern: "/v2/schedules", call: listSchedules},
	{Method: "POST", Pattern: "/v2/schedules", call: createSchedule},
	{Method: "GET", Pattern: oneSchedule, call: getSchedule},
	{Method: "PUT", Pattern: oneSchedule, call: updateSchedule},
	{Method: "DELETE", Pattern: oneSchedule, call: deleteSchedule},
	{Method: "GET", Pattern: oneSchedule + "/log", call: scheduleLog},
	{Method: "POST", Pattern: oneSchedule + "/invoke", call: invokeSchedule},
	{Method: "GET", Pattern: oneSchedule + "/slots", call: listSlots},
	{Method: "GET", Pattern: oneSchedule + "/next", call: nextTimes},
}

// schedulePage is a page of a list that schedules have.
func schedulePage[A, B any](x *exchange, list func(schedules.Filter) (schedules.List[A], error), out func(A) B) (answer, error) {
	q := x.Query()
	f := filterIn(q)
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	l, err := list(schedules.Filter{Offset: f.Offset, Limit: f.Limit, Desc: f.Desc})
	return data(pageOf(actors.List[A]{Items: l.Items, Total: l.Total}, f, out)), err
}

func listSchedules(x *exchange) (answer, error) {
	return schedulePage(x, func(f schedules.Filter) (schedules.List[schedules.Schedule], error) {
		return x.Schedules.List(x.R.Context(), f)
	}, x.scheduleItem)
}

func createSchedule(x *exchange) (answer, error) {
	var c schedules.Create
	var own, other []schedules.Action
	body, err := x.JSON()
	if err == nil && body != nil {
		err = x.decodeSchedule(body, settingsIn(&c.Settings, strictjson.Fields{
			"name": strictjson.Text(&c.Name), "actions": x.actionsIn(&own, platformActions), "otherActions": x.actionsIn(&other, otherActions),
		}))
	}
	if err != nil {
		return answer{}, err
	}
	c.Actions = slices.Concat(own, other)
	s, err := x.Schedules.Create(x.R.Context(), c)
	if err != nil {
		return answer{}, err
	}
	x.W.Header().Set("Location", x.Base()+"/v2/schedules/"+s.ID)
	return api.Created(dataOf(x.scheduleOut(s))), nil
}

func getSchedule(x *exchange) (answer, error) {
	s, err := x.Schedules.Get(x.R.Context(), x.Path("scheduleId"))
	return data(x.scheduleOut(s)), err
}

// updateSchedule decodes the settings again where they lie, so that what is not given
// stays.
func updateSchedule(x *exchange) (answer, error) {
	var u schedules.Update
	var own, other []schedules.Action
	var name string
	body, err := x.JSON()
	if err == nil && body != nil {
		err = x.decodeSchedule(body, settingsIn(new(schedules.Settings), strictjson.Fields{
			"name":    strictjson.Then(strictjson.Text(&name), func() { u.Name = &name }),
			"actions": x.actionsIn(&own, platformActions), "otherActions": x.actionsIn(&other, otherActions),
		}))
		u.Change = func(s *schedules.Settings) { _ = x.Decode(body, settingsIn(s, strictjson.Fields{})) } // has been decoded before
	}
	if err != nil {
		return answer{}, err
	}
	if own != nil || other != nil {
		u.ChangeActions = func(was []schedules.Action) []schedules.Action { return replaced(was, own, other) }
	}
	s, err := x.Schedules.Update(x.R.Context(), x.Path("scheduleId"), u)
	return data(x.scheduleOut(s)), err
}

// replaced are the actions after those of the platform, or the others, or both, have been
// replaced; nil is a list that is not.
func replaced(was, own, other []schedules.Action) []schedules.Action {
	if own == nil {
		own = ofTypes(was, platformActions)
	}
	if other == nil {
		other = ofTypes(was, otherActions)
	}
	return slices.Concat(own, other)
}

func deleteSchedule(x *exchange) (answer, error) {
	return api.NoContent(), x.Schedules.Delete(x.R.Context(), x.Path("scheduleId"))
}

// invokeSchedule answers as little as the hosted service does: the ledger says the rest.
func invokeSchedule(x *exchange) (answer, error) {
	_, err := x.Schedules.Invoke(x.R.Context(), x.Path("scheduleId"))
	return api.Created(struct{}{}), err
}
