package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/drover-go/drover/runs/actors"
)

// Of clients that make the same variable at a time one has made it, and the others are told
// so; what they change of one at a time is all changed.
func TestVariablesThatManyChange(t *testing.T) {
	t.Parallel()
	const clients = 5
	p := startPlatform(t, actors.Limits{})
	must(p.Actors.CreateActor(p.asDefault(t), actors.CreateActor{Name: "plain", Versions: []actors.Version{{Number: "0.1"}}}))(t)
	const path = "actors/~plain/versions/0.1/env-vars"
	made := p.together(t, clients, func(i int) (_, _, _ string) {
		return "POST", path, fmt.Sprintf(`{"name":"SHARED","value":"%d"}`, i)
	})
	if made[http.StatusCreated] != 1 || made[http.StatusForbidden] != clients-1 {
		t.Errorf("made: %v", made)
	}
	changed := p.together(t, 2, func(i int) (_, _, _ string) {
		return "PUT", path + "/SHARED", []string{`{"value":"changed"}`, `{"isSecret":true}`}[i]
	})
	if changed[http.StatusOK] != 2 {
		t.Errorf("changed: %v", changed)
	}
	var one struct {
		Data struct{ IsSecret bool }
	}
	_, body := p.send(t.Context(), t, "GET", path+"/SHARED", "", nil)
	if err := json.Unmarshal([]byte(body), &one); err != nil || !one.Data.IsSecret {
		t.Errorf("%v %s", err, body)
	}
}

// together sends requests at the same time, and counts the answers by their status.
func (p *platform) together(t *testing.T, clients int, of func(i int) (method, path, body string)) map[int]int {
	t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	answers := map[int]int{}
	for i := range clients {
		all.Go(func() {
			method, path, body := of(i)
			res, _ := p.send(t.Context(), t, method, path, body, nil)
			mu.Lock()
			defer mu.Unlock()
			answers[res.StatusCode]++
		})
	}
	all.Wait()
	return answers
}
