package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/npmtest"
)

func open(t *testing.T, o Options) (*Endpoint, *Channel) {
	t.Helper()
	e := New(o)
	t.Cleanup(func() { e.Close() })
	return e, e.Open()
}

func address(t *testing.T, c *Channel) string {
	t.Helper()
	a, err := c.Address()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// program starts the functions of npm/index.ts with the unmodified runtime of the
// hosted service, and returns what it has printed once it has ended.
func program(t *testing.T, c *Channel) (ended func() string) {
	t.Helper()
	dir := npmtest.Dir(t, "npm")
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "node", "--import", "tsx", "index.ts")
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	cmd.Env = append(os.Environ(), "AWS_LAMBDA_RUNTIME_API="+address(t, c), "BB_FUNCTIONS_PHASE=runtime", "NODE_ENV=production")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- cmd.Wait()
		c.Close() // as whoever has the process does
	}()
	var all string
	ended = func() string {
		if all == "" {
			cmd.Process.Kill()
			<-done
			all = out.String() + " "
		}
		return all
	}
	t.Cleanup(func() { ended() })
	return ended
}

func do(t *testing.T, c *Channel, function, params string) Outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	out, err := c.Do(ctx, Invocation{Function: function, Params: json.RawMessage(params), Context: contextOf})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// contextOf is that of an invocation whose process has its own address.
func contextOf(connectURL string) (json.RawMessage, error) {
	if !strings.HasPrefix(connectURL, "ws://127.0.0.1:") || !strings.HasSuffix(connectURL, "/connect") {
		return nil, errors.New("a strange address: " + connectURL)
	}
	return json.RawMessage(`{"session":{"id":"s","connectUrl":"ws://x"},"secrets":{"k":"v"}}`), nil
}

func TestTheUnmodifiedRuntime(t *testing.T) {
	t.Parallel()
	_, c := open(t, Options{MaxResult: 1000})
	ended := program(t, c)
	out := do(t, c, "echo", `{"a":[1,null]}`)
	if got := string(out.Result); got != `{"params":{"a":[1,null]},"session":{"id":"s","connectUrl":"ws://x"},"secrets":{"k":"v"}}` {
		t.Errorf("%s %+v", got, out.Failure)
	}
	if out := do(t, c, "nothing", `{}`); out.Result != nil || out.Failure != nil {
		t.Errorf("%+v", out)
	}
	if out := do(t, c, "fails", `{}`); out.Failure == nil || *out.Failure != (Failure{"TypeError", "no luck"}) {
		t.Errorf("%+v", out.Failure)
	}
	if out := do(t, c, "large", `{"bytes":5000}`); out.TooLarge != 5002 {
		t.Errorf("%+v", out)
	}
	if out := do(t, c, "prints", `{}`); string(out.Result) != "1" {
		t.Errorf("%+v", out)
	}
	if _, err := c.Do(t.Context(), Invocation{Function: "exits", Params: []byte(`{}`), Context: contextOf}); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
	if said := ended(); !strings.Contains(said, "to the log\n") || !strings.Contains(said, "to the log, too\n") {
		t.Errorf("it printed %.2000q", said)
	}
}

