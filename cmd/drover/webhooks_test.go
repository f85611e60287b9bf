package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// hookReceiver is a server that takes events.
func hookReceiver(t *testing.T) (url string, got chan string) {
	t.Helper()
	got = make(chan string, 100)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- r.Header.Get("Webhook-Id") + r.Header.Get("X-Apify-Webhook-Dispatch-Id") + " " + string(body)
	}))
	t.Cleanup(s.Close)
	return s.URL, got
}

// madeHook is the id of a webhook that a command has made.
func madeHook(t *testing.T, out string) string {
	t.Helper()
	found := regexp.MustCompile(`^Made webhook (\S+)\.\n`).FindStringSubmatch(out)
	if found == nil {
		t.Fatal(out)
	}
	return found[1]
}

func TestWebhooksOfAService(t *testing.T) {
	t.Parallel()
	c := commandsOf{t, startServer(t, []string{keyVariable + "=k"}, "--data", ":memory:", "--allow-private-networks", "--allow-http-webhooks")}
	url, got := hookReceiver(t)
	out := c.good("webhooks", "create", url+"/first", "-e", "functions.invocations.completed", "-e", "functions.invocations.failed")
	first := madeHook(t, out)
	if !strings.Contains(out, "It signs with the secret whsec_") {
		t.Error(out)
	}
	platform := madeHook(t, c.good("webhooks", "create", url+"/platform", "-e", "ACTOR.RUN.SUCCEEDED", "--payload", `{"is":{{eventType}}}`, "--headers", `{"X-A":"b"}`, "--title", "T"))
	for _, id := range []string{first, platform} {
		out := c.good("webhooks", "test", id)
		dispatch, _, _ := strings.Cut(out, " ")
		for range 2 {
			if event := <-got; !strings.HasPrefix(event, dispatch+" ") || !strings.Contains(event, "TEST") {
				t.Errorf("%s, want %s", event, out)
			}
			log := untilLogged(c, id, dispatch+" SUCCEEDED TEST")
			if !strings.Contains(log, "the receiver answered with status 200") {
				t.Error(log)
			}
			out = c.good("webhooks", "redeliver", id, dispatch)
		}
		<-got
	}
	testHooksShown(c, first, platform)
	for _, id := range []string{first, platform} {
		if out := c.good("webhooks", "delete", id); out != "Deleted webhook "+id+".\n" {
			t.Error(out)
		}
		if errs := c.bad("webhooks", "show", id); !strings.Contains(errs, `there is no webhook "`+id+`"; "drover webhooks list" names those that there are`) {
			t.Error(errs)
		}
	}
}

// untilLogged asks until the log says something: what was sent is written after its receiver has
// got it.
func untilLogged(c commandsOf, id, want string) string {
	c.t.Helper()
	for {
		if out := c.good("webhooks", "log", id); strings.Contains(out, want) {
			return out
		}
	}
}

func testHooksShown(c commandsOf, first, platform string) {
	c.t.Helper()
	out := c.good("webhooks", "list")
	for _, want := range []string{first + "  ", platform + "  ", "/first  ", "functions.invocations.completed, functions.invocations.failed", "ACTOR.RUN.SUCCEEDED  "} {
		if !strings.Contains(out, want) {
			c.t.Errorf("no %q in\n%s", want, out)
		}
	}
	shown := strings.Join(strings.Fields(c.good("webhooks", "show", platform)), " ")
	for _, want := range []string{"ID: " + platform, "Title: T", `Payload: {"is":{{eventType}}}`, `Headers: {"X-A":"b"}`, "Of: the project"} {
		if !strings.Contains(shown, want) {
			c.t.Errorf("no %q in %s", want, shown)
		}
	}
	var all []hookState
	if err := json.Unmarshal([]byte(c.good("webhooks", "list", "--json")), &all); err != nil || len(all) != 2 {
		c.t.Errorf("%v %+v", err, all)
	}
	for want, args := range map[string][]string{
		"--title goes with events whose names begin with": {"create", "https://x.example/", "-e", "agents.runs.failed", "--title", "x"},
		"no.such.event":             {"create", "https://x.example/", "-e", "no.such.event"},
		"--limit must be 1 to 1000": {"log", first, "--limit", "0"},
		`there is no dispatch "x"`:  {"redeliver", platform, "x"},
	} {
		if out, errs, code := c.run(append([]string{"webhooks"}, args...)...); code == 0 || !strings.Contains(out+errs, want) {
			c.t.Errorf("%v: %d %s%s", args, code, out, errs)
		}
	}
}

// Of data that nobody serves webhooks are made, and sent once somebody does.
func TestWebhooksOfData(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	url, got := hookReceiver(t)
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("drover", append([]string{"webhooks"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", args, out)
		}
		return string(out)
	}
	startServer(t, []string{keyVariable + "=k"}, "--data", dir).stop(os.Interrupt)
	id := madeHook(t, run("create", "--data", dir, "--allow-private-networks", url, "-e", "ACTOR.RUN.FAILED"))
	if out := run("test", "--data", dir, id); !strings.Contains(out, "is sent once the data is served") {
		t.Error(out)
	}
	startServer(t, []string{keyVariable + "=k"}, "--data", dir, "--allow-private-networks")
	if event := <-got; !strings.Contains(event, "TEST") {
		t.Error(event)
	}
}
