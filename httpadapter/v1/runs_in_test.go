package v1

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs"
)

func TestRunBody(t *testing.T) {
	for body, want := range map[string]runs.Create{
		`{"task":"t"}`: {Task: "t"},
		`{"task":"t","agentId":"a","resultSchema":{"type":"object"},"browserSettings":{},"variables":{}}`: {
			Task: "t", AgentID: "a", ResultSchema: json.RawMessage(`{"type":"object"}`)},
		`{"task":"t","variables":{"user":{"value":"","description":"d"},"p w":{"value":"x"}}}`: {
			Task: "t", Variables: map[string]runs.Variable{"user": {Description: "d"}, "p w": {Value: "x"}}},
		`{"task":"t","browserSettings":{"context":{"id":"c","persist":true},"proxies":false,"verified":true}}`: {
			Task: "t", BrowserSettings: runs.BrowserSettings{Context: &runs.ContextRef{ID: "c", Persist: true}, Verified: true}},
		`{"task":"t","model":"m","sessionId":"S","keepSession":true,"allowedDomains":["a.example"],
			"limits":{"maxSteps":3,"maxDurationSeconds":90,"budget":{"tokens":1e6,"cost":0.25}},
			"variables":{"code":{"value":"x","origins":["https://a.example"],"totp":true}}}`: {
			Task: "t", Model: "m", SessionID: "S", KeepSession: true, AllowedDomains: []string{"a.example"},
			Limits:    runs.RunLimits{MaxSteps: 3, MaxDuration: 90 * time.Second, Budget: runs.Budget{Tokens: 1_000_000, Cost: 250_000}},
			Variables: map[string]runs.Variable{"code": {Value: "x", Origins: []string{"https://a.example"}, TOTP: true}}},
		`{"task":"t","browserSettings":{"proxies":true}}`: {
			Task: "t", BrowserSettings: runs.BrowserSettings{Proxies: runs.Proxies{Managed: true}}},
		`{"task":"t","browserSettings":{"proxies":[
			{"type":"browserbase","geolocation":{"country":"US","state":"NY","city":"New York"}},
			{"type":"external","server":"http://p:1","username":"u","password":"w","domainPattern":"x"},
			{"type":"none"}]}}`: {
			Task: "t", BrowserSettings: runs.BrowserSettings{Proxies: runs.Proxies{Rules: []runs.ProxyRule{
				{Type: "browserbase", Geolocation: &runs.Geolocation{Country: "US", State: "NY", City: "New York"}}, {Type: "external", Server: "http://p:1", Username: "u", Password: "w", DomainPattern: "x"}, {Type: "none"},
			}}}},
	} {
		var got runs.Create
		err := strictjson.Decode([]byte(body), strictjson.Options{}, runCreateIn(&got))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", body, err, diff)
		}
	}
}

func TestFetchBody(t *testing.T) {
	var url string
	var o fetch.Options
	err := strictjson.Decode([]byte(`{"url":"u","allowRedirects":true,"allowInsecureSsl":true,"proxies":true,"format":"json",
		"schema":{"a":1},"onlyMainContent":true,"more":[null]}`), strictjson.Options{}, fetchIn(&url, &o))
	want := fetch.Options{
		Format: fetch.JSON, AllowRedirects: true, AllowInsecureSSL: true, Proxies: true, OnlyMainContent: true, Schema: json.RawMessage(`{"a":1}`),
	}
	if diff := cmp.Diff(want, o); err != nil || url != "u" || diff != "" {
		t.Errorf("%q, %v\n%s", url, err, diff)
	}
}

// FuzzBodies feeds every decoder: whatever comes, the caller gets an error
// meant for him, or encoding/json agrees that it is JSON.
func FuzzBodies(f *testing.F) {
	for _, seed := range []string{
		`{"name":"x","systemPrompt":"p","resultSchema":{"type":"object"}}`,
		`{"task":"t","variables":{"a":{"value":"b"}},"browserSettings":{"proxies":[{"type":"none"}],"context":{"id":"x"}}}`,
		`{"url":"https://example.com","format":"markdown","allowRedirects":true}`,
		`{"task":null}`, `{"url":1}`, `[]`, `{"name":"\ud800"}`, "{\"name\":\"\xff\"}", `{"proxies":{}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var ac agents.Create
		var au agents.Update
		var rc runs.Create
		var url string
		var fo fetch.Options
		for name, v := range map[string]strictjson.Value{
			"agent": agentCreateIn(&ac), "update": agentUpdateIn(&au), "run": runCreateIn(&rc), "fetch": fetchIn(&url, &fo),
		} {
			err := strictjson.Decode(body, strictjson.Options{}, v)
			if err == nil && !json.Valid(body) {
				t.Errorf("%s: accepted what is no JSON", name)
			}
			if err != nil && (!errtypes.Is(err, errtypes.Invalid) || len(errtypes.Public(err).Message) > 2000) {
				t.Errorf("%s: not an error for the caller: %.3000v", name, err)
			}
		}
	})
}
