package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/schedules"
)

// TestPublicClientSchedules has the public client of the job platform, unmodified, go
// through every operation of its clients for schedules, one of which has an action that it
// does not know.
func TestPublicClientSchedules(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "npm")
	w := actorsWorld(t, config{realTime: true})
	s := must(w.Schedules.Create(w.asDefault(t), schedules.Create{Name: "with-an-agent", Actions: []schedules.Action{
		{Type: schedules.RunAgent, Input: &schedules.Input{Body: []byte("Read the news.")}},
	}}))(t)
	out := node(t, dir, "schedules.mjs", "BASE_URL=http://"+serve(t, w.handler), "API_KEY="+w.words["<key>"], "OTHER_KEY="+w.words["<other-key>"], "AGENT_SCHEDULE="+s.ID)
	if !strings.HasPrefix(out, "all 9 steps passed") {
		t.Error(out)
	}
}

// Who changes one list of actions takes nothing from the other, even where both are changed
// at once.
func TestListsOfActionsThatAreChangedAtOnce(t *testing.T) {
	t.Parallel()
	w := actorsWorld(t, config{realTime: true, adapter: httpadapter.Options{Rates: httpadapter.Rates{PerSecond: -1}}})
	p := &platform{w, serve(t, w.handler)}
	s := must(w.Schedules.Create(w.asDefault(t), schedules.Create{Name: "shared"}))(t)
	const changes = 10
	var both sync.WaitGroup
	for _, body := range []string{
		`{"actions":[{"type":"RUN_ACTOR","actorId":"~echo","runInput":{"body":"%d"}}]}`, `{"otherActions":[{"type":"RUN_AGENT","task":"%d"}]}`,
	} {
		both.Go(func() {
			for n := range changes {
				res, answer := p.send(t.Context(), t, "PUT", "schedules/"+s.ID, fmt.Sprintf(body, n), nil)
				if res.StatusCode != http.StatusOK {
					t.Errorf("%d %s", res.StatusCode, answer)
				}
			}
		})
	}
	both.Wait()
	s = must(w.Schedules.Get(w.asDefault(t), s.ID))(t)
	if len(s.Actions) != 2 || string(s.Actions[0].Input.Body) != "9" || string(s.Actions[1].Input.Body) != "9" {
		t.Errorf("%+v", s.Actions)
	}
}

// fault is what a request is refused with: its status, its type, and words of its
// message.
type fault struct {
	request  string // method and path
	body     string
	status   int
	is, says string
}

// Every error that the interface has for schedules.
func TestFaultsOfSchedules(t *testing.T) {
	t.Parallel()
	w := actorsWorld(t, config{realTime: true, adapter: httpadapter.Options{Rates: httpadapter.Rates{PerSecond: -1}}, more: func(o *drover.Options) {
		o.Schedules = schedules.Limits{PerProject: 2, PerType: 2, MaxInput: 50}
	}})
	p := &platform{w, serve(t, w.handler)}
	task := must(w.Actors.CreateTask(w.asDefault(t), actors.CreateTask{Actor: "~echo", Name: "echoes"}))(t).ID
	must(w.Schedules.Create(w.asDefault(t), schedules.Create{Name: "first"}))(t)
	must(w.Schedules.Create(w.asDefault(t), schedules.Create{Name: "second"}))(t)
	for name, c := range scheduleFaults(task) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			method, path, _ := strings.Cut(c.request, " ")
			res, body := p.send(t.Context(), t, method, path, c.body, nil)
			c.check(t, res, body)
		})
	}
}

func (c fault) check(t *testing.T, res *http.Response, body string) {
	t.Helper()
	var got struct {
		Error struct{ Type, Message string }
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatalf("%d %s", res.StatusCode, body)
	}
	if res.StatusCode != c.status || got.Error.Type != c.is || !strings.Contains(got.Error.Message, c.says) {
		t.Errorf("%d %+v, want %d %s %q", res.StatusCode, got.Error, c.status, c.is, c.says)
	}
}

