package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/records"
)

// commandTool is the job platform's command line, unmodified, in the directory of an
// Actor.
type commandTool struct {
	*world
	t       *testing.T
	program string
	dir     string
	env     []string

	mu      sync.Mutex
	refused []string // requests that were not served, but for what is not there
}

func newCommandTool(t *testing.T) *commandTool {
	t.Helper()
	c := &commandTool{t: t, world: actorsWorld(t, config{realTime: true}), dir: t.TempDir()}
	c.program = filepath.Join(npmtest.Dir(t, "npm-actors"), "node_modules", "apify-cli", "dist", "apify.js")
	address := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := &statusOf{ResponseWriter: w}
		c.handler.ServeHTTP(seen, r)
		if seen.status >= 400 && seen.status != http.StatusNotFound {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.refused = append(c.refused, fmt.Sprintf("%d %s %s", seen.status, r.Method, r.URL))
		}
	}))
	c.env = append(os.Environ(), "HOME="+t.TempDir(), "APIFY_CLIENT_BASE_URL=http://"+address, "APIFY_CONSOLE_URL=http://"+address, "APIFY_DISABLE_KEYRING=1",
		"APIFY_CLI_DISABLE_TELEMETRY=1", "APIFY_CLI_SKIP_UPDATE_CHECK=1", "APIFY_CLI_SKIP_RENTAL_SUNSET_NOTICE=1", "CI=1", "NO_COLOR=1")
	return c
}

// statusOf keeps the status of an answer.
type statusOf struct {
	http.ResponseWriter
	status int
}

func (s *statusOf) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

func (s *statusOf) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// try runs a command, and returns what it has printed and what it says beside that.
func (c *commandTool) try(args ...string) (out, said string, err error) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", append([]string{c.program}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.dir, c.env, &stdout, &stderr
	err = cmd.Run()
	return stdout.String(), stderr.String(), err
}

// run runs a command that succeeds, and whose output has the texts.
func (c *commandTool) run(args []string, has ...string) (out string) {
	c.t.Helper()
	out, said, err := c.try(args...)
	if err != nil {
		c.t.Fatalf("%s: %v\n%s\n%s\n%s", strings.Join(args, " "), err, out, said, c.refusals())
	}
	for _, text := range has {
		if !strings.Contains(out+said, text) {
			c.t.Errorf("%s does not say %q:\n%s\n%s", strings.Join(args, " "), text, out, said)
		}
	}
	return out
}

// read runs a command whose output is JSON.
func (c *commandTool) read(into any, args ...string) {
	c.t.Helper()
	out := c.run(args)
	if err := json.Unmarshal([]byte(out), into); err != nil {
		c.t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (c *commandTool) refusals() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Join(c.refused, "\n")
}

// forget forgets what was refused as it had to be.
func (c *commandTool) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refused = nil
}

func (c *commandTool) write(files map[string]string) {
	c.t.Helper()
	for name, content := range files {
		path := filepath.Join(c.dir, filepath.FromSlash(name))
		must(0, os.MkdirAll(filepath.Dir(path), 0o755))(c.t)
		must(0, os.WriteFile(path, []byte(content), 0o600))(c.t)
	}
}

func words(text string) []string { return strings.Fields(text) }

// greeter is an Actor that greets whom its input names, in its dataset, in its output
// and in its log. It works where there is no platform, too.
var greeter = map[string]string{
	".actor/actor.json":        `{"actorSpecification":1,"name":"greeter","title":"Greeter","version":"0.1","buildTag":"latest","input":"./input_schema.json","environmentVariables":{"GREETING":"Hello"}}`,
	".actor/input_schema.json": `{"title":"Whom","type":"object","schemaVersion":1,"required":["name"],"properties":{"name":{"title":"Name","type":"string","description":"Whom.","editor":"textfield"},"times":{"title":"Times","type":"integer","description":"How often.","default":1}}}`,
	"package.json":             `{"name":"greeter","version":"0.0.1","type":"module","main":"main.js","scripts":{"start":"node main.js"}}`,
	"README.md":                "# Greeter\n",
	"main.js": `
import { readFile } from "node:fs/promises";
const e = process.env, base = e.APIFY_API_BASE_URL && e.APIFY_IS_AT_HOME ? e.APIFY_API_BASE_URL + "/v2" : null;
if (!base) {
  const path = (e.CRAWLEE_STORAGE_DIR ?? "storage") + "/key_value_stores/default/" + (e.ACTOR_INPUT_KEY ?? "INPUT");
  const input = JSON.parse(await readFile(path + ".json", "utf8").catch(() => readFile(path, "utf8")));
  console.log("locally: Hello " + input.name);
  process.exit(0);
}
const headers = { authorization: "Bearer " + e.APIFY_TOKEN, "content-type": "application/json" };
const input = await (await fetch(base + "/key-value-stores/" + e.ACTOR_DEFAULT_KEY_VALUE_STORE_ID + "/records/" + e.ACTOR_INPUT_KEY, { headers })).json();
const text = (e.GREETING ?? "no greeting") + " " + input.name + "!";
console.log(text);
await fetch(base + "/datasets/" + e.ACTOR_DEFAULT_DATASET_ID + "/items", { method: "POST", headers, body: JSON.stringify(Array(input.times).fill({ text })) });
await fetch(base + "/key-value-stores/" + e.ACTOR_DEFAULT_KEY_VALUE_STORE_ID + "/records/OUTPUT", { method: "PUT", headers, body: JSON.stringify({ text }) });
`,
}

