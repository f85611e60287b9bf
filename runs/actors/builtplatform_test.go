package actors

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// listening is a websocket of events for programs without packages: Node.js 20 has none of
// its own.
const listening = `
import http from "node:http"; import { EventEmitter } from "node:events"; import { randomBytes } from "node:crypto";
const socket = new EventEmitter();
await new Promise((done, fail) => {
	const request = http.get(e.ACTOR_EVENTS_WEBSOCKET_URL.replace("ws:", "http:"), { headers: { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": randomBytes(16).toString("base64") } });
	request.on("response", r => fail(new Error("status " + r.statusCode)));
	request.on("upgrade", (_, conn, head) => {
		let rest = head;
		const read = more => {
			rest = Buffer.concat([rest, more]);
			while (rest.length > 1) {
				let size = rest[1] & 127, at = 2;
				if (size === 126) { if (rest.length < 4) return; size = rest.readUInt16BE(2); at = 4; }
				if (rest.length < at + size) return;
				if ((rest[0] & 15) === 1) { const event = JSON.parse(rest.subarray(at, at + size)); socket.emit(event.name, event.data, event); }
				rest = rest.subarray(at + size);
			}
		};
		conn.on("data", read); conn.on("end", () => conn.end()); read(Buffer.alloc(0)); done();
	});
	request.on("error", fail);
});
`

func TestBuiltActorsHearEvents(t *testing.T) {
	t.Parallel()
	w := playing(t, yard{})
	a := w.made(t, "hears", listening+`
		const heard = [];
		for (const name of ["systemInfo", "persistState", "aborting"]) socket.on(name, async (data, event) => {
			if (heard.some(h => h.name === name)) return;
			heard.push(event); console.log("heard " + name);
			if (heard.length === 3) { await put("HEARD", heard); process.exit(0); }
		});`)
	r := must(w.Start(t.Context(), a.ID, Start{}))(t)
	w.saysOf(t, r, "heard systemInfo")
	if live := must(w.service.Run(t.Context(), r.ID))(t); live.Stats.Usage.MemoryNow == 0 || live.Stats.Usage.Measured == 0 {
		t.Errorf("%+v", live.Stats.Usage)
	}
	must(w.Abort(t.Context(), r.ID, true))(t)
	if r = w.ended(t, r); r.Status != Aborted || r.ExitCode == nil || *r.ExitCode != 0 {
		t.Fatalf("%+v\n%s", r, w.said(t, r))
	}
	var heard []struct {
		Name      string
		CreatedAt time.Time
		Data      map[string]any
	}
	must(0, json.Unmarshal([]byte(w.recordOf(t, r, "HEARD")), &heard))(t)
	for _, h := range heard {
		if h.CreatedAt.IsZero() || h.Data == nil {
			t.Errorf("%+v", h)
		}
		if h.Name == "systemInfo" && (h.Data["memCurrentBytes"].(float64) <= 0 || h.Data["isCpuOverloaded"] == nil || h.Data["createdAt"] == nil) {
			t.Errorf("%+v", h)
		}
	}
}

