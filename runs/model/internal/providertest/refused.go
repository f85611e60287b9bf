package providertest

import (
	"net/http"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/model"
)

// refusedRequests are answered with a status that is no success: once, with what
// can be told of it.
func (w Wire) refusedRequests(t *testing.T) {
	status := func(code int) Reply { return Reply{Status: code, Body: w.Fault(code, "not now: "+Key)} }
	with := func(r Reply, name, value string) Reply {
		r.Header = map[string]string{name: value}
		return r
	}
	after := func(d time.Duration) want {
		return want{fails: true, kind: model.ErrorRate, temporary: true, retryAfter: d}
	}
	rows := []row{
		{name: "401", reply: status(401), want: fails(model.ErrorAuth, false)},
		{name: "403", reply: status(403), want: fails(model.ErrorAuth, false)},
		{name: "402", reply: status(402), want: fails(model.ErrorQuota, false)},
		{name: "no such model", reply: w.NoModel, want: fails(model.ErrorModel, false)},
		{name: "no quota left", reply: w.NoQuota, want: fails(model.ErrorQuota, false)},
		{name: "429", reply: status(429), want: after(0)},
		{name: "429 for a second", reply: with(status(429), "Retry-After", "1"), want: after(time.Second)},
		{name: "429 for an hour", reply: with(status(429), "Retry-After", "3600"), want: after(time.Hour)},
		{name: "429 in milliseconds", reply: with(status(429), "Retry-After-Ms", "250"), want: after(250 * time.Millisecond)},
		{name: "500", reply: status(500), want: fails(model.ErrorOverloaded, true)},
		{name: "502, a page", reply: Reply{Status: 502, Body: "<html><h1>502 Bad Gateway</h1>" + Key + "</html>"}, want: fails(model.ErrorOverloaded, true)},
		{name: "503", reply: status(503), want: fails(model.ErrorOverloaded, true)},
		{name: "529", reply: status(529), want: fails(model.ErrorOverloaded, true)},
		{name: "408", reply: status(408), want: fails(model.ErrorNetwork, true)},
		{name: "409", reply: status(409), want: fails(model.ErrorNetwork, true)},
		{name: "504", reply: status(504), want: fails(model.ErrorNetwork, true)},
		{name: "400", reply: status(400), want: fails(model.ErrorRequest, false)},
		{name: "422", reply: status(422), want: fails(model.ErrorRequest, false)},
		{name: "too long", reply: w.TooLong, want: fails(model.ErrorOverflow, false)},
		{name: "413", reply: Reply{Status: 413, Body: w.Fault(413, "too large")}, want: fails(model.ErrorOverflow, false)},
		{name: "413, a page", reply: Reply{Status: 413, Body: "<html>413 Request Entity Too Large</html>"}, want: fails(model.ErrorOverflow, false)},
		{name: "a text for an error", reply: Reply{Status: 400, Body: `{"error":"unknown thing"}`}, want: want{fails: true, kind: model.ErrorRequest, says: "unknown thing"}},
		{name: "a numeric code", reply: Reply{Status: 500, Body: `{"error":{"message":"x","code":500}}`}, want: fails(model.ErrorOverloaded, true)},
		{name: "an empty body", reply: Reply{Status: 500}, want: want{fails: true, kind: model.ErrorOverloaded, temporary: true, says: http.StatusText(500)}},
	}
	for name, reply := range w.Slowly {
		rows = append(rows, row{name: "429, " + name, reply: reply, want: after(time.Minute)})
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) { w.run(t, r) })
	}
	t.Run("twice, then fine", w.recovers)
}

// recovers asks a server that fails twice: the provider keeps nothing of it.
func (w Wire) recovers(t *testing.T) {
	for _, code := range []int{500, 502, 503, 529, 429} {
		bad := Reply{Status: code, Body: w.Fault(code, "later")}
		s := w.serve(t, inTurn(bad, bad, w.reply(Answer{Text: "Hello"}, true)))
		m := s.model(Setup{})
		for range 2 {
			if got, err := m.Generate(t.Context(), Request()); err == nil {
				t.Fatalf("%d: answered %+v", code, got)
			}
		}
		got, err := m.Generate(t.Context(), Request())
		says(model.FinishStop, model.Text("Hello")).check(t, got, err)
		if n := len(s.requests()); n != 3 {
			t.Errorf("%d: %d requests", code, n)
		}
	}
}

// redirects to another host are not followed: the key would go along.
func (w Wire) redirects(t *testing.T) {
	other := w.serve(t, inTurn(w.reply(Answer{Text: "Hello"}, true)))
	for _, code := range []int{301, 302, 307, 308} {
		r := row{reply: Reply{Status: code, Header: map[string]string{"Location": other.http.URL + w.Route}}, want: fails(model.ErrorRequest, false)}
		w.run(t, r)
	}
	if n := len(other.requests()); n != 0 {
		t.Errorf("%d requests went to another host", n)
	}
}
