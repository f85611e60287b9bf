package sessions

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

func each(t *testing.T, o setup, test func(t *testing.T, w *world)) {
	t.Run("memory", func(t *testing.T) { test(t, start(t, o)) })
	t.Run("file", func(t *testing.T) { o.dir = t.TempDir(); test(t, start(t, o)) })
}

func TestASessionFromItsBeginningToItsEnd(t *testing.T) {
	t.Parallel()
	each(t, setup{browser: &quickBrowser{}}, func(t *testing.T, w *world) {
		s := w.create(t, Create{UserMetadata: json.RawMessage(` {"k" : "v"}`), Region: "eu-central-1", KeepAlive: true, Timeout: 2 * time.Minute})
		if s.Region != "eu-central-1" || !s.KeepAlive || string(s.UserMetadata) != `{"k":"v"}` || s.ExpiresAt.Sub(s.StartedAt) != 2*time.Minute || s.ProxyBytes != 7 {
			t.Errorf("%+v", s)
		}
		got := must(w.Get(t.Context(), s.ID))(t)
		if got.SigningKey != s.SigningKey || got.ConnectURL != s.ConnectURL || !strings.HasPrefix(s.ConnectURL, "ws://127.0.0.1:") {
			t.Errorf("%+v", got)
		}
		done := must(w.Release(t.Context(), s.ID))(t)
		if done.Status != Completed || done.Cause != nil || done.ProxyBytes != 7 {
			t.Errorf("%+v", done)
		}
		again := must(w.Release(t.Context(), s.ID))(t)
		if !again.EndedAt.Equal(done.EndedAt) {
			t.Errorf("a second release changes it: %+v", again)
		}
		w.ended(t, s.ID, Completed, "")
	})
}

func TestOthersSessionsAreNotThere(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	s := w.create(t, Create{})
	must(w.projects.Create(t.Context(), projects.Create{Name: "other"}))(t)
	other := must(w.projects.In(t.Context(), "other"))(t)
	for name, call := range map[string]func() error{
		"get":       func() error { _, err := w.Get(other, s.ID); return err },
		"release":   func() error { _, err := w.Release(other, s.ID); return err },
		"wait":      func() error { _, err := w.Wait(other, s.ID); return err },
		"tabs":      func() error { _, err := w.Tabs(other, s.ID); return err },
		"logs":      func() error { _, err := w.Logs(other, s.ID); return err },
		"recording": func() error { _, err := w.Recording(other, s.ID); return err },
		"upload":    func() error { return w.Upload(other, s.ID, Upload{"x", strings.NewReader("")}) },
		"malformed": func() error { _, err := w.Get(t.Context(), "no-id"); return err },
		"projectId": func() error { _, err := w.Create(t.Context(), Create{ProjectID: "other"}); return err },
	} {
		if err := call(); !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all := must(w.List(other, Filter{}))(t); all == nil || len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	long := json.RawMessage(`{"k":"` + strings.Repeat("x", 5000) + `"}`)
	for field, c := range map[string]Create{
		"timeout":                           {Timeout: 59 * time.Second},
		"region":                            {Region: "eu-west-1"},
		"userMetadata":                      {UserMetadata: long},
		"browserSettings.viewport.width":    {Settings: Settings{Viewport: Viewport{-1, 100}}},
		"browserSettings.viewport.height":   {Settings: Settings{Viewport: Viewport{100, 10_001}}},
		"browserSettings.context":           {Settings: Settings{Context: &ContextRef{ID: "x"}}},
		"browserSettings.extensionId":       {Settings: Settings{ExtensionID: "x"}},
		"proxySettings.caCertificates":      {Settings: Settings{CACertificates: []string{"x"}}},
		"browserSettings.allowedDomains[1]": {Settings: Settings{AllowedDomains: []string{"a.example", "*.b.example"}}},
		"proxies":                           {Settings: Settings{Proxies: Proxies{Managed: true}}},
		"proxies[0]":                        {Settings: Settings{Proxies: Proxies{Rules: []ProxyRule{{Type: "browserbase"}}}}},
		"proxies[0].type":                   {Settings: Settings{Proxies: Proxies{Rules: []ProxyRule{{Type: "odd"}}}}},
		"proxies[0].server":                 {Settings: Settings{Proxies: Proxies{Rules: []ProxyRule{{Type: "external"}}}}},
		"proxies[1].server":                 {Settings: Settings{Proxies: Proxies{Rules: []ProxyRule{{Type: "none"}, {Type: "external", Server: "ftp://u:secret@x"}}}}},
		"proxies[0].domainPattern":          {Settings: Settings{Proxies: Proxies{Rules: []ProxyRule{{Type: "none", DomainPattern: "("}}}}},
		"proxies[0].geolocation":            {Settings: Settings{Proxies: Proxies{Rules: []ProxyRule{{Type: "managed", Geolocation: &Geolocation{Country: "DE"}}}}}},
	} {
		_, err := w.Create(t.Context(), c)
		var e *errtypes.Error
		if !errors.As(err, &e) || e.Kind != errtypes.Invalid || e.Field != field || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", field, err)
		}
		if reflect.ValueOf(c.Settings).IsZero() {
			continue
		}
		if checked := errtypes.Public(w.Check(t.Context(), c.Settings)); checked.Field != field || checked.Message != e.Message {
			t.Errorf("%s: Check says %v", field, checked)
		}
	}
	if all := must(w.List(t.Context(), Filter{}))(t); len(all) != 0 {
		t.Errorf("what was refused has a record: %+v", all)
	}
	if _, err := w.List(t.Context(), Filter{Status: "ODD"}); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
}