// The environment is that of the hosted service's runs.
func TestTheEnvironmentOfBuiltActors(t *testing.T) {
	t.Parallel()
	w := playing(t, yard{})
	a := must(w.CreateActor(t.Context(), CreateActor{Name: "env", Versions: []Version{{
		Number: "0.1", Files: filesOf(map[string]string{"main.mjs": helpers + `console.log("secret: " + e.SECRET, "token: " + e.APIFY_TOKEN); 
			const { createServer } = await import("node:http"), server = createServer((q, s) => s.end("served")).listen(e.ACTOR_WEB_SERVER_PORT, "127.0.0.1");
			e.WEB = await (await fetch(e.ACTOR_WEB_SERVER_URL)).text(); server.close(); server.closeAllConnections(); await put("OUTPUT", e);`, "package.json": `{"main":"main.mjs"}`}),
		EnvVars: []EnvVar{{Name: "PLAIN", Value: "a=b"}, {Name: "SECRET", Value: "hunter22", Secret: true}, {Name: "APIFY_TOKEN", Value: "own", Secret: true}, {Name: "DROVER_CHILD", Value: "/"}},
	}}}))(t)
	if b := w.finished(t, w.begin(t, a)); b.Status != Succeeded {
		t.Fatal(w.log(t, b))
	}
	minute := time.Minute
	task := must(w.CreateTask(t.Context(), CreateTask{Actor: a.ID, Name: "task"}))(t)
	r := must(w.StartTask(t.Context(), task.ID, Start{Options: RunOptions{Timeout: &minute, Memory: 512, MaxItems: 5, MaxTotalCharge: 1.5, RestartOnError: new(true)}, Meta: Meta{Origin: "CLI"}}))(t)
	if r = w.ended(t, r); r.Status != Succeeded {
		t.Fatalf("%+v\n%s", r, w.said(t, r))
	}
	var env map[string]string
	must(0, json.Unmarshal([]byte(w.recordOf(t, r, "OUTPUT")), &env))(t)
	for names, want := range map[string]string{
		"ACTOR_ID APIFY_ACTOR_ID APIFY_ACT_ID": a.ID, "ACTOR_RUN_ID APIFY_ACTOR_RUN_ID APIFY_ACT_RUN_ID": r.ID, "ACTOR_TASK_ID APIFY_ACTOR_TASK_ID": task.ID,
		"ACTOR_DEFAULT_KEY_VALUE_STORE_ID APIFY_DEFAULT_KEY_VALUE_STORE_ID": r.KeyValueStoreID, "ACTOR_DEFAULT_DATASET_ID APIFY_DEFAULT_DATASET_ID": r.DatasetID,
		"ACTOR_DEFAULT_REQUEST_QUEUE_ID APIFY_DEFAULT_REQUEST_QUEUE_ID": r.RequestQueueID, "ACTOR_INPUT_KEY APIFY_INPUT_KEY": "INPUT", "ACTOR_MEMORY_MBYTES APIFY_MEMORY_MBYTES": "512",
		"ACTOR_BUILD_ID APIFY_ACTOR_BUILD_ID": r.BuildID, "ACTOR_BUILD_NUMBER": "0.1.1", "ACTOR_TIMEOUT_AT APIFY_TIMEOUT_AT": isoTime(r.DeadlineAt()), "ACTOR_STARTED_AT": isoTime(r.Stats.TimedFrom),
		"APIFY_IS_AT_HOME": "1", "APIFY_META_ORIGIN": "CLI", "APIFY_DEDICATED_CPUS": "0.125", "ACTOR_FULL_NAME": "default/env", "ACTOR_MAX_PAID_DATASET_ITEMS": "5",
		"ACTOR_MAX_TOTAL_CHARGE_USD": "1.5", "ACTOR_RESTART_ON_ERROR": "1", "PLAIN": "a=b", "SECRET": "hunter22", "APIFY_CHROME_EXECUTABLE_PATH APIFY_DEFAULT_BROWSER_PATH": "/opt/chromium", "APIFY_HEADLESS": "1",
		"ACTOR_BUILD_TAGS": "latest", "ACTOR_PERMISSION_LEVEL": "LIMITED_PERMISSIONS", "WEB": "served", "APIFY_CONTAINER_URL": env["ACTOR_WEB_SERVER_URL"], "APIFY_CONTAINER_PORT": env["ACTOR_WEB_SERVER_PORT"],
		"CRAWLEE_DISABLE_BROWSER_SANDBOX": "1",
	} {
		for name := range strings.FieldsSeq(names) {
			if env[name] != want {
				t.Errorf("%s is %q, not %q", name, env[name], want)
			}
		}
	}
	if env["APIFY_TOKEN"] == "own" || env["DROVER_CHILD"] == "/" || !strings.HasPrefix(env["APIFY_API_BASE_URL"], "http://127.0.0.1:") || env["ACTOR_EVENTS_WEBSOCKET_URL"] != env["APIFY_ACTOR_EVENTS_WS_URL"] {
		t.Errorf("%v", env)
	}
	if said := w.said(t, r); said != "secret: {SECRET} token: {APIFY_TOKEN}\n" {
		t.Errorf("%q", said)
	}
	status := func(token, path string) int {
		request := must(http.NewRequestWithContext(t.Context(), "GET", env["APIFY_API_BASE_URL"]+path, nil))(t)
		if token != "" {
			request.Header.Set("Authorization", "bearer "+token)
		}
		answer := must(http.DefaultClient.Do(request))(t)
		answer.Body.Close()
		return answer.StatusCode
	}
	// Its token has ended with it.
	for _, token := range []string{"", "none", env["APIFY_TOKEN"], TokenPrefix + r.ID + "_"} {
		if got := status(token, "/v2/me"); got != http.StatusUnauthorized {
			t.Errorf("%q: %d", token, got)
		}
	}
	if got := status("", strings.TrimPrefix(env["ACTOR_EVENTS_WEBSOCKET_URL"], "ws"+strings.TrimPrefix(env["APIFY_API_BASE_URL"], "http"))); got != http.StatusUnauthorized {
		t.Errorf("events: %d", got)
	}
	http.DefaultClient.CloseIdleConnections()
}

