package platform_test

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/records"
)

const refused = "403 insufficient-permissions"

// A process of a run works with its stores and its run, with no adapter mounted.
func TestRunsUseTheirOwnStores(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	a := h.made(t, "works", "", `
		saw.n = input.n;
		await see("push", "POST", "/datasets/" + ds + "/items", [{ n: 1 }, { n: 2 }]);
		saw.items = JSON.stringify((await ask("GET", "/datasets/" + ds + "/items?clean=1")).data);
		await see("add", "POST", "/request-queues/" + rq + "/requests/batch?clientKey=one", [{ url: "http://a/1", uniqueKey: "1" }, { url: "http://a/2", uniqueKey: "2" }]);
		const head = await see("lock", "POST", "/request-queues/" + rq + "/head/lock?limit=1&lockSecs=60&clientKey=one");
		const id = head.data.items[0].id;
		saw.locked = head.data.items.length;
		saw.left = (await ask("POST", "/request-queues/" + rq + "/head/lock?limit=5&lockSecs=60&clientKey=two")).data.items.map(i => i.uniqueKey).join();
		await see("prolong", "PUT", "/request-queues/" + rq + "/requests/" + id + "/lock?lockSecs=30&clientKey=another"); // the lock is the run's, too
		await see("handle", "PUT", "/request-queues/" + rq + "/requests/" + id + "?clientKey=one", { id, url: "http://a/1", uniqueKey: "1", handledAt: new Date().toISOString() });
		const named = await see("named", "POST", "/key-value-stores?name=made-by-it");
		saw.maker = named.data.actRunId === e.ACTOR_RUN_ID && named.data.actId === e.ACTOR_ID;
		await see("write", "PUT", "/key-value-stores/~made-by-it/records/X", 1);
		await see("again", "POST", "/key-value-stores?name=made-by-it");
		const store = (await ask("GET", "/key-value-stores/" + kv)).data;
		saw.home = store.keysPublicUrl.startsWith(base);
		saw.signed = (await fetch(store.keysPublicUrl)).status;
		saw.forged = (await fetch(store.keysPublicUrl + "x")).status;
		saw.unsigned = (await fetch(base + "/key-value-stores/" + kv + "/keys")).status;
		const me = (await see("me", "GET", "/users/me")).data;
		saw.proxy = me.proxy.password.length > 20 && me.proxy.password === e.APIFY_PROXY_PASSWORD && e.APIFY_PROXY_STATUS_URL === "http://" + e.APIFY_PROXY_HOSTNAME + ":" + e.APIFY_PROXY_PORT;
		saw.plan = me.plan === undefined && me.profile === undefined && me.username !== undefined;
		await see("message", "PUT", "/actor-runs/" + e.ACTOR_RUN_ID, { statusMessage: "working", level: "INFO" });
		saw.status = (await ask("GET", "/actor-runs/" + e.ACTOR_RUN_ID)).data.statusMessage;
		saw.path = (await see("query token", "GET", "/actor-runs/" + e.ACTOR_RUN_ID + "/dataset?token=" + e.APIFY_TOKEN, undefined, {})).data.id === ds;
		await see("wrong token", "GET", "/users/me", undefined, { authorization: "Bearer " + e.APIFY_TOKEN + "x" });
		await see("no token", "GET", "/users/me", undefined, {});
		await see("unknown", "GET", "/nothing");
		await see("unserved", "GET", "/tools/x");
		await done();`)
	r := h.ran(t, a, `{"n":7}`)
	h.saw(t, r, map[string]any{
		"n": 7.0, "push": 201.0, "items": `[{"n":1},{"n":2}]`, "add": 201.0, "lock": 201.0, "locked": 1.0, "left": "2", "prolong": 200.0, "handle": 200.0,
		"named": 201.0, "maker": true, "write": 201.0, "again": 200.0, "home": true, "signed": 200.0, "forged": 400.0, "unsigned": 401.0, "me": 200.0, "proxy": true, "plan": true, "message": 200.0, "status": "working",
		"query token": 200.0, "path": true, "wrong token": "401 invalid-token", "no token": "401 token-not-provided", "unknown": "404 page-not-found", "unserved": "400 not-implemented",
	})
	// What it had locked is free again with its end.
	head := must(h.Records.LockHead(t.Context(), r.RequestQueueID, 5, time.Minute, records.Client{Key: "three"}))(t)
	if len(head.Requests) != 1 || head.Requests[0].UniqueKey != "2" {
		t.Errorf("%+v", head)
	}
}