func TestPasswordsAreNotStored(t *testing.T) {
	t.Parallel()
	p := Proxies{Rules: []ProxyRule{{Type: "external", Server: "https://u:geheim1@proxy.example:1"}, {Type: "external", Server: "proxy.example:2", Username: "u", Password: "geheim2"}}}
	if err := p.check(); err != nil || !p.Secret() {
		t.Fatal(err)
	}
	got := must(json.Marshal(p.Stored()))(t)
	if want := `{"rules":[{"type":"external","server":"https://proxy.example:1"},{"type":"external","server":"http://proxy.example:2"}]}`; string(got) != want {
		t.Errorf("%s", got)
	}
}

func TestListFilters(t *testing.T) {
	t.Parallel()
	each(t, setup{browser: &quickBrowser{}}, func(t *testing.T, w *world) {
		a := w.create(t, Create{UserMetadata: json.RawMessage(`{"k":"v","n":7,"deep":{"x":1}}`)})
		b := w.create(t, Create{UserMetadata: json.RawMessage(`{"k":"w"}`)})
		c := w.create(t, Create{})
		must(w.Release(t.Context(), b.ID))(t)
		for _, test := range []struct {
			f    Filter
			want []string
		}{
			{Filter{}, []string{c.ID, b.ID, a.ID}},
			{Filter{Status: Running}, []string{c.ID, a.ID}},
			{Filter{Status: Completed}, []string{b.ID}},
			{Filter{Metadata: &Metadata{"k", "v"}}, []string{a.ID}},
			{Filter{Metadata: &Metadata{"n", "7"}}, []string{a.ID}},
			{Filter{Metadata: &Metadata{"k", "w"}, Status: Running}, nil},
			{Filter{Metadata: &Metadata{"deep", `{"x":1}`}}, nil},
		} {
			var got []string
			for _, s := range must(w.List(t.Context(), test.f))(t) {
				got = append(got, s.ID)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%+v: %q, want %q", test.f, got, test.want)
			}
		}
	})
}

func TestListsWalkAlongAnIndex(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	for name, f := range map[string]Filter{"all": {}, "status": {Status: Running}, "metadata": {Metadata: &Metadata{"a", "b"}}, "both": {Running, &Metadata{"a", "b"}}} {
		query, _ := listQuery("p", f, 1)
		storagetest.SearchesOnly(t, db, name, query)
	}
}

func TestQueries(t *testing.T) {
	t.Parallel()
	for q, want := range map[string]Metadata{
		`user_metadata['k']:'v'`:                {"k", "v"},
		`user_metadata["k"]:"it's"`:             {"k", "it's"},
		` user_metadata[ 'k\'s' ] : 'a:\\[b]' `: {"k's", `a:\[b]`},
		`user_metadata['']:''`:                  {"", ""},
	} {
		if got, err := ParseQuery(q); err != nil || *got != want {
			t.Errorf("%s: %v, %v", q, got, err)
		}
	}
	for _, q := range []string{"", "k:v", `user_metadata[k]:'v'`, `user_metadata['k']:'v' OR 1`, `user_metadata['k']['j']:'v'`, `user_metadata['k']:'v`, `metadata['k']:'v'`} {
		if _, err := ParseQuery(q); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%s: %v", q, err)
		}
	}
}

