package webhooks

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
	hooks "github.com/drover-go/drover/internal/webhooks"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

// another returns a context of another project.
func (w *world) another(t testing.TB, name string) context.Context {
	t.Helper()
	return projects.With(t.Context(), must(w.projects.Create(t.Context(), projects.Create{Name: name}))(t))
}

func TestSettingsThatAreRefused(t *testing.T) {
	t.Parallel()
	w := opened(t, setup{idle: true, private: true, limits: Limits{MaxTemplate: 100}, resolve: func(_ context.Context, c Condition) (Condition, error) {
		return c, errtypes.New(errtypes.NotFound, "there is no Actor %q", c.Actor)
	}})
	w.conf.Limits.AllowHTTP = false
	run, function := []string{succeeded}, []string{completed}
	const url = "https://hooks.example/in"
	for name, c := range map[string]struct {
		settings     Settings
		field, words string
	}{
		"no events":          {Settings{URL: url}, "eventTypes", "must name an event"},
		"no such event":      {Settings{URL: url, Events: []string{"ACTOR.RUN.FLOWN"}}, "eventTypes", "ACTOR.RUN.FLOWN"},
		"of both":            {Settings{URL: url, Events: []string{succeeded, completed}}, "eventTypes", succeeded},
		"no protocol":        {Settings{URL: url, Events: run, Protocol: "x"}, "protocol", "standard"},
		"no URL":             {Settings{Events: run}, "url", "required"},
		"long URL":           {Settings{Events: run, URL: url + strings.Repeat("x", 500)}, "url", "500"},
		"relative":           {Settings{Events: run, URL: "/x"}, "url", "absolute"},
		"another scheme":     {Settings{Events: run, URL: "ftp://x.example/"}, "url", "http"},
		"file":               {Settings{Events: run, URL: "file:///etc/passwd"}, "url", ""},
		"http":               {Settings{Events: function, URL: "http://x.example/"}, "url", "Options.WebhookLimits.AllowHTTP"},
		"loopback":           {Settings{Events: run, URL: "http://127.0.0.1/"}, "url", "Options.AllowPrefixes"},
		"loopback, too":      {Settings{Events: run, URL: "https://0x7f000001/"}, "url", "Options.AllowPrefixes"},
		"metadata":           {Settings{Events: run, URL: "http://169.254.169.254/latest"}, "url", "Options.AllowPrefixes"},
		"IPv6":               {Settings{Events: run, URL: "http://[::1]/"}, "url", "Options.AllowPrefixes"},
		"template":           {Settings{Events: run, URL: url, PayloadTemplate: `{"a":{{secret}}}`}, "payloadTemplate", "{{secret}}"},
		"no JSON":            {Settings{Events: run, URL: url, PayloadTemplate: `{`}, "payloadTemplate", "no JSON"},
		"inside":             {Settings{Events: run, URL: url, PayloadTemplate: `{"a":"x {{secret}}"}`, Interpolate: true}, "payloadTemplate", "{{secret}}"},
		"long template":      {Settings{Events: run, URL: url, PayloadTemplate: `"` + strings.Repeat("x", 100) + `"`}, "payloadTemplate", "100 bytes"},
		"headers":            {Settings{Events: run, URL: url, HeadersTemplate: `{"Connection":"x"}`}, "headersTemplate", "Connection"},
		"title":              {Settings{Events: run, URL: url, Title: strings.Repeat("x", 1001)}, "title", "1000"},
		"Actor":              {Settings{Events: run, URL: url, Condition: Condition{Actor: "x"}}, "", "there is no Actor"},
		"standard condition": {Settings{Events: function, URL: url, Condition: Condition{Actor: "x"}}, "condition", "job platform"},
		"standard template":  {Settings{Events: function, URL: url, PayloadTemplate: `{}`}, "payloadTemplate", "job platform"},
		"standard headers":   {Settings{Events: function, URL: url, HeadersTemplate: `{}`}, "headersTemplate", "job platform"},
	} {
		kind := errtypes.Invalid
		if name == "Actor" {
			kind = errtypes.NotFound
		}
		_, _, err := w.Create(t.Context(), Create{Settings: c.settings})
		t.Log(name)
		fails(t, err, kind, c.field, c.words)
	}
	_, _, err := w.Create(t.Context(), Create{Settings: Settings{URL: url, Events: run}, AdHoc: true})
	fails(t, err, errtypes.Invalid, "condition", "must name the run")
}

