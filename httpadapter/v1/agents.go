package v1

import (
	"encoding/json"

	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
)

type agentJSON struct {
	AgentID      string          `json:"agentId"`
	Name         string          `json:"name"`
	SystemPrompt string          `json:"systemPrompt,omitempty"`
	ResultSchema json.RawMessage `json:"resultSchema,omitempty"`
	CreatedAt    wireTime        `json:"createdAt"`
	UpdatedAt    wireTime        `json:"updatedAt"`
}

func agentOut(a agents.Agent) agentJSON {
	return agentJSON{
		AgentID: a.ID, Name: a.Name, SystemPrompt: a.SystemPrompt, ResultSchema: a.ResultSchema,
		CreatedAt: wireTime(a.CreatedAt), UpdatedAt: wireTime(a.UpdatedAt),
	}
}

func agentCreateIn(c *agents.Create) strictjson.Value {
	return strictjson.Closed(strictjson.Fields{
		"name":         strictjson.String(&c.Name),
		"systemPrompt": strictjson.Text(&c.SystemPrompt),
		"resultSchema": strictjson.RawObject(&c.ResultSchema),
	}, "name")
}

func agentUpdateIn(u *agents.Update) strictjson.Value {
	return strictjson.Closed(strictjson.Fields{
		"name":         strictjson.StringPtr(&u.Name),
		"systemPrompt": strictjson.StringPtr(&u.SystemPrompt),
		"resultSchema": strictjson.RawObject(&u.ResultSchema),
	})
}

func createAgent(x *exchange) (answer, error) {
	var c agents.Create
	if err := x.Body(agentCreateIn(&c)); err != nil {
		return answer{}, err
	}
	a, err := x.Agents.Create(x.R.Context(), c)
	return api.Created(agentOut(a)), err
}

func listAgents(x *exchange) (answer, error) {
	f, err := agentFilterIn(x)
	if err != nil {
		return answer{}, err
	}
	page, err := x.Agents.List(x.R.Context(), f)
	return api.OK(pageOut(page.Agents, agentOut, page.Limit, page.NextCursor)), err
}

func agentFilterIn(x *exchange) (agents.Filter, error) {
	q := x.Query()
	return agents.Filter{
		StartAt: q.Time("startAt"), EndAt: q.Time("endAt"), Limit: q.Int("limit", 1, maxPage), Cursor: q.String("cursor"),
	}, q.Err()
}

func getAgent(x *exchange) (answer, error) {
	a, err := x.Agents.Get(x.R.Context(), x.id("agentId"))
	return api.OK(agentOut(a)), err
}

func updateAgent(x *exchange) (answer, error) {
	var u agents.Update
	if _, err := x.OptionalBody(agentUpdateIn(&u)); err != nil {
		return answer{}, err
	}
	a, err := x.Agents.Update(x.R.Context(), x.id("agentId"), u)
	return api.OK(agentOut(a)), err
}

func deleteAgent(x *exchange) (answer, error) {
	return api.NoContent(), x.Agents.Delete(x.R.Context(), x.id("agentId"))
}