func scheduleFaults(task string) map[string]fault {
	const create, first = "POST schedules", "PUT schedules/~first"
	schema := func(field, body, says string) fault {
		return fault{first, body, 400, "schema-validation", field + " " + says}
	}
	actor := func(more string) string { return `{"actions":[{"type":"RUN_ACTOR","actorId":"~echo",` + more + `}]}` }
	ofTask := func(more string) string {
		return fmt.Sprintf(`{"actions":[{"type":"RUN_ACTOR_TASK","actorTaskId":%q,%s}]}`, task, more)
	}
	return map[string]fault{
		"a name that is taken":            {create, `{"name":"FIRST"}`, 409, "schedule-name-not-unique", `Some other schedule already has this name ("FIRST").`},
		"a name taken by another":         {first, `{"name":"Second"}`, 409, "schedule-name-not-unique", `("Second")`},
		"one schedule too many":           {create, `{}`, 403, "too-many-schedules", "2 schedules"},
		"too many Actors":                 {first, `{"actions":[` + strings.Repeat(`{"type":"RUN_ACTOR","actorId":"~echo"},`, 2) + `{"type":"RUN_ACTOR","actorId":"~echo"}]}`, 403, "too-many-values", "Schedule can have at most 2 Actors."},
		"too many tasks":                  {first, `{"actions":[` + strings.Repeat(`{"type":"RUN_ACTOR_TASK","actorTaskId":"~echoes"},`, 2) + `{"type":"RUN_ACTOR_TASK","actorTaskId":"~echoes"}]}`, 403, "too-many-values", "Schedule can have at most 2 Actor tasks."},
		"too many runs of agents":         {first, `{"otherActions":[` + strings.Repeat(`{"type":"RUN_AGENT","task":"x"},`, 2) + `{"type":"RUN_AGENT","task":"x"}]}`, 403, "too-many-values", "at most 2 agents."},
		"no such Actor":                   {first, `{"actions":[{"type":"RUN_ACTOR","actorId":"x"}]}`, 404, "schedule-actor-not-found", `Actor with ID "x" not found`},
		"no such task":                    {first, `{"actions":[{"type":"RUN_ACTOR_TASK","actorTaskId":"x"}]}`, 404, "schedule-actor-task-not-found", `Actor task with ID "x" not found`},
		"no such function":                {first, `{"otherActions":[{"type":"INVOKE_FUNCTION","function":"x"}]}`, 404, "record-not-found", `no function "x"`},
		"no such agent":                   {first, `{"otherActions":[{"type":"RUN_AGENT","agentId":"x","task":"y"}]}`, 400, "invalid-request", "agentId"},
		"an expression of words":          {first, `{"cronExpression":"every day"}`, 400, "cron-expression-invalid", "Cron expression is not valid: "},
		"an expression of four fields":    {first, `{"cronExpression":"* * * *"}`, 400, "cron-expression-invalid", "five fields"},
		"a minute that there is not":      {first, `{"cronExpression":"60 * * * *"}`, 400, "cron-expression-invalid", "60"},
		"a day that there is not":         {first, `{"cronExpression":"0 0 31 2 *"}`, 400, "cron-expression-invalid", "day"},
		"a shortcut that there is not":    {first, `{"cronExpression":"@reboot"}`, 400, "cron-expression-invalid", "@reboot"},
		"an empty expression":             {first, `{"cronExpression":""}`, 400, "cron-expression-invalid", "it is empty"},
		"a long expression":               {first, `{"cronExpression":"` + strings.Repeat("1,", 60) + `1 * * * *"}`, 400, "cron-expression-invalid", "100 characters"},
		"an expression of another type":   schema("cronExpression", `{"cronExpression":5}`, "must be a string"),
		"a zone that there is not":        schema("timezone", `{"timezone":"Europe/Nowhere"}`, "is not an allowed value"),
		"the zone of the machine":         schema("timezone", `{"timezone":"Local"}`, "is not an allowed value"),
		"an empty zone":                   schema("timezone", `{"timezone":""}`, "must not be empty"),
		"a short name":                    schema("name", `{"name":"ab"}`, "failed regular expression validation"),
		"a long name":                     schema("name", `{"name":"`+strings.Repeat("a", 64)+`"}`, "failed regular expression validation"),
		"a name with a dash in front":     schema("name", `{"name":"-ab"}`, "failed regular expression validation"),
		"an empty name":                   schema("name", `{"name":""}`, "must not be empty"),
		"an empty name for a new one":     {create, `{"name":""}`, 400, "schema-validation", "name must not be empty"},
		"a long title":                    schema("title", `{"title":"`+strings.Repeat("ü", 41)+`"}`, "cannot exceed 40 characters"),
		"a long description":              schema("description", `{"description":"`+strings.Repeat("a", 5001)+`"}`, "cannot exceed 5000 characters"),
		"enabled by a word":               schema("isEnabled", `{"isEnabled":"yes"}`, "must be true or false"),
		"exclusive by a number":           schema("isExclusive", `{"isExclusive":1}`, "must be true or false"),
		"notifications by a word":         schema("notifications", `{"notifications":"email"}`, "must be an object"),
		"an email that is no flag":        schema("notifications.email", `{"notifications":{"email":"a@example.com"}}`, "must be true or false"),
		"a rule that there is not":        schema("catchUp", `{"catchUp":"some"}`, "must be one of last, all, none"),
		"actions that are no list":        schema("actions", `{"actions":{}}`, "must be an array"),
		"an action that is no object":     schema("actions[0]", `{"actions":["RUN_ACTOR"]}`, "must be an object"),
		"an action without a type":        schema("actions[0].type", `{"actions":[{"actorId":"~echo"}]}`, "is required"),
		"an action of another type":       schema("actions[0].type", `{"actions":[{"type":"RUN"}]}`, "must be one of RUN_ACTOR, RUN_ACTOR_TASK"),
		"an agent among the Actors":       schema("actions[0].type", `{"actions":[{"type":"RUN_AGENT","task":"x"}]}`, "must be one of RUN_ACTOR, RUN_ACTOR_TASK"),
		"an Actor among the others":       schema("otherActions[0].type", `{"otherActions":[{"type":"RUN_ACTOR","actorId":"~echo"}]}`, "must be one of RUN_AGENT, INVOKE_FUNCTION"),
		"an action without an Actor":      schema("actions[0].actorId", `{"actions":[{"type":"RUN_ACTOR"}]}`, "is required"),
		"an action without a task":        schema("actions[0].actorTaskId", `{"actions":[{"type":"RUN_ACTOR_TASK"}]}`, "is required"),
		"an agent without a task":         schema("otherActions[0].task", `{"otherActions":[{"type":"RUN_AGENT"}]}`, "is required"),
		"an invocation of no function":    schema("otherActions[0].function", `{"otherActions":[{"type":"INVOKE_FUNCTION"}]}`, "is required"),
		"an input of a task in words":     schema("actions[0].input", ofTask(`"input":"{}"`), "must be an object"),
		"an input of a task in a list":    schema("actions[0].input", ofTask(`"input":[]`), "must be an object"),
		"options that are none":           schema("actions[0].runOptions.timeoutSecs", actor(`"runOptions":{"timeoutSecs":"1"}`), "must be a number"),
		"no items":                        {first, actor(`"runOptions":{"maxItems":0}`), 400, "max-items-must-be-greater-than-zero", "actions[0].runOptions.maxItems must be greater than zero"},
		"no money":                        {first, actor(`"runOptions":{"maxTotalChargeUsd":0}`), 400, "max-total-charge-usd-must-be-greater-than-zero", "maxTotalChargeUsd"},
		"a memory that is no power":       schema("actions[0].runOptions.memoryMbytes", actor(`"runOptions":{"memoryMbytes":1000}`), "must be a power of two"),
		"an input that is no JSON":        {first, actor(`"runInput":{"body":"{"}`), 400, "run-input-body-not-valid-json", "The runInput.body is not valid JSON."},
		"and says that it is":             {first, actor(`"runInput":{"body":"a","contentType":"application/json"}`), 400, "run-input-body-not-valid-json", "The runInput.body is not valid JSON."},
		"an input that is no base64":      schema("actions[0].runInput.bodyBase64", actor(`"runInput":{"bodyBase64":"?"}`), "must be base64"),
		"an input that is too long":       schema("actions[0].runInput.body", actor(`"runInput":{"body":"`+strings.Repeat("1", 51)+`"}`), "has 51 bytes; at most 50 are allowed"),
		"a body that is no JSON":          {first, `{`, 400, "invalid-request", "not valid JSON"},
		"a body that is a list":           {create, `[]`, 400, "invalid-request", "POST data must be a JSON object"},
		"a body that is null":             {create, `null`, 400, "invalid-request", "POST data must be a JSON object"},
		"a field twice":                   {first, `{"title":"a","title":"b"}`, 400, "schema-validation", "title"},
		"what is not there":               {"GET schedules/none", "", 404, "record-not-found", `there is no schedule "none"`},
		"a name that is no id":            {"GET schedules/first", "", 404, "record-not-found", `there is no schedule "first"`},
		"a change of what is not there":   {"PUT schedules/none", `{}`, 404, "record-not-found", "none"},
		"the end of what is not there":    {"DELETE schedules/none", "", 404, "record-not-found", "none"},
		"the log of what is not there":    {"GET schedules/none/log", "", 404, "record-not-found", "none"},
		"the ledger of what is not there": {"GET schedules/none/slots", "", 404, "record-not-found", "none"},
		"the times of what is not there":  {"GET schedules/none/next", "", 404, "record-not-found", "none"},
		"what is not there is invoked":    {"POST schedules/none/invoke", "", 404, "record-not-found", "none"},
		"times in words":                  {"GET schedules/~first/next?n=ten", "", 400, "invalid-request", "n must be a whole number from 1 to 1000"},
		"no times":                        {"GET schedules/~first/next?n=0", "", 400, "invalid-request", "n must be a whole number"},
		"another method":                  {"POST schedules/~first", `{}`, 405, "method-not-allowed", "DELETE, GET, HEAD, OPTIONS, PUT"},
		"a path that there is not":        {"GET schedules/~first/runs", "", 404, "page-not-found", "no such path"},
	}
}