// A run with limited permissions has what is its own, what its input names, and no more.
func TestRunsWithLimitedPermissions(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	other, granted := h.foreign(t, records.Dataset, "other-items"), h.foreign(t, records.Dataset, "granted-items")
	queue, values := h.foreign(t, records.RequestQueue, "other-queue"), h.foreign(t, records.KeyValueStore, "other-values")
	full := h.made(t, "full", actors.FullPermissions, `await see("foreign", "GET", "/datasets/" + input.other); await see("list", "GET", "/datasets");
		await see("webhook", "POST", "/webhooks", { eventTypes: ["ACTOR.RUN.FAILED"], requestUrl: "https://receiver.example/", condition: {}, idempotencyKey: "known", headersTemplate: '{"authorization":"secret"}' });
		const { data: schedule } = await see("schedule", "POST", "/schedules", { name: "by-a-run", actions: [{ type: "RUN_ACTOR", actorId: "~echo" }] });
		await see("invoke", "POST", "/schedules/" + schedule.id + "/invoke");
		const { data } = await see("start", "POST", "/actors/~echo/runs?waitForFinish=60", { store: input.other }); saw.origin = data.meta.origin; await done();`)
	limited := h.made(t, "limited", actors.LimitedPermissions, `
		if (input.child) {
			await see("named in its input", "GET", "/datasets/" + input.child);
			await see("input of its starter", "PUT", "/key-value-stores/" + input.starter + "/records/INPUT", { x: input.child });
			await see("store of its starter", "PUT", "/key-value-stores/" + input.starter + "/records/X", 1);
			await done(); process.exit(0);
		}
		await see("foreign", "GET", "/datasets/" + input.id.slice(1));
		await see("push", "POST", "/datasets/~other-items/items", { n: 1 });
		await see("foreign queue", "POST", "/request-queues/" + input.queue.slice(1) + "/head/lock?lockSecs=1");
		await see("foreign record", "GET", "/key-value-stores/~other-values/records/X");
		await see("by name", "POST", "/datasets?name=other-items");
		await see("missing", "GET", "/datasets/~no-such-items");
		await see("granted", "GET", "/datasets/~granted-items");
		await see("push granted", "POST", "/datasets/" + input.granted + "/items", { n: 1 });
		await see("list", "GET", "/datasets");
		await see("runs", "GET", "/actor-runs");
		await see("another run", "GET", "/actor-runs/" + input.run);
		await see("charge", "POST", "/actor-runs/" + e.ACTOR_RUN_ID + "/charge", { eventName: "page", count: 2 });
		await see("charge of another run", "POST", "/actor-runs/" + input.run + "/charge", { eventName: "page" });
		await see("builds", "GET", "/actor-builds");
		await see("build", "POST", "/actors/~echo/builds?version=0.1");
		await see("log of a build", "GET", "/logs/" + e.ACTOR_BUILD_ID);
		await see("its log", "GET", "/logs/" + input.run);
		await see("its store", "GET", "/actor-runs/" + input.run + "/dataset/items");
		await see("last", "GET", "/actors/~full/runs/last");
		await see("actors", "GET", "/actors");
		await see("full Actor", "GET", "/actors/~full");
		saw.versions = (await see("Actor", "GET", "/actors/" + e.ACTOR_ID)).data.versions.length;
		await see("delete actor", "DELETE", "/actors/~full");
		await see("task", "POST", "/actor-tasks", { actId: e.ACTOR_ID });
		const hook = (more) => ({ eventTypes: ["ACTOR.RUN.SUCCEEDED"], requestUrl: "https://receiver.example/", ...more });
		await see("webhooks", "GET", "/webhooks");
		await see("webhook of the project", "POST", "/webhooks", hook({ condition: {} }));
		await see("webhook of its Actor", "POST", "/webhooks", hook({ condition: { actorId: e.ACTOR_ID } }));
		await see("lasting webhook of itself", "POST", "/webhooks", hook({ condition: { actorRunId: e.ACTOR_RUN_ID } }));
		await see("webhook of another run", "POST", "/webhooks", hook({ isAdHoc: true, condition: { actorRunId: input.run } }));
		const own = await see("webhook of itself", "POST", "/webhooks", hook({ isAdHoc: true, condition: { actorRunId: e.ACTOR_RUN_ID }, eventTypes: ["ACTOR.RUN.FAILED"] }));
		await see("webhook by a known key", "POST", "/webhooks", hook({ isAdHoc: true, condition: { actorRunId: e.ACTOR_RUN_ID }, idempotencyKey: "known" }));
		await see("test of a webhook", "POST", "/webhooks/" + own.data.id + "/test");
		await see("dispatches", "GET", "/webhook-dispatches");
		await see("webhooks of an Actor", "GET", "/actors/" + e.ACTOR_ID + "/webhooks");
		await see("schedules", "GET", "/schedules");
		await see("schedule", "POST", "/schedules", { actions: [{ type: "RUN_ACTOR", actorId: "~full" }] });
		await see("change of a schedule", "PUT", "/schedules/~by-a-run", { actions: [{ type: "RUN_ACTOR", actorId: "~full" }] });
		await see("invocation", "POST", "/schedules/~by-a-run/invoke");
		await see("own input", "PUT", "/key-value-stores/" + kv + "/records/INPUT", {});
		await see("own input below", "DELETE", "/actor-runs/" + e.ACTOR_RUN_ID + "/key-value-store/records/INPUT");
		await see("start full", "POST", "/actors/~full/runs", {});
		await see("force full", "POST", "/actors/~echo/runs?forcePermissionLevel=FULL_PERMISSIONS", {});
		await see("sync full", "POST", "/actors/~full/run-sync", {});
		await see("become full", "POST", "/actor-runs/" + e.ACTOR_RUN_ID + "/metamorph?targetActorId=~full", {});
		const { data: echo } = await see("start", "POST", "/actors/~echo/runs?waitForFinish=60", { n: 1 });
		saw.echo = echo.status + " " + echo.meta.origin;
		await see("its items", "GET", "/datasets/" + echo.defaultDatasetId + "/items");
		await see("its output", "GET", "/actor-runs/" + echo.id + "/key-value-store/records/OUTPUT");
		const { data: child } = await see("start itself", "POST", "/actors/" + e.ACTOR_ID + "/runs?memory=512&waitForFinish=60", { child: input.id.slice(1), starter: kv });
		saw.child = child.status;
		Object.assign(saw, (await ask("GET", "/key-value-stores/" + child.defaultKeyValueStoreId + "/records/OUTPUT")).data);
		await done();`)
	first := h.ran(t, full, `{"other":"`+other.ID+`"}`)
	h.saw(t, first, map[string]any{"foreign": 200.0, "list": 200.0, "webhook": 201.0, "schedule": 201.0, "invoke": 201.0, "start": 201.0, "origin": "ACTOR"})
	// Ids that do not stand by themselves name nothing.
	r := h.ran(t, limited, `{"id":"!`+other.ID+`","queue":"!`+queue.ID+`","values":"!`+values.ID+`","granted":["`+granted.ID+`"],"run":"`+first.ID+`"}`)
	h.saw(t, r, map[string]any{
		"foreign": refused, "push": refused, "foreign queue": refused, "foreign record": refused, "by name": refused, "missing": "404 record-not-found", "granted": 200.0, "push granted": 201.0,
		"list": refused, "runs": refused, "charge": 201.0, "charge of another run": refused, "builds": refused, "build": refused, "log of a build": "404 record-not-found", "another run": refused, "its log": refused, "its store": refused, "last": refused, "actors": refused, "full Actor": refused, "Actor": 200.0, "versions": 0.0, "delete actor": refused, "task": refused,
		"webhooks": refused, "webhook of the project": refused, "webhook of its Actor": refused, "lasting webhook of itself": refused, "webhook of another run": refused, "webhook of itself": 201.0, "webhook by a known key": refused,
		"test of a webhook": refused, "dispatches": refused, "webhooks of an Actor": refused, "schedules": refused, "schedule": refused, "change of a schedule": refused, "invocation": refused,
		"own input": refused, "own input below": refused, "start full": refused, "force full": refused, "sync full": refused, "become full": refused,
		"start": 201.0, "echo": "SUCCEEDED ACTOR", "its items": 200.0, "its output": 200.0, "start itself": 201.0, "child": "SUCCEEDED",
		"named in its input": refused, "input of its starter": refused, "store of its starter": 201.0,
	})
}