// Of a host without a platform a run hears that this is not implemented.
func TestRunsWithoutAPlatform(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{})
	a := w.made(t, "asks", `const r = await fetch(base + "/users/me?token=" + e.APIFY_TOKEN); console.log(r.status, (await r.json()).error.type);
		const none = await fetch(base + "/users/me"); console.log(none.status, (await none.json()).error.type);`)
	r := w.ran(t, a, Start{})
	if said := w.said(t, r); said != "501 not-implemented\n401 token-not-provided\n" {
		t.Errorf("%+v %q", r, said)
	}
}

// Each run has a copy of the program that it may change, and what is installed is shared.
func TestBuiltActorsHaveCopies(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{})
	a := w.made(t, "copies", `import fs from "node:fs"; import sub from "./sub/x.mjs";
		console.log(fs.existsSync("mark"), sub, process.cwd() !== fs.realpathSync("/")); fs.writeFileSync("mark", "x"); fs.writeFileSync("main.mjs", "");
		for (const dir of ["tmp", "home"]) fs.writeFileSync(process.env[dir === "tmp" ? "TMPDIR" : "HOME"] + "/x", "");`,
		map[string]string{"sub/x.mjs": `export default "sub";`})
	for range 2 {
		if r := w.ran(t, a, Start{}); r.Status != Succeeded || w.said(t, r) != "false sub true\n" {
			t.Errorf("%+v\n%s", r, w.said(t, r))
		}
	}
}

func TestEnvironmentsAreMerged(t *testing.T) {
	t.Parallel()
	got := environ([]string{"A=1", "B=1"}, []string{"B=2=3", "DROVER_CHILD=x"}, nil, []string{"C="})
	if want := []string{"A=1", "B=2=3", "C="}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// What is installed is not copied: it is found through a link, commands included, and no
// run can change it.
func TestBuiltActorsShareWhatIsInstalled(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{})
	a := w.newActor(t, "installed", map[string]string{
		"package.json":     `{"name":"a","version":"1.0.0","scripts":{"start":"tool main.mjs"},"dependencies":{"dep":"file:./dep"}}`,
		"dep/package.json": `{"name":"dep","version":"1.0.0","main":"i.js","bin":{"tool":"tool.js"}}`, "dep/i.js": `module.exports = "dep";`,
		"dep/tool.js": "#!/usr/bin/env node\nimport(require('path').resolve(process.argv[2]));",
		"main.mjs": `import dep from "dep"; import fs from "node:fs"; let how = "changed"; try { fs.writeFileSync("node_modules/dep/i.js", ""); } catch (err) { how = err.code; }
			console.log(dep, fs.lstatSync("node_modules").isSymbolicLink(), how);`,
	})
	if b := w.finished(t, w.begin(t, a)); b.Status != Succeeded {
		t.Fatal(w.log(t, b))
	}
	want := "dep true changed\n" // programs are the host's user, and as trusted
	if os.Geteuid() == 0 {
		want = "dep true EACCES\n"
	}
	if r := w.ran(t, a, Start{}); w.said(t, r) != want {
		t.Errorf("%+v\n%s", r, w.said(t, r))
	}
}
