package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// fed runs a command that is given a text on standard input.
func (c commandsOf) fed(text string, args ...string) (out, errs string, code int) {
	c.t.Helper()
	cmd := c.command(args...)
	var stdout, stderr log
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		c.t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// pushed runs a push that succeeds.
func (c commandsOf) pushed(text string, args ...string) string {
	c.t.Helper()
	out, errs, code := c.fed(text, append([]string{"records", "push"}, args...)...)
	if code != 0 {
		c.t.Fatalf("%v: %d %s%s", args, code, out, errs)
	}
	return out
}

// said is what a command prints on standard output that succeeds.
func (c commandsOf) said(args ...string) string {
	c.t.Helper()
	out, errs, code := c.run(args...)
	if code != 0 {
		c.t.Fatalf("%v: %d %s%s", args, code, out, errs)
	}
	return out
}

func TestRecordsOfAService(t *testing.T) {
	t.Parallel()
	c := commandsOf{t, startServer(t, []string{keyVariable + "=k"}, "--data", ":memory:")}
	testItems(c)
	testRecord(c)
	testQueue(c)
	out := c.good("records", "ls")
	for _, want := range []string{`dataset          "shop"  `, `key-value-store  "files" `, `request-queue    "pages" `, "4 items", "2 of 2 requests pending"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	var all []storeState
	if err := json.Unmarshal([]byte(c.good("records", "ls", "--json", "-k", "dataset")), &all); err != nil || len(all) != 1 || *all[0].Items != 4 {
		t.Errorf("%v %+v", err, all)
	}
	if out := c.good("records", "ls", "--json", "--all"); strings.Contains(out, "ecret") || strings.Contains(out, "signature") {
		t.Error("it prints what signs URLs: ", out)
	}
}

func testItems(c commandsOf) {
	c.t.Helper()
	for text, want := range map[string]string{
		`{"name": "Lamp", "price": 20}`:                         "Pushed 1 items to dataset \"shop\" (",
		" [{\"name\": \"Chair\", \"price\": 50}]\n":             "Pushed 1 items to dataset \"shop\" (",
		"\xef\xbb\xbf{\"name\": \"A\"}\r\n\r\n{\"name\":\"B\"}": "Pushed 2 items to dataset \"shop\" (",
		"": "Pushed 0 items to dataset \"shop\" (", "[]": "Pushed 0 items to dataset \"shop\" (",
	} {
		if out := c.pushed(text, "shop"); !strings.HasPrefix(out, want) {
			c.t.Errorf("%q: %s", text, out)
		}
	}
	if out := c.good("records", "get", "shop", "--format", "csv", "--fields", "price,name"); strings.Count(out, "\n") < 4 || !strings.HasPrefix(out, "\ufeffprice,name\n") {
		c.t.Errorf("%q", out)
	}
	if out := c.good("records", "get", "shop", "--format", "jsonl", "--offset", "3", "--limit", "5"); strings.Count(out, "{") != 1 {
		c.t.Errorf("%q", out)
	}
	file := filepath.Join(c.t.TempDir(), "shop.xlsx")
	if _, errs, code := c.run("records", "get", "shop", "--format", "xlsx", "-o", file); code != 0 || !strings.HasPrefix(errs, "Wrote "+file) {
		c.t.Errorf("%d %s", code, errs)
	}
	if got, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(got), "PK") {
		c.t.Errorf("%v %.20q", err, got)
	}
}

func testRecord(c commandsOf) {
	c.t.Helper()
	const text = "{\"a\": 1}\n"
	if out := c.pushed(text, "files", "OUT"); !strings.HasPrefix(out, `Put record OUT into key-value-store "files" (`) {
		c.t.Error(out)
	}
	if out := c.good("records", "get", "files", "OUT"); out != text {
		c.t.Errorf("%q", out)
	}
	c.pushed("<svg/>", "files", "a!-_.'()z", "--content-type", "image/svg+xml")
	file := filepath.Join(c.t.TempDir(), "x")
	if _, errs, _ := c.run("records", "get", "files", "a!-_.'()z", "-o", file); !strings.Contains(errs, "image/svg+xml") {
		c.t.Error(errs)
	}
	if out := c.said("records", "ls", "files"); !strings.Contains(out, "OUT        9 B\n") || !strings.Contains(out, "a!-_.'()z  6 B\n") {
		c.t.Error(out)
	}
	if _, errs, code := c.fed("{}", "records", "push", "files"); code != 1 || !strings.Contains(errs, "which need a key") {
		c.t.Errorf("%d %s", code, errs)
	}
	for want, args := range map[string][]string{
		"there is no record \"NONE\"":                    {"get", "files", "NONE"},
		"which record?":                                  {"get", "files"},
		"there is no store \"nothing\"; \"drover record": {"get", "nothing"},
		"there is no dataset \"files\"":                  {"get", "files", "-k", "dataset"},
	} {
		if errs := c.bad(append([]string{"records"}, args...)...); !strings.Contains(errs, want) {
			c.t.Errorf("%v: %s", args, errs)
		}
	}
}

func testQueue(c commandsOf) {
	c.t.Helper()
	if out := c.pushed("\n# shops\nhttps://a.example/\n", "pages", "-k", "request-queue"); !strings.HasPrefix(out, `Pushed 1 requests to request-queue "pages" (`) {
		c.t.Error(out)
	}
	c.pushed(`[{"url": "https://b.example/", "method": "POST"}]`, "pages", "--forefront")
	c.pushed("", "pages", "--url", "https://a.example/")
	out := c.said("records", "ls", "pages")
	if lines := strings.Split(out, "\n"); len(lines) != 4 || !strings.Contains(out, "POST") {
		c.t.Error(out)
	}
	if out := c.good("records", "get", "pages"); strings.Count(out, "\n") != 2 {
		c.t.Error(out)
	}
}

// What is acknowledged before a push fails is counted, and the rest can be pushed.
func TestAPushThatFailsInTheMiddle(t *testing.T) {
	t.Parallel()
	c := commandsOf{t, startServer(t, []string{keyVariable + "=k"}, "--data", ":memory:")}
	var text strings.Builder
	for i := range batchItems + 10 {
		fmt.Fprintf(&text, "{\"i\": %d}\n", i)
	}
	_, errs, code := c.fed(text.String()+"oh", "records", "push", "many")
	if want := fmt.Sprintf("item %d is no JSON", batchItems+11); code != 1 || !strings.Contains(errs, want) || !strings.Contains(errs, "; 5000 items were acknowledged; --skip 5000 goes on behind them") {
		t.Errorf("%d %s", code, errs)
	}
	if out := c.pushed(text.String(), "many", "--skip", "5000"); !strings.HasPrefix(out, "Pushed 10 items") {
		t.Error(out)
	}
	if out := c.good("records", "get", "many", "--format", "jsonl", "--offset", "5009"); out != "{\"i\":5009}\n" && out != "{\"i\": 5009}\n" {
		t.Errorf("%q", out)
	}
	for _, in := range []string{"{} x", "https://a.example/\n"} {
		if _, errs, code := c.fed(in, "records", "push", "new"); code != 1 || !strings.Contains(errs, "; nothing was pushed, and no store was made") || strings.Contains(errs, "--skip") {
			t.Errorf("%d %s", code, errs)
		}
	}
	if errs := c.bad("records", "push", "new", "key", "-f", t.TempDir()); !strings.Contains(errs, "is a directory") {
		t.Error(errs)
	}
	if errs := c.bad("records", "ls", "new"); !strings.Contains(errs, "there is no store") {
		t.Error(errs)
	}
	if _, errs, code := c.fed("http://a.example/\n", "records", "push", "many"); code != 1 || !strings.Contains(errs, "--kind request-queue; 0 items were acknowledged\n") {
		t.Errorf("%d %q", code, errs)
	}
	for in, want := range map[string]string{
		"[{}, 4]": "item 2 is no JSON object", "[{}": "item 2 is no JSON", "{} 4": "item 2 is no JSON object", "[] x": "behind the array", "x": "item 1 is no JSON",
	} {
		if _, errs, code := c.fed(in, "records", "push", "many"); code != 1 || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", in, code, errs)
		}
	}
}