func TestWebhooksAreKept(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, _ *storage.DB) {
		w := opened(t, setup{idle: true})
		all := Settings{
			Protocol: Platform, URL: "https://a.example/x?y=1", Events: []string{succeeded, "ACTOR.BUILD.FAILED"}, Condition: Condition{Actor: "a"},
			PayloadTemplate: `{"x":{{resource}}}`, HeadersTemplate: `{"A":"b"}`, Interpolate: true, IgnoreTLSErrors: true, DoNotRetry: true, Title: "t", Description: "d",
		}
		made, secret, err := w.Create(t.Context(), Create{Settings: all, IdempotencyKey: "once"})
		if err != nil || secret != "" || len(made.ID) != 17 {
			t.Fatalf("%+v %q %v", made, secret, err)
		}
		again, _, err := w.Create(t.Context(), Create{Settings: Settings{URL: "https://b.example/", Events: []string{succeeded}}, IdempotencyKey: "once"})
		if err != nil || again.ID != made.ID || again.URL != all.URL {
			t.Errorf("%+v %v", again, err)
		}
		got := must(w.Get(t.Context(), made.ID))(t)
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", made) || fmt.Sprintf("%+v", got.Settings) != fmt.Sprintf("%+v", all) {
			t.Errorf("%+v, want %+v", got, all)
		}
		url, events := "https://c.example/", []string{"ACTOR.RUN.FAILED"}
		w.clock.Advance(time.Second)
		got = must(w.Update(t.Context(), made.ID, Update{URL: &url, Events: events}))(t)
		if got.URL != url || !slices.Equal(got.Events, events) || got.Title != "t" || !got.ModifiedAt.After(got.CreatedAt) {
			t.Errorf("%+v", got)
		}
		w.happen(t, ended("r", 1))
		if n := len(w.dispatches(t)); n != 0 {
			t.Errorf("%d dispatches of an event that it is no longer for", n)
		}
		bad := "ftp://x"
		fails(t, second(w.Update(t.Context(), made.ID, Update{URL: &bad})), errtypes.Invalid, "url", "http")
		other := w.another(t, "other")
		fails(t, second(w.Get(other, made.ID)), errtypes.NotFound, "", made.ID)
		fails(t, second(w.Update(other, made.ID, Update{})), errtypes.NotFound, "", made.ID)
		fails(t, w.Delete(other, made.ID), errtypes.NotFound, "", made.ID)
		must(0, w.Delete(t.Context(), made.ID))(t)
		fails(t, second(w.Get(t.Context(), made.ID)), errtypes.NotFound, "", made.ID)
	})
}

func TestWebhooksAreListed(t *testing.T) {
	t.Parallel()
	w := opened(t, setup{idle: true})
	w.addRun(t, "run")
	for i := range 5 {
		w.clock.Advance(time.Second)
		w.platform(t, fmt.Sprintf("https://a.example/%d", i), func(s *Settings) { s.Condition.Actor = string(rune('a' + i%2)) })
		w.clock.Advance(time.Second)
		w.standard(t, fmt.Sprintf("https://b.example/%d", i))
	}
	_, _, err := w.Create(t.Context(), Create{Settings: Settings{URL: "https://c.example/", Events: []string{succeeded}, Condition: Condition{Run: "run"}}, AdHoc: true})
	must(0, err)(t)
	for name, c := range map[string]struct {
		filter Filter
		total  int
		first  string
	}{
		"all":      {Filter{}, 10, "https://a.example/0"},
		"platform": {Filter{Protocol: Platform, Desc: true, Limit: 2}, 5, "https://a.example/4"},
		"Actor":    {Filter{Actor: "b"}, 2, "https://a.example/1"},
		"run":      {Filter{Run: "run"}, 1, "https://c.example/"},
		"offset":   {Filter{Protocol: Standard, Offset: 2}, 5, "https://b.example/2"},
	} {
		l := must(w.List(t.Context(), c.filter))(t)
		if l.Total != c.total || l.Items[0].URL != c.first {
			t.Errorf("%s: %d, %s", name, l.Total, l.Items[0].URL)
		}
	}
	var seen []string
	for cursor := ""; ; {
		p := must(w.Page(t.Context(), PageFilter{Limit: 2, Cursor: cursor}))(t)
		for _, h := range p.Webhooks {
			seen = append(seen, h.URL[len("https://b.example/"):])
		}
		if cursor = p.NextCursor; cursor == "" {
			break
		}
	}
	if strings.Join(seen, "") != "43210" {
		t.Error(seen)
	}
	fails(t, second(w.List(t.Context(), Filter{Limit: 1001})), errtypes.Invalid, "limit", "1000")
	fails(t, second(w.List(t.Context(), Filter{Offset: -1})), errtypes.Invalid, "offset", "negative")
	fails(t, second(w.Dispatches(t.Context(), Filter{Webhook: "x"})), errtypes.NotFound, "", "no webhook")
}

