package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// withThings has an Actor that was never built, and a task of it.
func withThings(c commandsOf) {
	c.t.Helper()
	api := &apiClient{base: c.s.base, key: "k"}
	var a actorState
	if err := api.ask(c.t.Context(), "POST", "/v2/actors", map[string]any{"name": "crawler"}, &a); err != nil {
		c.t.Fatal(err)
	}
	if err := api.ask(c.t.Context(), "POST", "/v2/actor-tasks", map[string]any{"actId": a.ID, "name": "weekly"}, nil); err != nil {
		c.t.Fatal(err)
	}
}

func TestSchedulesOfAService(t *testing.T) {
	t.Parallel()
	c := commandsOf{t, startServer(t, []string{keyVariable + "=k"}, "--data", ":memory:")}
	withThings(c)
	testCreated(c)
	testShown(c)
	testNext(c)
	testPaused(c)
	testInvoked(c)
	testFollowed(c)
	testScheduleFaults(c)
	if out := c.good("schedules", "delete", "nightly"); !strings.HasPrefix(out, `Deleted schedule "nightly" (`) {
		t.Error(out)
	}
	if errs := c.bad("schedules", "show", "nightly"); !strings.Contains(errs, `there is no schedule "nightly"; "drover schedules list" names those that there are`) {
		t.Error(errs)
	}
}

func testCreated(c commandsOf) {
	c.t.Helper()
	for want, args := range map[string][]string{
		`Made schedule "nightly" (`: {
			"nightly", "--cron", "30 2 * * *", "--timezone", "Europe/Prague", "--actor", "crawler", "--input", `{"a": 1}`, "--memory", "256", "--timeout", "90s",
			"--build", "latest", "--max-items", "3", "--restart-on-error", "--parallel", "--catch-up", "all", "--title", "At night", "--description", "Each night.",
		},
		`Made schedule "by-task" (`: {"by-task", "--cron", "@weekly", "--task", "weekly", "-i", `{"b": 2}`, "--paused"},
		`Made schedule "news" (`:    {"news", "--cron", "0 8 * * 1-5", "--agent-task", "Read the news.\x1b[31m", "--exclusive"},
	} {
		out := c.good(append([]string{"schedules", "create"}, args...)...)
		if !strings.HasPrefix(out, want) || !strings.Contains(out, ", due next: ") || strings.Contains(out, "due next: paused") != (args[0] == "by-task") {
			c.t.Error(out)
		}
	}
	out := c.good("schedules", "list")
	for _, want := range []string{`"nightly"  `, "30 2 * * *", "Europe/Prague", "Actor ", `"by-task"  `, `  Actor "crawler" (`, "@weekly", "paused", `task "weekly" (`, `"news" `, "  agent\n"} {
		if !strings.Contains(out, want) {
			c.t.Errorf("no %q in\n%s", want, out)
		}
	}
	var all []scheduleState
	if err := json.Unmarshal([]byte(c.good("schedules", "list", "--json")), &all); err != nil || len(all) != 3 {
		c.t.Errorf("%v %+v", err, all)
	}
}

func testShown(c commandsOf) {
	c.t.Helper()
	out := strings.Join(strings.Fields(c.good("schedules", "show", "nightly")), " ")
	for _, want := range []string{
		`Name: "nightly" ID: `, "Title: At night Description: Each night. Cron: 30 2 * * * Timezone: Europe/Prague Next: ", "Last: - Overlap: started while the run before goes on Catch-up: all Starts: Actor \"crawler\" (",
		`with: {"a": 1} options: {"build":"latest","timeoutSecs":90,"memoryMbytes":256,"maxItems":3,"restartOnError":true}`,
	} {
		if !strings.Contains(out, want) {
			c.t.Errorf("no %q in\n%s", want, out)
		}
	}
	if out := strings.Join(strings.Fields(c.good("schedules", "show", "by-task")), " "); !strings.Contains(out, "Next: paused") || !strings.Contains(out, `with: {"b":2}`) || !strings.Contains(out, "Overlap: skipped while") {
		c.t.Error(out)
	}
	if out := c.good("schedules", "show", "news"); !strings.Contains(out, "Read the news.[31m\n") {
		c.t.Errorf("%q", out)
	}
	var s scheduleState
	if err := json.Unmarshal([]byte(c.good("schedules", "show", "~news", "--json")), &s); err != nil || len(s.OtherActions) != 1 || s.OtherActions[0].Type != runAgent {
		c.t.Errorf("%v %+v", err, s)
	}
}

