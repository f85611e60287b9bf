package v1

import (
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/v1json"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model"
)

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
	if err := x.Body(runCreateIn(&c)); err != nil {
		return answer{}, err
	}
	r, err := x.Runs.Create(x.R.Context(), c)
	return api.Created(v1json.RunOf(r)), asWired(err)
}

func listRuns(x *exchange) (answer, error) {
	f, err := runFilterIn(x)
	if err != nil {
		return answer{}, err
	}
	page, err := x.Runs.List(x.R.Context(), f)
	return api.OK(pageOut(page.Runs, v1json.RunOf, page.Limit, page.NextCursor)), err
}

func getRun(x *exchange) (answer, error) {
	r, err := x.Runs.Get(x.R.Context(), x.id("runId"))
	return api.OK(v1json.RunOf(r)), err
}

func listMessages(x *exchange) (answer, error) {
	f, err := messageFilterIn(x)
	if err != nil {
		return answer{}, err
	}
	page, err := x.Runs.ListMessages(x.R.Context(), x.id("runId"), f)
	return api.OK(messagesJSON{each(page.Messages, messageOut), orNull(page.NextSince)}), err
}

// stopRun reads no body: clients say that they send JSON and send none.
func stopRun(x *exchange) (answer, error) {
	r, err := x.Runs.Stop(x.R.Context(), x.id("runId"))
	return api.Accepted(v1json.RunOf(r)), err
}

// pauseRun answers once a person has the run. It reads no body.
func pauseRun(x *exchange) (answer, error) {
	ctx, cancel := x.untilClosing()
	defer cancel()
	r, err := x.Runs.Pause(ctx, x.id("runId"))
	return api.OK(v1json.RunOf(r)), err
}

func resumeRun(x *exchange) (answer, error) {
	var note string
	if _, err := x.OptionalBody(strictjson.Closed(strictjson.Fields{"note": strictjson.String(&note)})); err != nil {
		return answer{}, err
	}
	r, err := x.Runs.Resume(x.R.Context(), x.id("runId"), note)
	return api.Accepted(v1json.RunOf(r)), err
}
