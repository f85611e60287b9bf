package platform

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/schedules"
)

// The actions stand in two lists: clients that know those of the platform alone refuse
// others among them.
var (
	platformActions = []schedules.ActionType{schedules.RunActor, schedules.RunActorTask}
	otherActions    = []schedules.ActionType{schedules.RunAgent, schedules.InvokeFunction}
)

func ofTypes(all []schedules.Action, types []schedules.ActionType) []schedules.Action {
	return slices.DeleteFunc(slices.Clone(all), func(a schedules.Action) bool { return !slices.Contains(types, a.Type) })
}

// decodeSchedule decodes a body. What is wrong with a field has the type of the schema
// (wire-v2, 1).
func (x *exchange) decodeSchedule(body []byte, v strictjson.Value) error {
	if text := bytes.TrimSpace(body); json.Valid(text) && text[0] != '{' {
		return errtypes.New(errtypes.Invalid, "%s data must be a JSON object", x.R.Method)
	}
	err := x.Decode(body, v)
	var of *errtypes.Error
	if errors.As(err, &of) && of.Field != "" && of.Type == "" {
		return of.WithType(errtypes.TypeSchemaValidation)
	}
	return err
}

// settingsIn changes those of the settings that are given, and reads more.
func settingsIn(s *schedules.Settings, more strictjson.Fields) strictjson.Value {
	var exclusive, email bool
	for name, v := range map[string]strictjson.Value{
		"title": strictjson.String(&s.Title), "description": textIn(&s.Description),
		"cronExpression": cronIn(&s.Cron), "timezone": strictjson.Text(&s.Timezone),
		"isEnabled":   strictjson.Bool(&s.Enabled),
		"isExclusive": strictjson.Then(strictjson.Bool(&exclusive), func() { s.Parallel = !exclusive }),
		"catchUp":     strictjson.OneOf(&s.CatchUp, schedules.CatchUpLast, schedules.CatchUpAll, schedules.CatchUpNone),
		"notifications": strictjson.Open(strictjson.Fields{
			"email": strictjson.Then(strictjson.Bool(&email), func() { s.Silent = !email }),
		}),
	} {
		more[name] = v
	}
	return strictjson.Open(more)
}

// cronIn refuses an empty expression, which is none: the default is for one that is not
// given.
func cronIn(to *string) strictjson.Value {
	return strictjson.Checked(strictjson.String(to), func(string) error {
		if *to == "" {
			return errtypes.OfType(errtypes.TypeCronExpressionInvalid, "Cron expression is not valid: it is empty")
		}
		return nil
	})
}

// actionsIn are actions of these types; the list is not nil where it was given.
func (x *exchange) actionsIn(all *[]schedules.Action, types []schedules.ActionType) strictjson.Value {
	return strictjson.Then(arrayIn(all, func(a *schedules.Action) strictjson.Value { return x.actionIn(a, types) }), func() {
		if *all == nil {
			*all = []schedules.Action{}
		}
	})
}

// actionIn reads an action twice: its type says what the rest is.
func (x *exchange) actionIn(a *schedules.Action, types []schedules.ActionType) strictjson.Value {
	var raw json.RawMessage
	return strictjson.Checked(strictjson.RawObject(&raw), func(at string) error {
		o := strictjson.Options{MaxDepth: x.opts.MaxDepth, NullIsAbsent: true, At: at}
		err := strictjson.Decode(raw, o, strictjson.Open(strictjson.Fields{"type": strictjson.OneOf(&a.Type, types...), "id": strictjson.String(&a.ID)}, "type"))
		if err != nil {
			return err
		}
		return strictjson.Decode(raw, o, formOf(a))
	})
}

// scheduledOptionsIn are the options of runs that schedules start. They have the permissions
// of their Actors.
func scheduledOptionsIn(to *schedules.RunOptions) strictjson.Value {
	o := scheduledOptions(*to)
	return strictjson.Then(strictjson.Checked(runOptionsIn(&o), func(at string) error {
		if o.Permissions != "" {
			return errtypes.Field(at+".forcePermissionLevel", "is not for schedules: set it in the defaultRunOptions of the Actor")
		}
		return nil
	}), func() {
		*to = schedules.RunOptions{
			Build: o.Build, Timeout: o.Timeout, Memory: o.Memory, MaxItems: o.MaxItems, MaxTotalCharge: o.MaxTotalCharge, RestartOnError: o.RestartOnError,
		}
	})
}

func scheduledOptions(o schedules.RunOptions) actors.RunOptions {
	return actors.RunOptions{
		Build: o.Build, Timeout: o.Timeout, Memory: o.Memory, MaxItems: o.MaxItems, MaxTotalCharge: o.MaxTotalCharge, RestartOnError: o.RestartOnError,
	}
}

// formOf is what an action of its type has beside.
func formOf(a *schedules.Action) strictjson.Value {
	options := scheduledOptionsIn(&a.Options)
	switch a.Type {
	case schedules.RunActor:
		return strictjson.Open(strictjson.Fields{"actorId": strictjson.Text(&a.Target), "runInput": runInputIn(a), "runOptions": options}, "actorId")
	case schedules.RunActorTask:
		return strictjson.Open(strictjson.Fields{"actorTaskId": strictjson.Text(&a.Target), "input": objectIn(a), "runOptions": options}, "actorTaskId")
	case schedules.RunAgent:
		var task string
		words := strictjson.Then(strictjson.Text(&task), func() { a.Input = &schedules.Input{Body: []byte(task), ContentType: plainType} })
		return strictjson.Open(strictjson.Fields{"agentId": strictjson.Text(&a.Target), "task": words}, "task")
	default:
		return strictjson.Open(strictjson.Fields{"function": strictjson.Text(&a.Target), "params": objectIn(a), "runOptions": options}, "function")
	}
}

// The media types of inputs that bring none.
const (
	jsonType  = "application/json; charset=utf-8"
	plainType = "text/plain; charset=utf-8"
)

// runInputIn is the input of an Actor. An empty body is none (DECISIONS 2); what is no
// text comes as base64.
func runInputIn(a *schedules.Action) strictjson.Value {
	var text string
	var binary []byte
	contentType := jsonType
	return strictjson.Then(strictjson.Open(strictjson.Fields{
		"body": strictjson.String(&text), "bodyBase64": strictjson.Base64(&binary), "contentType": strictjson.String(&contentType),
	}), func() {
		if body := slices.Concat(binary, []byte(text)); len(body) > 0 {
			a.Input = &schedules.Input{Body: body, ContentType: contentType}
		}
	})
}

// objectIn is an input that is an object in JSON.
func objectIn(a *schedules.Action) strictjson.Value {
	var raw json.RawMessage
	return strictjson.Then(strictjson.RawObject(&raw), func() { a.Input = &schedules.Input{Body: raw, ContentType: jsonType} })
}