// A push whose answers stop coming says what is known.
func TestAPushToAServiceThatFails(t *testing.T) {
	t.Parallel()
	var batches atomic.Int64
	c := throughGateway(t, func(path string) bool { return strings.HasSuffix(path, "/items") && batches.Add(1) > 2 })
	text := strings.Repeat("{\"a\": 1}\n", 2*batchItems+7)
	_, errs, code := c.fed(text, "records", "push", "many")
	if code != 1 || !strings.Contains(errs, "503") || !strings.Contains(errs, "; 10000 items were acknowledged; whether the next 7 were, is not known; --skip 10000 goes on behind them") {
		t.Errorf("%d %s", code, errs)
	}
}

func TestRecordsOnData(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	s := startServer(t, []string{keyVariable + "=k"}, "--data", data)
	s.stop(os.Interrupt)
	c := commandsOf{t, s}
	c.pushed(`[{"a": 1}, {"a": 2}]`, "shop", "--data", data)
	if out := c.good("records", "get", "shop", "--data", data, "--format", "jsonl"); strings.Count(out, "\n") != 2 {
		t.Error(out)
	}
	if errs := c.bad("records", "get", "shop", "--data", data, "--format", "csv", "--offset=-1"); !strings.Contains(errs, "must not be below 0") {
		t.Error(errs)
	}
}

func TestFlagsOfRecordsThatContradictEachOther(t *testing.T) {
	t.Parallel()
	c := commandsOf{t, &server{base: "http://127.0.0.1:1"}}
	for want, args := range map[string]string{
		"has no records":            "shop KEY -k dataset",
		"a record needs a key":      "shop -k key-value-store",
		"--url is for queues":       "shop -k dataset --url https://a.example/",
		"--content-type is that of": "shop --content-type text/plain",
		"--skip must not":           "shop --skip=-1",
	} {
		if _, errs, code := c.fed("", append([]string{"records", "push"}, strings.Fields(args)...)...); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", args, code, errs)
		}
	}
	if errs := c.bad("records", "ls"); !strings.Contains(errs, "no service answers at") {
		t.Error(errs)
	}
}

// An answer of a handler of this process is read while it is written, and a handler
// that nobody reads from any more has ended when its answer is closed.
func TestAnswersOfThisProcessAreStreams(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	h := handled{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		fmt.Fprint(w, "first")
		<-r.Context().Done()
	})}
	r, err := http.NewRequestWithContext(t.Context(), "GET", "http://drover.invalid/", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := h.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 5)
	if _, err := resp.Body.Read(first); err != nil || string(first) != "first" {
		t.Errorf("%v %q", err, first)
	}
	if err := resp.Body.Close(); err != nil {
		t.Error(err)
	}
	select {
	case <-ended:
	default:
		t.Error("the handler goes on")
	}
	cut := handled{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "half")
		panic(http.ErrAbortHandler)
	})}
	if resp, err = cut.RoundTrip(r); err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var all [8]byte
	n, _ := resp.Body.Read(all[:])
	if _, err := resp.Body.Read(all[n:]); err == nil || err.Error() != "unexpected EOF" {
		t.Errorf("%v: what is cut off must not look whole", err)
	}
}