// What a run may do is forced for one run, or by the options of its Actor.
func TestForcedPermissions(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for name, c := range map[string]struct{ actor, options, run actors.Permissions }{
		"forced-up": {actors.LimitedPermissions, "", actors.FullPermissions}, "forced-down": {actors.FullPermissions, "", actors.LimitedPermissions},
		"by-options": {actors.LimitedPermissions, actors.FullPermissions, ""}, "over-options": {actors.LimitedPermissions, actors.FullPermissions, actors.LimitedPermissions},
	} {
		a := h.made(t, name, c.actor, `await see("list", "GET", "/datasets"); saw.level = e.ACTOR_PERMISSION_LEVEL; await done();`)
		must(h.Actors.UpdateActor(t.Context(), a.ID, actors.UpdateActor{Change: func(d *actors.Details) { d.Runs.Permissions = c.options }}))(t)
		r := must(h.Actors.Start(t.Context(), a.ID, actors.Start{Input: &actors.Input{Body: []byte("{}"), ContentType: "application/json"}, Options: actors.RunOptions{Memory: 512, Permissions: c.run}}))(t)
		r = must(h.Actors.Wait(t.Context(), r.ID, 2*time.Minute))(t)
		level := cmp.Or(c.run, c.options, c.actor)
		want := map[string]any{"list": refused, "level": string(level)}
		if level == actors.FullPermissions {
			want["list"] = 200.0
		}
		h.saw(t, r, want)
	}
}

