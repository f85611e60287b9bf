package platform

import (
	"bytes"
	"encoding/json"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
)

const oneTask = "/v2/actor-tasks/{taskId}"

// taskRoutes are saved tasks and their inputs (wire-v2-stores, 10).
var taskRoutes = []Route{
	{Method: "GET", Pattern: "/v2/actor-tasks", call: listTasks},
	{Method: "POST", Pattern: "/v2/actor-tasks", call: createTask},
	{Method: "GET", Pattern: oneTask, call: getTask},
	{Method: "PUT", Pattern: oneTask, call: updateTask},
	{Method: "DELETE", Pattern: oneTask, call: deleteTask},
	{Method: "GET", Pattern: oneTask + "/input", call: getInput},
	{Method: "PUT", Pattern: oneTask + "/input", call: updateInput},
}

// taskBaseJSON is what a task says of itself everywhere.
type taskBaseJSON struct {
	ID          string        `json:"id"`
	UserID      string        `json:"userId"`
	ActID       string        `json:"actId"`
	Name        string        `json:"name"`
	Username    string        `json:"username"`
	Title       string        `json:"title,omitempty"`
	Description string        `json:"description,omitempty"`
	CreatedAt   api.Time      `json:"createdAt"`
	ModifiedAt  api.Time      `json:"modifiedAt"`
	IsPublic    bool          `json:"isPublic"`
	Stats       taskStatsJSON `json:"stats"`
}

type taskStatsJSON struct {
	TotalRuns int64 `json:"totalRuns"`
}

// taskItemJSON is a task in a list.
type taskItemJSON struct {
	taskBaseJSON
	ActName     string `json:"actName"`
	ActUsername string `json:"actUsername"`
}

type taskJSON struct {
	taskBaseJSON
	Options runOptionsJSON  `json:"options"`
	Standby *standbyJSON    `json:"actorStandby,omitempty"`
	Display *displayJSON    `json:"publicConfig,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
}

func (x *exchange) taskBase(t actors.Task) taskBaseJSON {
	return taskBaseJSON{
		ID: t.ID, UserID: x.user().UserID, ActID: t.ActorID, Name: t.Name, Username: x.user().Username, Title: t.Title, Description: t.Description,
		CreatedAt: api.Time(t.CreatedAt), ModifiedAt: api.Time(t.ModifiedAt), IsPublic: t.Public, Stats: taskStatsJSON{t.TotalRuns},
	}
}

func (x *exchange) taskItem(t actors.Task) taskItemJSON {
	return taskItemJSON{x.taskBase(t), t.ActorName, x.user().Username}
}

func (x *exchange) taskOut(t actors.Task) taskJSON {
	return taskJSON{x.taskBase(t), runOptionsOut(t.Runs), standbyOut(t.Standby), displayOut(t.Display), t.Input}
}

func listTasks(x *exchange) (answer, error) {
	q := x.Query()
	f := filterIn(q)
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	l, err := x.Actors.Tasks(x.R.Context(), f)
	return data(pageOf(l, f, x.taskItem)), err
}

func createTask(x *exchange) (answer, error) {
	var c actors.CreateTask
	if err := x.Body(taskIn(&c.TaskDetails, strictjson.Fields{
		"actId": strictjson.Text(&c.Actor), "name": strictjson.String(&c.Name), "input": strictjson.RawObject(&c.Input),
	}, "actId")); err != nil {
		return answer{}, err
	}
	t, err := x.Actors.CreateTask(x.R.Context(), c)
	if err != nil {
		return answer{}, err
	}
	x.W.Header().Set("Location", x.Base()+"/v2/actor-tasks/"+t.ID)
	return api.Created(dataOf(x.taskOut(t))), nil
}

// taskIn changes those of the details that are given, and reads more.
func taskIn(d *actors.TaskDetails, more strictjson.Fields, required ...string) strictjson.Value {
	more["title"], more["description"] = textIn(&d.Title), textIn(&d.Description)
	more["isPublic"], more["options"] = strictjson.Bool(&d.Public), runOptionsIn(&d.Runs)
	more["actorStandby"], more["publicConfig"] = standbyIn(&d.Standby), displayIn(&d.Display)
	return strictjson.Open(more, required...)
}

func getTask(x *exchange) (answer, error) {
	t, err := x.Actors.Task(x.R.Context(), x.Path("taskId"))
	return data(x.taskOut(t)), err
}

func updateTask(x *exchange) (answer, error) {
	var u actors.UpdateTask
	body, err := x.JSON()
	if err == nil && body != nil {
		err = x.Decode(body, taskIn(new(actors.TaskDetails), strictjson.Fields{"name": strictjson.StringPtr(&u.Name), "input": inputIn(&u)}))
		u.Change = func(d *actors.TaskDetails) { _ = x.Decode(body, taskIn(d, strictjson.Fields{})) } // has been decoded before
	}
	if err != nil {
		return answer{}, err
	}
	t, err := x.Actors.UpdateTask(x.R.Context(), x.Path("taskId"), u)
	return data(x.taskOut(t)), err
}

// inputIn is an input that takes the place of another; null takes it away.
func inputIn(u *actors.UpdateTask) strictjson.Value {
	var input json.RawMessage
	replace := func() { u.Input = func(json.RawMessage) (json.RawMessage, error) { return input, nil } }
	return strictjson.OrNull(strictjson.Then(strictjson.RawObject(&input), replace), replace)
}

func deleteTask(x *exchange) (answer, error) {
	return api.NoContent(), x.Actors.DeleteTask(x.R.Context(), x.Path("taskId"))
}

// inputOf is the input of a task, which has no data around it.
func inputOf(t actors.Task) answer {
	if t.Input == nil {
		return api.OK(struct{}{})
	}
	return api.OK(t.Input)
}

func getInput(x *exchange) (answer, error) {
	t, err := x.Actors.Task(x.R.Context(), x.Path("taskId"))
	return inputOf(t), err
}

// updateInput puts the members of an object over those of the input.
func updateInput(x *exchange) (answer, error) {
	body, err := x.JSON()
	if err == nil && (body == nil || !json.Valid(body) || bytes.TrimSpace(body)[0] != '{') {
		err = errtypes.OfType(errtypes.TypeInvalidInput, "the input must be an object in JSON")
	}
	if err != nil {
		return answer{}, err
	}
	t, err := x.Actors.UpdateTask(x.R.Context(), x.Path("taskId"), actors.UpdateTask{Input: func(was json.RawMessage) (json.RawMessage, error) {
		return merged(was, body)
	}})
	return inputOf(t), err
}

// merged is an object with the members of another over its own.
func merged(object, over json.RawMessage) (json.RawMessage, error) {
	if object == nil {
		return over, nil
	}
	all := map[string]json.RawMessage{}
	for _, from := range []json.RawMessage{object, over} {
		if err := json.Unmarshal(from, &all); err != nil {
			return nil, err
		}
	}
	return json.Marshal(all)
}