// testNext has times of more than a year, in which clocks change twice.
func testNext(c commandsOf) {
	c.t.Helper()
	if out := c.good("schedules", "next", "nightly"); strings.Count(out, "\n") != 11 || !strings.HasPrefix(out, "Europe/Prague ") || strings.Count(out, ":30:00") != 20 {
		c.t.Error(out)
	}
	out := c.good("schedules", "next", "nightly", "-n", "400")
	for _, want := range []string{"T03:30:00+02:00", "T02:30:00+02:00", "T02:30:00+01:00", "Z  clocks are put forward by 1h0m0s", "Z  clocks are put back by 1h0m0s"} {
		if !strings.Contains(out, want) {
			c.t.Errorf("no %q in\n%s", want, out)
		}
	}
	if out, errs, code := c.run("schedules", "next", "by-task", "--json"); code != 0 || !strings.Contains(errs, "is paused: it starts nothing at these times") || strings.Count(out, `"localTime"`) != 10 {
		c.t.Errorf("%d %s%s", code, errs, out)
	}
	if out, _, _ := c.run("schedules", "next", "by-task", "-n", "2"); !strings.HasPrefix(out, "UTC\n20") || strings.Count(out, "T00:00:00Z\n") != 2 || strings.Count(out, "T") != 3 {
		c.t.Error(out)
	}
	if errs := c.bad("schedules", "next", "nightly", "-n", "1001"); !strings.Contains(errs, "n must be a whole number from 1 to 1000") {
		c.t.Error(errs)
	}
}

func testPaused(c commandsOf) {
	c.t.Helper()
	if out := c.good("schedules", "pause", "nightly"); !strings.HasPrefix(out, `Paused schedule "nightly" (`) {
		c.t.Error(out)
	}
	var s scheduleState
	if err := json.Unmarshal([]byte(c.good("schedules", "resume", "nightly", "--json")), &s); err != nil || !s.Enabled || s.Next == nil || len(s.Actions) != 1 {
		c.t.Errorf("%v %+v", err, s)
	}
	if out := c.good("schedules", "resume", "by-task"); !strings.HasPrefix(out, `Resumed schedule "by-task" (`) || !strings.Contains(out, ", due next at 20") {
		c.t.Error(out)
	}
}

// testInvoked starts an Actor, which there is no build of, and an agent.
func testInvoked(c commandsOf) {
	c.t.Helper()
	out := c.good("schedules", "invoke", "nightly")
	for _, want := range []string{"Z failed Actor ", "latest", " invoked\n"} {
		if !strings.Contains(out, want) {
			c.t.Errorf("no %q in %s", want, out)
		}
	}
	if again := c.good("schedules", "log", "nightly"); again != out {
		c.t.Errorf("%q, want %q", again, out)
	}
	if out := c.good("schedules", "invoke", "news"); !strings.Contains(out, "Z started agent run ") {
		c.t.Error(out)
	}
	var rows []slotState
	if err := json.Unmarshal([]byte(c.good("schedules", "log", "news", "--json")), &rows); err != nil || len(rows) != 1 || rows[0].Outcome != "started" || rows[0].RunID == "" || !rows[0].Manual {
		c.t.Errorf("%v %+v", err, rows)
	}
	if out := c.good("schedules", "log", "by-task"); out != "" {
		c.t.Error(out)
	}
}

// testFollowed has a row recorded while the ledger is followed.
func testFollowed(c commandsOf) {
	c.t.Helper()
	for _, more := range [][]string{nil, {"--json"}} {
		cmd := c.command(append([]string{"schedules", "log", "nightly", "-f", "--limit", "1"}, more...)...)
		lines := c.lines(cmd)
		c.await(lines, "failed")
		c.good("schedules", "invoke", "nightly")
		c.await(lines, "failed")
		if more := stopFollowing(c, cmd, lines); len(more) > 0 {
			c.t.Errorf("more lines: %q", more)
		}
	}
	if out := c.good("schedules", "log", "nightly", "--limit", "2"); strings.Count(out, "\n") != 2 {
		c.t.Error(out)
	}
	if out := c.good("schedules", "log", "nightly", "--limit", "0"); strings.Count(out, "\n") != 3 {
		c.t.Error(out)
	}
}

// stopFollowing ends a command that follows something, which is no failure, and returns
// what it has said until then.
func stopFollowing(c commandsOf, cmd *exec.Cmd, lines *bufio.Scanner) (more []string) {
	c.t.Helper()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		c.t.Fatal(err)
	}
	for lines.Scan() {
		more = append(more, lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		c.t.Error(err)
	}
	return more
}