func TestTheLimitOfAProject(t *testing.T) {
	t.Parallel()
	each(t, setup{browser: &quickBrowser{}, limits: Limits{PerProject: 2}}, func(t *testing.T, w *world) {
		first := w.create(t, Create{})
		own := must(w.OpenFor(t.Context(), first.ProjectID, Create{}))(t)
		_, err := w.Create(t.Context(), Create{})
		var limit *LimitError
		if !errtypes.Is(err, errtypes.RateLimited) || !errors.As(err, &limit) || limit.Limit != 2 {
			t.Fatalf("%v", err)
		}
		// Work of Drover's own counts and is not refused.
		second := must(w.OpenFor(t.Context(), first.ProjectID, Create{}))(t)
		if err := errors.Join(own.Close(), second.Close()); err != nil {
			t.Fatal(err)
		}
		w.create(t, Create{})
	})
}

func TestASessionThatCannotBeginLeavesNoRecord(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{openErr: errtypes.New(errtypes.Unavailable, "all in use")}})
	if _, err := w.Create(t.Context(), Create{UserMetadata: json.RawMessage(`{"a":"b"}`)}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Fatal(err)
	}
	if all := must(w.List(t.Context(), Filter{}))(t); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

func TestTimeOuts(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC))
	w := start(t, setup{browser: &quickBrowser{}, clock: c})
	own := must(w.OpenFor(t.Context(), must(w.projects.Get(t.Context(), projects.Default))(t).ID, Create{}))(t)
	never := w.create(t, Create{})
	kept := w.create(t, Create{KeepAlive: true, Timeout: time.Hour})
	short := w.create(t, Create{KeepAlive: true, Timeout: time.Minute})
	c.Advance(time.Minute)
	w.ended(t, short.ID, TimedOut, CauseTimedOut)
	c.Advance(4 * time.Minute)
	w.ended(t, never.ID, TimedOut, CauseNeverConnected)
	if s := must(w.Get(t.Context(), kept.ID))(t); s.Status != Running {
		t.Errorf("%+v", s)
	}
	c.Advance(time.Hour)
	w.ended(t, kept.ID, TimedOut, CauseTimedOut)
	w.ended(t, own.ID(), TimedOut, CauseTimedOut)
	if err := own.Err(); !errtypes.Is(err, errtypes.Gone) {
		t.Errorf("who drives it learns %v", err)
	}
}

func TestABrowserThatDies(t *testing.T) {
	t.Parallel()
	var last *quickSession
	w := start(t, setup{browser: &quickBrowser{opened: func(s *quickSession) { last = s }}})
	s := w.create(t, Create{})
	last.die()
	if got := w.ended(t, s.ID, Failed, CauseBrowser); got.Cause.Message != "the browser died" {
		t.Errorf("%+v", got.Cause)
	}
}

func TestCloseEndsWhatIsOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := must(open(t.Context(), setup{dir: dir, browser: &quickBrowser{}}))(t)
	s := w.create(t, Create{})
	if err := w.service.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.ended(t, s.ID, Failed, CauseShutdown)
	if _, err := w.Create(t.Context(), Create{}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Error(err)
	}
	if err := w.shut(); err != nil {
		t.Fatal(err)
	}
}

func TestRetention(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC))
	w := start(t, setup{browser: &quickBrowser{}, clock: c, retention: time.Hour})
	s := w.create(t, Create{UserMetadata: json.RawMessage(`{"a":"b"}`)})
	must(w.Release(t.Context(), s.ID))(t)
	c.Advance(time.Hour - time.Second)
	w.keeper.Do(t.Context())
	must(w.Get(t.Context(), s.ID))(t)
	c.Advance(time.Second)
	w.keeper.Do(t.Context())
	if _, err := w.Get(t.Context(), s.ID); !errtypes.Is(err, errtypes.NotFound) {
		t.Error(err)
	}
	for e := range w.blobs.All(t.Context()) {
		t.Errorf("the blob %s is left", e.Key)
	}
}

// A session whose end was not written is not RUNNING for ever.
func TestAnEndThatWasLost(t *testing.T) {
	t.Parallel()
	each(t, setup{browser: &quickBrowser{}}, func(t *testing.T, w *world) {
		r := must(w.build(must(w.projects.Get(t.Context(), projects.Default))(t).ID, Create{}, opener{}))(t)
		w.expect(r.ID)
		must(w.insert(t.Context(), r, opener{}))(t)
		if s := must(w.Get(t.Context(), r.ID))(t); s.Status != Pending {
			t.Errorf("while it is being created: %+v", s)
		}
		w.forget(r.ID)
		w.ended(t, r.ID, Failed, CauseInternal)
	})
}