// Elsewhere the token of a run lets in as much as at its own endpoint, and as long.
func TestTheTokenOfARunAtTheAdapter(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	other := h.foreign(t, records.Dataset, "other-items")
	a := h.made(t, "tells", "", `
		await ask("PUT", "/key-value-stores/" + kv + "/records/TOKEN", { token: e.APIFY_TOKEN });
		console.log("told"); setInterval(() => {}, 1000);`)
	r := must(h.Actors.Start(t.Context(), a.ID, actors.Start{Options: actors.RunOptions{Memory: 512}}))(t)
	for e, err := range h.Actors.FollowLog(t.Context(), r.ID) {
		if err != nil || strings.HasPrefix(e.Message, "ACTOR: Actor") {
			t.Fatal(err, e.Message)
		}
		if e.Message == "told" {
			break
		}
	}
	token, _ := h.record(t, r, "TOKEN")["token"].(string)
	adapter := httpadapter.New(h.Drover, httpadapter.Options{Logger: slog.New(slog.DiscardHandler)})
	status := func(path, query string) int {
		w := httptest.NewRecorder()
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path+query, nil)
		if query == "" {
			request.Header.Set("Authorization", "bearer "+token)
		}
		adapter.ServeHTTP(w, request)
		return w.Code
	}
	for path, want := range map[string]int{
		"/v2/actor-runs/" + r.ID: 200, "/v2/datasets/" + r.DatasetID: 200, "/v2/datasets/" + other.ID: 403, "/v2/datasets": 403, "/v2/users/me": 200, "/v1/agents": 401,
	} {
		if got := status(path, ""); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
	if got := status("/v2/users/me", "?token="+token); got != 200 {
		t.Errorf("in the query: %d", got)
	}
	must(h.Actors.Abort(t.Context(), r.ID, false))(t)
	must(h.Actors.Wait(t.Context(), r.ID, -1))(t)
	if got := status("/v2/actor-runs/"+r.ID, ""); got != 401 {
		t.Errorf("after its end: %d", got)
	}
}

// A process has what opens the secret fields of its input, and its log does not.
func TestAProcessOpensWhatIsSecret(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	a := h.builtOf(t, "opens", "", []actors.SourceFile{
		{Name: "main.mjs", Content: asking + `
			const { createPrivateKey, privateDecrypt, createDecipheriv } = await import("node:crypto");
			const key = createPrivateKey({ key: Buffer.from(e.APIFY_INPUT_SECRETS_PRIVATE_KEY_FILE, "base64"), passphrase: e.APIFY_INPUT_SECRETS_PRIVATE_KEY_PASSPHRASE });
			const [, sealedKey, sealed] = input.secret.split(":").map(x => Buffer.from(x, "base64"));
			const password = privateDecrypt(key, sealedKey);
			const d = createDecipheriv("aes-256-gcm", password.subarray(0, 32), password.subarray(32));
			d.setAuthTag(sealed.subarray(-16));
			saw.secret = Buffer.concat([d.update(sealed.subarray(0, -16)), d.final()]).toString();
			console.log("the key is " + e.APIFY_INPUT_SECRETS_PRIVATE_KEY_FILE);
			await done();`},
		{Name: "package.json", Content: `{"name":"a","main":"main.mjs"}`},
		{Name: "INPUT_SCHEMA.json", Content: `{"title":"Input","type":"object","schemaVersion":1,"properties":{
			"secret":{"title":"Secret","type":"string","description":"It lies sealed.","editor":"textfield","isSecret":true}}}`},
	})
	r := h.ran(t, a, `{"secret":"s3cr3t-ü"}`)
	h.saw(t, r, map[string]any{"secret": "s3cr3t-ü"})
	if log := h.said(t, r); !strings.Contains(log, "the key is {APIFY_INPUT_SECRETS_PRIVATE_KEY_FILE}") {
		t.Errorf("%.200s", log)
	}
}