// TestActorsCommandLine has the command line log in, push, build, call and look at what
// there is.
func TestActorsCommandLine(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "thirty starts of a command line")
	c := newCommandTool(t)
	c.run([]string{"login", "-t", c.words["<key>"]}, "default")
	c.write(greeter)

	// The first push of a new Actor needs a page of another host; this one is there.
	var made struct{ Data struct{ ID, Name string } }
	c.read(&made, "api", "POST", "acts", "-d", `{"name":"greeter","defaultRunOptions":{"memoryMbytes":512}}`)
	id := made.Data.ID
	c.run(words("push --force"), "0.1", "SUCCEEDED", "Building version 0.1 as 0.1.1")

	out := c.run([]string{"call", "-i", `{"name":"Ann","times":3}`, "-o"}, "Hello Ann!")
	if strings.Count(out, `"text": "Hello Ann!"`)+strings.Count(out, `"text":"Hello Ann!"`) != 3 {
		t.Errorf("the items of the dataset are not there:\n%s", out)
	}
	if out, said, err := c.try("call", "-i", `{"times":3}`); err == nil || !strings.Contains(out+said, "input.name is required") {
		t.Errorf("a call without what is required: %v\n%s\n%s", err, out, said)
	}
	c.forget()
	c.run([]string{"run", "--input", `{"name":"Bob"}`}, "locally: Hello Bob")

	c.builds(id)
	c.runs(id)
	c.stores()
	c.run([]string{"actors", "ls", "--my"}, "greeter")
	c.run([]string{"actors", "info", "default/greeter"}, "Title: greeter", "Total runs: 1", "0.1.1 / latest")
	c.run([]string{"actors", "info", "default/greeter", "--input"}, `"times"`)
	c.run([]string{"pull", "default/greeter", "--dir", "pulled"})
	if text, err := os.ReadFile(filepath.Join(c.dir, "pulled", "main.js")); err != nil || string(text) != greeter["main.js"] {
		t.Errorf("what was pulled is not what was pushed: %v\n%s", err, text)
	}
	c.run([]string{"api", "users/me"}, `"username": "default"`)
	must(c.Actors.CreateTask(c.asDefault(t), actors.CreateTask{Actor: id, Name: "greet-cy", Input: json.RawMessage(`{"name":"Cy"}`)}))(t)
	c.run([]string{"task", "run", "greet-cy"}, "Hello")
	if refused := c.refusals(); refused != "" {
		t.Errorf("not served:\n%s", refused)
	}
}

func (c *commandTool) builds(id string) {
	c.t.Helper()
	var all struct {
		Items []struct{ ID, BuildNumber, Status string }
	}
	c.run([]string{"builds", "create", id, "--tag", "latest", "--log"}, "Building version 0.1 as 0.1.2")
	c.read(&all, "builds", "ls", id, "--json")
	if len(all.Items) != 2 || all.Items[0].BuildNumber != "0.1.1" || all.Items[1].Status != "SUCCEEDED" {
		c.t.Fatalf("%+v", all)
	}
	first, second := all.Items[0].ID, all.Items[1].ID
	c.run([]string{"builds", "info", first}, "0.1.1", "Succeeded")
	c.run([]string{"builds", "log", first}, "Building version 0.1 as 0.1.1")
	c.run([]string{"builds", "ls", id}, "0.1.1", "0.1.2 (latest)")
	c.run([]string{"builds", "add-tag", "-b", first, "-t", "stable"}, "stable")
	c.run([]string{"builds", "add-tag", "-b", first, "-t", "latest"})
	c.run([]string{"builds", "remove-tag", "-b", first, "-t", "stable", "--yes"})
	tags := must(c.Actors.Actor(c.asDefault(c.t), id))(c.t).Tags
	if len(tags) != 1 || tags["latest"].BuildID != first {
		c.t.Errorf("%+v", tags)
	}
	c.run([]string{"builds", "wait", second}, "SUCCEEDED")
	c.run([]string{"builds", "rm", second, "--yes"})
	if _, err := c.Actors.GetBuild(c.asDefault(c.t), second); err == nil {
		c.t.Error("the build is still there")
	}
}

