package v1

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs"
)

// A client that writes UUIDs in capitals means the same agent.
func TestIDsAreReadInEitherCase(t *testing.T) {
	s, key := open(t)
	h := New(s, options())
	made := ask(h, "POST", "/v1/agents", key, `{"name":"x"}`)
	var agent struct{ AgentID string }
	if err := json.Unmarshal(made.Body.Bytes(), &agent); err != nil || agent.AgentID == "" {
		t.Fatalf("%d %s: %v", made.Code, made.Body, err)
	}
	capitals := strings.ToUpper(agent.AgentID)
	if w := ask(h, "GET", "/v1/agents/"+capitals, key, ""); w.Code != 200 || !strings.Contains(w.Body.String(), agent.AgentID) {
		t.Errorf("get: %d %s", w.Code, w.Body)
	}
	if w := ask(h, "DELETE", "/v1/agents/"+capitals, key, ""); w.Code != 204 {
		t.Errorf("delete: %d %s", w.Code, w.Body)
	}
	if w := ask(h, "GET", "/v1/agents/"+agent.AgentID, key, ""); w.Code != 404 {
		t.Errorf("after the delete: %d %s", w.Code, w.Body)
	}
}

func TestTheAgentOfARunIsReadInEitherCase(t *testing.T) {
	const id = "01999999-0000-7000-8000-00000000000a"
	var c runs.Create
	body := []byte(`{"task":"t","agentId":"` + strings.ToUpper(id) + `"}`)
	if err := strictjson.Decode(body, strictjson.Options{}, runCreateIn(&c)); err != nil || c.AgentID != id {
		t.Errorf("%q, %v", c.AgentID, err)
	}
}

func TestTheMessageThatAClientHasIsReadInEitherCase(t *testing.T) {
	const id = "01999999-0000-7000-8000-00000000000a"
	asked := func(query, header string) *exchange {
		r := httptest.NewRequest("GET", "/v1/agents/runs/x/messages"+query, nil)
		r.Header.Set(lastEventHeader, header)
		return &exchange{Exchange: &api.Exchange{R: r}}
	}
	capitals := strings.ToUpper(id)
	if f, err := messageFilterIn(asked("?since="+capitals, "")); err != nil || f.Since != id {
		t.Errorf("%q, %v", f.Since, err)
	}
	for _, x := range []*exchange{asked("", capitals), asked("?lastEventId="+capitals, "")} {
		if last, err := lastEvent(x); err != nil || last != id {
			t.Errorf("%q, %v", last, err)
		}
	}
}
