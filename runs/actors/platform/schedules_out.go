package platform

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/schedules"
)

// scheduleBaseJSON is what a schedule says of itself everywhere.
type scheduleBaseJSON struct {
	ID             string    `json:"id"`
	UserID         string    `json:"userId"`
	Name           string    `json:"name"`
	Title          string    `json:"title,omitempty"`
	CronExpression string    `json:"cronExpression"`
	Timezone       string    `json:"timezone"`
	IsEnabled      bool      `json:"isEnabled"`
	IsExclusive    bool      `json:"isExclusive"`
	CreatedAt      api.Time  `json:"createdAt"`
	ModifiedAt     api.Time  `json:"modifiedAt"`
	NextRunAt      *api.Time `json:"nextRunAt"`
	LastRunAt      *api.Time `json:"lastRunAt"`
}

// scheduleItemJSON is a schedule in a list.
type scheduleItemJSON struct {
	scheduleBaseJSON
	Actions      []targetJSON `json:"actions"`
	OtherActions []targetJSON `json:"otherActions,omitempty"`
}

type scheduleJSON struct {
	scheduleBaseJSON
	Description   string            `json:"description,omitempty"`
	Notifications notificationsJSON `json:"notifications"`
	CatchUp       schedules.CatchUp `json:"catchUp"`
	Actions       []actionJSON      `json:"actions"`
	OtherActions  []actionJSON      `json:"otherActions,omitempty"`
}

type notificationsJSON struct {
	Email bool `json:"email"`
}

// targetJSON is what an action starts: one of the names is there, or none for a run
// without an agent.
type targetJSON struct {
	ID          string               `json:"id"`
	Type        schedules.ActionType `json:"type"`
	ActorID     string               `json:"actorId,omitempty"`
	ActorTaskID string               `json:"actorTaskId,omitempty"`
	AgentID     string               `json:"agentId,omitempty"`
	Function    string               `json:"function,omitempty"`
}

// actionJSON is an action with what it gives to what it starts.
type actionJSON struct {
	targetJSON
	RunInput   *runInputJSON   `json:"runInput,omitempty"`
	RunOptions *runOptionsJSON `json:"runOptions,omitempty"`
	Input      json.RawMessage `json:"input,omitempty"`
	Task       string          `json:"task,omitempty"`
	Params     json.RawMessage `json:"params,omitempty"`
}

// runInputJSON is an input of an Actor: the body as a text, or in base64 where it is none.
type runInputJSON struct {
	Body        *string `json:"body"`
	BodyBase64  []byte  `json:"bodyBase64,omitempty"`
	ContentType string  `json:"contentType"`
}

func (x *exchange) scheduleBase(s schedules.Schedule) scheduleBaseJSON {
	return scheduleBaseJSON{
		ID: s.ID, UserID: x.user().UserID, Name: s.Name, Title: s.Title, CronExpression: s.Cron, Timezone: s.Timezone,
		IsEnabled: s.Enabled, IsExclusive: !s.Parallel, CreatedAt: api.Time(s.CreatedAt), ModifiedAt: api.Time(s.ModifiedAt),
		NextRunAt: api.OptionalTime(s.NextRunAt), LastRunAt: api.OptionalTime(s.LastRunAt),
	}
}

func (x *exchange) scheduleItem(s schedules.Schedule) scheduleItemJSON {
	return scheduleItemJSON{x.scheduleBase(s), api.Each(ofTypes(s.Actions, platformActions), targetOut), api.Each(ofTypes(s.Actions, otherActions), targetOut)}
}

func (x *exchange) scheduleOut(s schedules.Schedule) scheduleJSON {
	return scheduleJSON{
		scheduleBaseJSON: x.scheduleBase(s), Description: s.Description, Notifications: notificationsJSON{!s.Silent}, CatchUp: s.CatchUp,
		Actions: api.Each(ofTypes(s.Actions, platformActions), actionOut), OtherActions: api.Each(ofTypes(s.Actions, otherActions), actionOut),
	}
}

func targetOut(a schedules.Action) targetJSON {
	out := targetJSON{ID: a.ID, Type: a.Type}
	switch a.Type {
	case schedules.RunActor:
		out.ActorID = a.Target
	case schedules.RunActorTask:
		out.ActorTaskID = a.Target
	case schedules.RunAgent:
		out.AgentID = a.Target
	default:
		out.Function = a.Target
	}
	return out
}

func actionOut(a schedules.Action) actionJSON {
	out := actionJSON{targetJSON: targetOut(a)}
	if a.Options != (schedules.RunOptions{}) {
		out.RunOptions = new(runOptionsOut(scheduledOptions(a.Options)))
	}
	if a.Input == nil {
		return out
	}
	switch a.Type {
	case schedules.RunActor:
		out.RunInput = runInputOut(*a.Input)
	case schedules.RunActorTask:
		out.Input = a.Input.Body
	case schedules.RunAgent:
		out.Task = string(a.Input.Body)
	default:
		out.Params = a.Input.Body
	}
	return out
}

func runInputOut(in schedules.Input) *runInputJSON {
	out := &runInputJSON{ContentType: in.ContentType}
	if utf8.Valid(in.Body) {
		out.Body = new(string(in.Body))
	} else {
		out.BodyBase64 = in.Body
	}
	return out
}