func testScheduleFaults(c commandsOf) {
	c.t.Helper()
	for want, args := range map[string][]string{
		`Some other schedule already has this name ("Nightly").`: {"create", "Nightly", "--cron", "@daily", "--actor", "crawler"},
		"Cron expression is not valid: ":                         {"create", "other", "--cron", "61 * * * *", "--actor", "crawler"},
		"timezone is not an allowed value":                       {"create", "other", "--cron", "@daily", "--timezone", "Mars", "--actor", "crawler"},
		`there is no Actor "none"`:                               {"create", "other", "--cron", "@daily", "--actor", "none"},
		`there is no task "none"`:                                {"create", "other", "--cron", "@daily", "--task", "none"},
		`there is no function "none"`:                            {"create", "other", "--cron", "@daily", "--function", "none"},
		"--input must be JSON":                                   {"create", "other", "--cron", "@daily", "--actor", "crawler", "--input", "{"},
		"--timeout must be whole seconds":                        {"create", "other", "--cron", "@daily", "--actor", "crawler", "--timeout", "1ms"},
		`there is no schedule "none"; "drover schedules list"`:   {"invoke", "none"},
	} {
		if errs := c.bad(append([]string{"schedules"}, args...)...); !strings.Contains(errs, want) {
			c.t.Errorf("%v: %s", args, errs)
		}
	}
}

func TestSchedulesOnData(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	s := startServer(t, []string{keyVariable + "=k"}, "--data", data)
	c := commandsOf{t, s}
	withThings(c)
	s.stop(os.Interrupt)
	c.good("schedules", "create", "nightly", "--cron", "@daily", "--task", "weekly", "--data", data)
	if out := c.good("schedules", "list", "--data", data); !strings.Contains(out, `"nightly"  `) {
		t.Error(out)
	}
	if out, errs, code := c.run("schedules", "invoke", "nightly", "--data", data); code != 0 || !strings.Contains(out, "failed task ") || !strings.Contains(errs, "executed once a service runs") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	// A service fires what was made without it.
	c.good("schedules", "create", "often", "--cron", "*/10 * * * * *", "--agent-task", "Wait.", "--data", data)
	c.s = startServer(t, []string{keyVariable + "=k"}, "--data", data)
	cmd := c.command("schedules", "log", "often", "-f")
	lines := c.lines(cmd)
	c.await(lines, " started agent run ")
	stopFollowing(c, cmd, lines)
}

func TestSlotsAsText(t *testing.T) {
	t.Parallel()
	const slot = `{"type":"RUN_ACTOR","target":"a","at":"2026-01-31T23:59:00.000Z","until":"2026-01-31T23:59:00.000Z","count":1,%s}`
	for more, want := range map[string]string{
		`"outcome":"started","runId":"r","lateMillis":12`:                      "2026-01-31T23:59:00Z started Actor a run r",
		`"outcome":"started","runId":"r","lateMillis":61500,"caughtUp":true`:   "2026-01-31T23:59:00Z started Actor a run r 1m1.5s late caught up",
		`"outcome":"skipped","reason":"exclusive","lateMillis":5000`:           "2026-01-31T23:59:00Z skipped Actor a (exclusive)",
		`"outcome":"skipped","reason":"missed","count":3,"caughtUp":true`:      "2026-01-31T23:59:00Z skipped Actor a (missed) 3 times until 2026-01-31T23:59:00Z",
		`"outcome":"failed","message":"no\nbuild\u001b[1m","manual":true`:      "2026-01-31T23:59:00Z failed Actor a (no build[1m) invoked",
		`"outcome":"started","type":"RUN_AGENT","target":"","runId":"r"`:       "2026-01-31T23:59:00Z started agent run r",
		`"outcome":"started","type":"INVOKE_FUNCTION","target":"f"`:            "2026-01-31T23:59:00Z started function f",
		`"outcome":"skipped","type":"RUN_ACTOR_TASK","reason":"too soon"`:      "2026-01-31T23:59:00Z skipped task a (too soon)",
		`"outcome":"skipped","type":"RUN_SOMETHING_NEW","reason":"any reason"`: "2026-01-31T23:59:00Z skipped RUN_SOMETHING_NEW a (any reason)",
	} {
		var s slotState
		if err := json.Unmarshal(fmt.Appendf(nil, slot, more), &s); err != nil {
			t.Fatal(err)
		}
		if got := s.text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