func TestAProjectMayHaveSoManyWebhooks(t *testing.T) {
	t.Parallel()
	w := opened(t, setup{idle: true, limits: Limits{PerProject: 2, PerRun: 1}})
	w.addRun(t, "run")
	adHoc := func() error {
		_, _, err := w.Create(t.Context(), Create{Settings: Settings{URL: "https://c.example/", Events: []string{succeeded}, Condition: Condition{Run: "run"}}, AdHoc: true})
		return err
	}
	must(0, adHoc())(t)
	w.platform(t, "https://a.example/")
	w.standard(t, "https://b.example/")
	_, _, err := w.Create(t.Context(), Create{Settings: Settings{URL: "https://c.example/", Events: []string{succeeded}}})
	fails(t, err, errtypes.Forbidden, "", "2 webhooks")
	_, _, err = w.Create(t.Context(), Create{Settings: Settings{URL: "https://b.example/", Events: []string{completed}}})
	fails(t, err, errtypes.Conflict, "", "this URL")
	fails(t, adHoc(), errtypes.Forbidden, "", "1 ad hoc")
	if errtypes.Public(adHoc()).Type != errtypes.TypeTooManyWebhooks {
		t.Error(adHoc())
	}
	if _, _, err := w.Create(w.another(t, "other"), Create{Settings: Settings{URL: "https://b.example/", Events: []string{completed}}}); err != nil {
		t.Error(err)
	}
}