func (c *commandTool) runs(id string) {
	c.t.Helper()
	var all struct {
		Items []struct{ ID, Status string }
	}
	c.read(&all, "runs", "ls", id, "--json")
	if len(all.Items) != 1 || all.Items[0].Status != "SUCCEEDED" {
		c.t.Fatalf("%+v", all)
	}
	run := all.Items[0].ID
	c.run([]string{"runs", "ls", id}, "Succeeded")
	c.run([]string{"runs", "info", run, "--verbose"}, "greeter", "Succeeded", "0.1.1", "512 MB")
	c.run([]string{"runs", "log", run}, "Hello Ann!")
	c.run([]string{"runs", "resurrect", run})
	c.run([]string{"runs", "wait", run}, "SUCCEEDED")
	going := c.start("default/stuck")
	c.run([]string{"runs", "abort", going.Run.ID})
	ended := must(c.Actors.Wait(c.asDefault(c.t), going.Run.ID, time.Minute))(c.t)
	if ended.Status != actors.Aborted {
		c.t.Errorf("%s", ended.Status)
	}
	c.run([]string{"runs", "rm", going.Run.ID, "--yes"})
	dataset := must(c.Actors.Run(c.asDefault(c.t), run))(c.t).DatasetID
	c.run([]string{"datasets", "get-items", dataset, "--format", "json"}, "Hello Ann!")
	c.run([]string{"datasets", "info", dataset})
}

type startedRun struct {
	OK  bool
	Run struct{ ID string }
}

// start starts a run that is not waited for. The tool reads the run again at once, and
// exits with 1 if no worker has taken it up yet, though it prints that all is well.
func (c *commandTool) start(actor string) (started startedRun) {
	c.t.Helper()
	out, said, _ := c.try("actors", "start", actor, "--json")
	if err := json.Unmarshal([]byte(out), &started); err != nil || !started.OK {
		c.t.Fatalf("start %s: %v\n%s\n%s\n%s", actor, err, out, said, c.refusals())
	}
	return started
}

func (c *commandTool) stores() {
	c.t.Helper()
	c.run([]string{"datasets", "create", "shop"})
	c.run([]string{"datasets", "push-items", "shop", `[{"a":1},{"a":2}]`})
	c.run([]string{"datasets", "get-items", "shop", "--format", "csv"}, "a", "1", "2")
	c.run([]string{"datasets", "ls"}, "shop")
	c.run([]string{"datasets", "info", "shop"}, "shop")
	c.run([]string{"datasets", "rename", "shop", "store"})
	c.run([]string{"datasets", "rm", "store", "--yes"})
	c.run([]string{"key-value-stores", "create", "box"})
	c.run([]string{"key-value-stores", "set-value", "box", "A", `{"b":1}`})
	c.run([]string{"key-value-stores", "get-value", "box", "A"}, `"b"`)
	c.run([]string{"key-value-stores", "keys", "box"}, "A")
	c.run([]string{"key-value-stores", "ls"}, "box")
	c.run([]string{"key-value-stores", "info", "box"}, "box")
	c.run([]string{"key-value-stores", "delete-value", "box", "A", "--yes"})
	c.run([]string{"key-value-stores", "rm", "box", "--yes"})
}

// TestActorsCommandLinePushesMuch has it push what it sends as an archive: into a
// key-value store, which the build reads by the URL that the version names.
func TestActorsCommandLinePushesMuch(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "an archive of 4 MB")
	c := newCommandTool(t)
	c.run([]string{"login", "-t", c.words["<key>"]})
	c.write(greeter)
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 4<<20) // that no coding makes small
	for i := range noise {
		noise[i] = byte('!' + random.IntN(90))
	}
	c.write(map[string]string{"noise.txt": string(noise)})
	var made struct{ Data struct{ ID string } }
	c.read(&made, "api", "POST", "acts", "-d", `{"name":"greeter"}`)
	c.pushMuch("Reading the archive of the source from a key-value store")
	a := must(c.Actors.Actor(c.asDefault(t), made.Data.ID))(t)
	if len(a.Versions) != 1 || a.Versions[0].SourceType != actors.Tarball || !strings.Contains(a.Versions[0].TarballURL, "signature=") {
		t.Errorf("%+v", a.Versions)
	}
	store := must(c.Records.Get(c.asDefault(t), records.KeyValueStore, "~actor-"+a.ID+"-source"))(t)
	c.run([]string{"call", "-i", `{"name":"Ann"}`}, "Hello Ann!")
	c.run([]string{"call", "-i", `{"name":"Ann"}`}, "Hello Ann!")
	c.pushMuch("0.1.")
	if refused := c.refusals(); refused != "" || store.ID == "" {
		t.Errorf("not served:\n%s", refused)
	}
}

// pushMuch pushes until the archive is whole: the command line sends its file when all
// has been handed to whoever writes it, and not when it is written.
func (c *commandTool) pushMuch(has string) {
	c.t.Helper()
	for {
		out, said, err := c.try("push", "--force")
		switch all := out + said; {
		case err == nil && strings.Contains(all, has) && strings.Contains(all, "SUCCEEDED"):
			return
		case c.t.Context().Err() != nil || err == nil || !strings.Contains(all, "the archive is not whole"):
			c.t.Fatalf("%v\n%s", err, all)
		}
		c.t.Log("the archive was sent before it was whole")
	}
}
