package v1

import (
	"encoding/json"
	"net/http"

	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model"
)

type runJSON struct {
	RunID        string          `json:"runId"`
	AgentID      string          `json:"agentId,omitempty"`
	Task         string          `json:"task"`
	Status       runs.Status     `json:"status"`
	SessionID    string          `json:"sessionId,omitempty"`
	ResultSchema json.RawMessage `json:"resultSchema,omitempty"`
	Result       json.RawMessage `json:"result,omitempty"`
	Cause        *causeJSON      `json:"cause,omitempty"`
	CreatedAt    wireTime        `json:"createdAt"`
	UpdatedAt    wireTime        `json:"updatedAt"`
	StartedAt    *wireTime       `json:"startedAt,omitempty"`
	EndedAt      *wireTime       `json:"endedAt,omitempty"`
}

type causeJSON struct {
	Code    string `json:"code"`
	Message string `json:"message,omitempty"`
}

func runOut(r runs.Run) runJSON {
	out := runJSON{
		RunID: r.ID, AgentID: r.AgentID, Task: r.Task, Status: r.Status, SessionID: r.SessionID,
		ResultSchema: r.ResultSchema, Result: r.Result,
		CreatedAt: wireTime(r.CreatedAt), UpdatedAt: wireTime(r.UpdatedAt),
		StartedAt: optionalTime(r.StartedAt), EndedAt: optionalTime(r.EndedAt),
	}
	if r.Cause != nil {
		out.Cause = &causeJSON{r.Cause.Code, r.Cause.Message}
	}
	return out
}

type messageJSON struct {
	ID        string        `json:"id"`
	CreatedAt wireTime      `json:"createdAt"`
	Message   model.Message `json:"message"`
}

func messageOut(m runs.Message) messageJSON {
	if m.Message.Content == nil {
		m.Message.Content = []model.Part{} // on the wire, a list is never null
	}
	return messageJSON{m.ID, wireTime(m.CreatedAt), m.Message}
}

type messagesJSON struct {
	Data      []messageJSON `json:"data"`
	NextSince *string       `json:"nextSince"`
}

func createRun(x *exchange) (answer, error) {
	var c runs.Create
	if err := x.body(runCreateIn(&c)); err != nil {
		return answer{}, err
	}
	r, err := x.Runs.Create(x.r.Context(), c)
	return answer{http.StatusCreated, runOut(r)}, err
}

func listRuns(x *exchange) (answer, error) {
	f, err := runFilterIn(x)
	if err != nil {
		return answer{}, err
	}
	page, err := x.Runs.List(x.r.Context(), f)
	return answer{http.StatusOK, pageOut(page.Runs, runOut, page.Limit, page.NextCursor)}, err
}

func getRun(x *exchange) (answer, error) {
	r, err := x.Runs.Get(x.r.Context(), x.id("runId"))
	return answer{http.StatusOK, runOut(r)}, err
}

func listMessages(x *exchange) (answer, error) {
	f, err := messageFilterIn(x)
	if err != nil {
		return answer{}, err
	}
	page, err := x.Runs.ListMessages(x.r.Context(), x.id("runId"), f)
	return answer{http.StatusOK, messagesJSON{each(page.Messages, messageOut), orNull(page.NextSince)}}, err
}

// stopRun reads no body: clients say that they send JSON and send none.
func stopRun(x *exchange) (answer, error) {
	r, err := x.Runs.Stop(x.r.Context(), x.id("runId"))
	return answer{http.StatusAccepted, runOut(r)}, err
}