// Who is told of what: of the project, an Actor, a task, a run.
func TestConditions(t *testing.T) {
	t.Parallel()
	w := opened(t, setup{idle: true})
	for url, c := range map[string]Condition{"all": {}, "actor": {Actor: "a"}, "task": {Task: "t"}, "run": {Run: "r"}} {
		w.platform(t, "https://x.example/"+url, func(s *Settings) { s.Condition, s.Events = c, []string{succeeded, "ACTOR.BUILD.SUCCEEDED"} })
	}
	other := w.another(t, "other")
	for name, c := range map[string]struct {
		event Event
		want  string
	}{
		"run of a task":  {Event{Type: succeeded, Actor: "a", Task: "t", Run: "x"}, "actor all task"},
		"the run":        {Event{Type: succeeded, Actor: "b", Run: "r"}, "all run"},
		"all":            {Event{Type: succeeded, Actor: "a", Task: "t", Run: "r"}, "actor all run task"},
		"build":          {Event{Type: "ACTOR.BUILD.SUCCEEDED", Actor: "a", Build: "b"}, "actor all"},
		"other event":    {Event{Type: "ACTOR.RUN.FAILED", Actor: "a", Run: "r"}, ""},
		"another's":      {Event{ProjectID: w.projectID(t, other), Type: succeeded, Actor: "a", Run: "r"}, ""},
		"first protocol": {Event{Type: completed}, ""},
	} {
		before := len(w.dispatches(t))
		c.event.Object, c.event.Row = name, thing{}
		w.happen(t, c.event)
		var got []string
		for _, d := range w.dispatches(t)[before:] {
			got = append(got, d.Webhook.URL[len("https://x.example/"):])
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

// Of two changes at the same time each is kept.
func TestChangesAtTheSameTime(t *testing.T) {
	t.Parallel()
	var meanwhile func(ctx context.Context)
	w := opened(t, setup{idle: true, resolve: func(ctx context.Context, c Condition) (Condition, error) {
		if f := meanwhile; f != nil {
			meanwhile = nil
			f(ctx)
		}
		return c, nil
	}})
	h := w.platform(t, "https://receiver.example/", func(s *Settings) { s.Condition.Actor = "a" })
	title, description := "T", "D"
	meanwhile = func(ctx context.Context) { must(w.Update(ctx, h.ID, Update{Title: &title}))(t) }
	got := must(w.Update(t.Context(), h.ID, Update{Description: &description}))(t)
	if got.Title != title || got.Description != description {
		t.Errorf("%+v", got.Settings)
	}
}

// Ad hoc webhooks go with their run.
func TestAdHocWebhooks(t *testing.T) {
	t.Parallel()
	w := opened(t, setup{idle: true})
	project := w.projectID(t, t.Context())
	attach := func(run string) error {
		return w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
			return w.Attach(ctx, tx, project, run, []Settings{
				{URL: "https://x.example/ok", Events: []string{succeeded}}, {URL: "https://x.example/failed", Events: []string{"ACTOR.RUN.FAILED"}},
				{URL: "https://x.example/again", Events: []string{"ACTOR.RUN.RESURRECTED"}}, {URL: "https://x.example/once", Events: []string{succeeded}},
			}, []string{"", "", "", "key"})
		})
	}
	of := func(run string) (urls []string) {
		for _, h := range must(w.List(t.Context(), Filter{Run: run}))(t).Items {
			urls = append(urls, h.URL[len("https://x.example/"):])
			if !h.AdHoc || h.Condition != (Condition{Run: run}) {
				t.Errorf("%+v", h)
			}
		}
		slices.Sort(urls)
		return urls
	}
	for _, run := range []string{"r1", "r2"} {
		w.addRun(t, run)
		must(0, attach(run))(t)
	}
	if got := [2]string{strings.Join(of("r1"), " "), strings.Join(of("r2"), " ")}; got != [2]string{"again failed ok once", "again failed ok"} {
		t.Errorf("%q", got)
	}
	w.happen(t, ended("r1", 1))
	if got := strings.Join(of("r1"), " "); got != "again ok once" { // the one that has failed never comes any more
		t.Errorf("%q", got)
	}
	if n := len(w.dispatches(t)); n != 2 {
		t.Errorf("%d dispatches", n)
	}
	w.write(t, func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM actor_runs WHERE id = 'r1'`)
		return err
	})
	if len(of("r1")) != 0 || len(w.dispatches(t)) != 0 || len(of("r2")) != 3 {
		t.Errorf("%v %v", of("r1"), of("r2"))
	}
	if err := attach("no such run"); err == nil {
		t.Error("a run that there is not got webhooks")
	}
}

func TestSecretsAreRotated(t *testing.T) {
	t.Parallel()
	w, r := opened(t, setup{}), receive(t, nil)
	h, one := w.standard(t, r.URL)
	signedBy := func(want ...string) {
		t.Helper()
		w.happen(t, done("x", 1))
		m := <-r.got
		at := must(unix(m.Header.Get("webhook-timestamp")))(t)
		if got := m.Header.Get("webhook-signature"); got != hooks.Sign(want, m.id(), at, m.body) {
			t.Errorf("%q is not by %d secrets", got, len(want))
		}
	}
	signedBy(one)
	w.clock.Advance(time.Second)
	two := must(w.RotateSecret(t.Context(), h.ID, false))(t)
	signedBy(two, one)
	w.clock.Advance(formerTime)
	signedBy(two)
	three := must(w.RotateSecret(t.Context(), h.ID, true))(t)
	signedBy(three)
	all := []string{three}
	for range 10 {
		w.clock.Advance(time.Second)
		all = append([]string{must(w.RotateSecret(t.Context(), h.ID, false))(t)}, all...)
	}
	signedBy(all[:1+maxFormer]...) // as many as are sent with each message
	fails(t, second(w.RotateSecret(t.Context(), w.platform(t, r.URL).ID, false)), errtypes.Invalid, "id", "not signed")
	fails(t, second(w.RotateSecret(t.Context(), "x", false)), errtypes.NotFound, "", "no webhook")
}

// Secrets lie sealed, and are sealed again when the master key changes.
func TestSecretsAreSealed(t *testing.T) {
	t.Parallel()
	old, now := seal.NewKey(), seal.NewKey()
	w := opened(t, setup{idle: true, keys: seal.NewRing(old)})
	h, secret := w.standard(t, "https://x.example/")
	all := must(Sealed(t.Context(), w.db))(t)
	if len(all.Keys) != 1 || strings.Contains(string(all.Keys[0].Key), secret) {
		t.Errorf("%+v", all)
	}
	both := seal.NewRing(now, old)
	if n := must(Reseal(t.Context(), w.db, both))(t); n != 1 {
		t.Errorf("%d are sealed again", n)
	}
	w.conf.Keys = seal.NewRing(now)
	w.write(t, func(ctx context.Context, tx *storage.Tx) error {
		kept, err := secretsOf(ctx, tx, h.ID, w.now())
		if got := must(w.open(kept))(t); got[0] != secret {
			t.Error("another secret came back")
		}
		return err
	})
	w.conf.Keys = seal.NewRing(seal.NewKey())
	_, err := w.open(must(Sealed(t.Context(), w.db))(t).Keys)
	fails(t, err, errtypes.Unavailable, "", "master key")
}

// A private receiver whose name is found out only when it is sent to is refused then.
func TestNamesThatLeadInsideAreRefused(t *testing.T) {
	t.Parallel()
	w, r := opened(t, setup{private: true}), receive(t, nil)
	w.platform(t, strings.Replace(r.URL, "127.0.0.1", "localhost", 1), func(s *Settings) { s.DoNotRetry = true })
	w.happen(t, ended("x", 1))
	d := w.over(t, w.dispatches(t)[0].ID)
	if d.Status != Failed || !strings.Contains(d.Attempts[0].Error, "Options.AllowPrefixes") || len(r.got) > 0 {
		t.Errorf("%+v", d)
	}
}

// Who is not told costs one search, and no list a walk.
func TestQueriesSearch(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	plan := storagetest.QueryPlan(t, db, matching)
	if !strings.HasPrefix(plan, "SEARCH e USING PRIMARY KEY (project_id=? AND event=? AND run_id=?)") || strings.Contains(plan, "SCAN") {
		t.Error(plan)
	}
	count := func(f Filter) string { return `SELECT count(*) FROM webhook_dispatches WHERE ` + f.listed() }
	for query, index := range map[string]string{
		`SELECT w.id FROM webhooks w` + lasting + ` ORDER BY w.created_at, w.id`: "webhooks_listed (project_id=?)", `SELECT w.id FROM webhooks w` + paged: "webhooks_listed (project_id=? AND (created_at,id)<(?,?))",
		`SELECT w.id FROM webhooks w` + ofRun + ` ORDER BY w.created_at, w.id`: "webhooks_for_run (run_id=?)", `SELECT count(*) FROM webhooks WHERE project_id = $1 AND ad_hoc_run IS NULL`: "webhooks_listed (project_id=?)",
		count(Filter{Protocol: Platform}): "COVERING INDEX webhook_dispatches_of_project (project_id=?)", count(Filter{Protocol: Standard}): "INDEX webhooks_by_url (project_id=?)",
		count(Filter{Webhook: "w"}): "COVERING INDEX webhook_dispatches_of_webhook (webhook_id=?)", count(Filter{Webhook: "w", Status: Failed}): "COVERING INDEX webhook_dispatches_by_status (webhook_id=? AND status=?)",
	} {
		if plan := storagetest.QueryPlan(t, db, query); !strings.Contains(plan, index) || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s: %s", query, plan)
		}
	}
	for name, query := range map[string]string{
		"secrets":  `SELECT id FROM webhook_secrets WHERE webhook_id = $1 ORDER BY created_at DESC`,
		"next":     `SELECT min(number) FROM webhook_dispatches WHERE webhook_id = $1 AND object = $2 AND status = 'ACTIVE' AND waits = 1`,
		"active":   `SELECT 1 FROM webhook_dispatches WHERE webhook_id = $1 AND object = $2 AND status = 'ACTIVE'`,
		"many":     manyActive,
		"list":     `SELECT id FROM webhook_dispatches WHERE project_id = $1 ORDER BY number LIMIT $2 + 0`,
		"webhooks": `SELECT id FROM webhook_dispatches WHERE webhook_id = $1 ORDER BY number DESC LIMIT $2 + 0`,
		"blobs":    `SELECT 1 FROM webhook_dispatches WHERE body_key = $1 AND body_key <> ''`,
		"ended":    `SELECT number FROM webhook_dispatches WHERE finished_at > 0 AND finished_at < $1 ORDER BY finished_at LIMIT $2 + 0`,
	} {
		storagetest.SearchesOnly(t, db, name, query)
	}
}

// A project's receiver that is deleted while it is sent to leaves nothing.
func TestAWebhookIsDeletedWhileItIsSent(t *testing.T) {
	t.Parallel()
	w := opened(t, setup{})
	deleted, began := make(chan struct{}), make(chan struct{}, 1)
	r := receive(t, func(http.ResponseWriter, *http.Request) {
		began <- struct{}{}
		<-deleted
	})
	h := w.platform(t, r.URL)
	w.happen(t, ended("x", 1), ended("x", 2))
	<-began
	must(0, w.Delete(t.Context(), h.ID))(t)
	close(deleted)
	now, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	must(0, w.queue.Stop(now))(t)
	left := must(storage.ReadOne(t.Context(), w.db, func(ctx context.Context, q storage.Querier) (int, error) {
		return storage.Column[int](q.QueryRow(ctx, `SELECT (SELECT count(*) FROM jobs) + (SELECT count(*) FROM webhook_dispatches) + (SELECT coalesce(sum(active), 0) FROM webhook_loads)`))
	}))(t)
	if left > 0 || len(r.got) != 1 {
		t.Errorf("%d rows are left, %d requests", left, len(r.got))
	}
}