// The schemas that an Actor has for its stores are those of the default stores of its
// runs: items and records are held against them, and views have names.
func TestDefaultStoresHaveTheSchemasOfTheirActor(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	files := func(fields string) []actors.SourceFile {
		return []actors.SourceFile{
			{Name: "main.mjs", Content: asking + `
				await see("good", "POST", "/datasets/" + ds + "/items", [{ title: "a", more: { n: 1 } }]);
				const bad = await see("bad", "POST", "/datasets/" + ds + "/items", [{ title: "b" }, { title: 1 }]);
				saw.position = bad.data?.error?.data?.invalidItems?.[0]?.itemPosition;
				saw.view = (await ask("GET", "/datasets/" + ds + "/items?view=short")).text.trim();
				await see("no view", "GET", "/datasets/" + ds + "/items?view=long");
				await see("picture", "PUT", "/key-value-stores/" + kv + "/records/shot-1", {});
				await see("collection", "GET", "/key-value-stores/" + kv + "/keys?collection=shots");
				await done();`},
			{Name: "package.json", Content: `{"name":"a","main":"main.mjs"}`},
			{Name: ".actor/actor.json", Content: `{"actorSpecification":1,"name":"a","version":"0.1","storages":{"dataset":"./dataset.json","keyValueStore":{
				"actorKeyValueStoreSchemaVersion":1,"title":"T","collections":{"shots":{"title":"S","keyPrefix":"shot-","contentTypes":["image/png"]}}}}}`},
			{Name: ".actor/dataset.json", Content: `{"actorSpecification":1,"fields":` + fields + `,
				"views":{"short":{"title":"S","transformation":{"fields":["more.n","title"],"flatten":["more"]},"display":{"component":"table"}}}}`},
		}
	}
	r := h.ran(t, h.builtOf(t, "schemed", "", files(`{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}`)), `{}`)
	h.saw(t, r, map[string]any{
		"good": 201.0, "bad": "400 schema-validation-error", "position": 1.0, "view": `[{"more.n":1,"title":"a"}]`, "no view": "400 requested-dataset-view-does-not-exist",
		"picture": "400 schema-validation-error", "collection": 200.0,
	})
	if s := must(h.Records.Get(t.Context(), records.Dataset, r.DatasetID))(t); s.Items != 1 || !strings.Contains(string(s.Schema), `"views"`) {
		t.Errorf("%+v", s)
	}
	// One that is not valid counts as none, and the log of the build says so.
	a := h.builtOf(t, "broken", "", files(`{"type":"none"}`))
	h.saw(t, h.ran(t, a, `{}`), map[string]any{
		"good": 201.0, "bad": 201.0, "view": `{"error":{"type":"requested-dataset-view-does-not-exist","message":"the dataset has no view \"short\""}}`, "no view": "400 requested-dataset-view-does-not-exist",
		"picture": "400 schema-validation-error", "collection": 200.0,
	})
	log := ""
	for e, err := range h.Actors.BuildLog(t.Context(), must(h.Actors.DefaultBuild(t.Context(), a.ID))(t).ID, false) {
		log += must(e, err)(t).Message + "\n"
	}
	if !strings.Contains(log, "Warning: the schema of the dataset is not valid, and counts as none: ") {
		t.Error(log)
	}
}

// Over HTTP a run says where it has put what the output schema of its Actor names.
func TestARunSaysWhereItsOutputIs(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	a := h.builtOf(t, "outputs", "", []actors.SourceFile{
		{Name: "main.mjs", Content: asking + `const { data } = await ask("GET", "/actor-runs/" + e.ACTOR_RUN_ID);
			saw.items = data.output.items === base + "/datasets/" + ds + "/items?view=x";
			saw.record = data.output.record === base + "/key-value-stores/" + kv + "/records/OUTPUT#" + data.id;
			saw.other = data.output.other; saw.names = Object.keys(data.output).sort().join(); await done();`},
		{Name: "package.json", Content: `{"name":"a","main":"main.mjs"}`},
		{Name: ".actor/actor.json", Content: `{"actorSpecification":1,"name":"a","version":"0.1","outputSchema":"./output.json"}`},
		{Name: ".actor/output.json", Content: `{"actorOutputSchemaVersion":1,"title":"O","properties":{
			"items":{"type":"string","title":"I","template":"{{links.apiDefaultDatasetUrl}}/items?view=x"},
			"record":{"type":"string","title":"R","template":"{{ links.apiDefaultKeyValueStoreUrl }}/records/OUTPUT#{{run.id}}"},
			"other":{"type":"string","title":"X","template":"{{links.none}}"}}}`},
	})
	h.saw(t, h.ran(t, a, `{}`), map[string]any{"items": true, "record": true, "other": "{{links.none}}", "names": "items,other,record"})
}