// next asks for the next invocation, as a runtime does, and returns its id.
func next(t *testing.T, at string) (id string, body io.ReadCloser) {
	t.Helper()
	res, err := http.Get("http://" + at + "/2018-06-01/runtime/invocation/next")
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatal(res, err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return res.Header.Get("Lambda-Runtime-Aws-Request-Id"), res.Body
}

func post(t *testing.T, at, what, body string) int {
	t.Helper()
	res, err := http.Post("http://"+at+"/2018-06-01/runtime/invocation/"+what, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}

// A client that hears nothing for five minutes gives up.
func TestWhoWaitsHearsAPulse(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Unix(0, 0))
	_, ch := open(t, Options{Clock: c, Pulse: time.Minute})
	id, body := next(t, address(t, ch))
	for range 10 {
		c.Advance(time.Minute)
		one := make([]byte, 1)
		if _, err := io.ReadFull(body, one); err != nil || one[0] != '\n' {
			t.Fatalf("%q %v", one, err)
		}
	}
	done := make(chan Outcome)
	go func() {
		out, _ := ch.Do(t.Context(), Invocation{Function: "f", Params: []byte(`{}`), Context: contextOf})
		done <- out
	}()
	var got event
	if err := json.NewDecoder(body).Decode(&got); err != nil || got.FunctionName != "f" {
		t.Errorf("%+v %v", got, err)
	}
	if code := post(t, address(t, ch), id+"/response", `7`); code != http.StatusAccepted {
		t.Error(code)
	}
	if out := <-done; string(out.Result) != "7" {
		t.Errorf("%+v", out)
	}
}

func TestStrangeAnswers(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]Outcome{
		"response {":                 {Failure: &Failure{"InvalidResult", "the runtime has answered with something that is no JSON"}},
		"error {":                    {Failure: &Failure{"UnknownError", "the function has failed"}},
		"error {}":                   {Failure: &Failure{"UnknownError", "the function has failed"}},
		`error {"errorMessage":"m"}`: {Failure: &Failure{"Error", "m"}},
		`error {"errorType":"T"}`:    {Failure: &Failure{"T", ""}},
		`error {"errorMessage":7}`:   {Failure: &Failure{"UnknownError", "the function has failed"}},
		"response 1":                 {Result: []byte("1")},
	} {
		_, c := open(t, Options{})
		at := address(t, c)
		id, _ := next(t, at)
		done := make(chan Outcome, 1)
		go func() {
			out, _ := c.Do(t.Context(), Invocation{Params: []byte(`{}`), Context: contextOf})
			done <- out
		}()
		what, body, _ := strings.Cut(answer, " ")
		for len(done) == 0 { // until it is the one that the process has
			post(t, at, id+"/"+what, body)
		}
		if out := <-done; string(out.Result) != string(want.Result) || (out.Failure == nil) != (want.Failure == nil) || out.Failure != nil && *out.Failure != *want.Failure {
			t.Errorf("%s: %+v %+v", answer, out, out.Failure)
		}
		if code := post(t, at, id+"/response", "2"); code != http.StatusAccepted {
			t.Errorf("a second answer: %d", code)
		}
	}
}

func TestNobodyFindsAChannelWithoutItsSecret(t *testing.T) {
	t.Parallel()
	e, c := open(t, Options{})
	at := address(t, c)
	host, _, _ := strings.Cut(at, "/")
	for _, path := range []string{"/2018-06-01/runtime/invocation/next", "/aaaaaaaaaaaaaaaaaaaaaaaaaa/2018-06-01/runtime/invocation/next"} {
		res, err := http.Get("http://" + host + path)
		if err != nil || res.StatusCode != http.StatusNotFound {
			t.Error(path, res, err)
		}
		res.Body.Close()
	}
	c.Close()
	if code := post(t, at, "x/response", "1"); code != http.StatusNotFound {
		t.Errorf("a closed channel: %d", code)
	}
	if len(e.channels) != 0 {
		t.Errorf("%d channels are left", len(e.channels))
	}
}

func TestWhoWaitsForAProcessIsReleased(t *testing.T) {
	t.Parallel()
	_, c := open(t, Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("no more time")
	cancel(cause)
	if _, err := c.Do(ctx, Invocation{Context: contextOf}); !errors.Is(err, cause) || !errors.Is(err, ErrNotTaken) {
		t.Errorf("%v", err)
	}
	c.Close()
	if _, err := c.Do(t.Context(), Invocation{Context: contextOf}); !errors.Is(err, ErrClosed) || !errors.Is(err, ErrNotTaken) {
		t.Errorf("%v", err)
	}
}

func TestABrowserIsOpenedWhenItIsConnectedTo(t *testing.T) {
	t.Parallel()
	browser := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.URL.String())
	}))
	defer browser.Close()
	_, c := open(t, Options{})
	at := address(t, c)
	get := func(path string) (int, string) {
		res, err := http.Get("http://" + at + path)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(body)
	}
	if code, _ := get("/connect"); code != http.StatusGone {
		t.Errorf("without an invocation: %d", code)
	}
	id, body := next(t, at)
	opened, done := 0, make(chan Outcome, 1)
	go func() {
		out, _ := c.Do(t.Context(), Invocation{Function: "f", Params: []byte(`{}`), Context: contextOf, Connect: func(context.Context) (string, error) {
			opened++
			return "ws" + strings.TrimPrefix(browser.URL, "http") + "/v1/x?signingKey=k", nil
		}})
		done <- out
	}()
	io.ReadAll(body) // it has the invocation
	for path, want := range map[string]string{"/connect": "/v1/x?signingKey=k", "/connect/json/version": "/v1/x/json/version?signingKey=k"} {
		if code, said := get(path); code != http.StatusOK || said != want {
			t.Errorf("%s: %d %s", path, code, said)
		}
	}
	post(t, at, id+"/response", "1")
	if <-done; opened != 2 {
		t.Errorf("asked %d times", opened)
	}
	if code, _ := get("/connect"); code != http.StatusGone {
		t.Errorf("after the invocation: %d", code)
	}
}
