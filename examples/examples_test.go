package examples

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover/drovertest"
	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// TestThePrograms runs each program as its comment says, on pages of this machine.
func TestThePrograms(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "ten programs are linked")
	chrometest.RequireChromium(t)
	bin, shop, model := built(t), drovertest.NewSite(t), languageModel(t)
	product := shop.URL + "/products/post-rack"
	for name, row := range map[string]struct {
		dir  string // of packages or of an Actor; default an empty one
		env  []string
		args []string
		says []string // patterns of lines, in this order: first of its log, then of its output
	}{
		"fetch-markdown":     {args: []string{product}, says: []string{`# Post rack`, `29\.75`}},
		"fetch-json":         {args: []string{product}, says: []string{`^Post rack costs 29\.75 and weighs \d+\.\d kg$`}},
		"playwright-session": {dir: npmtest.Dir(t, "playwright-session"), args: []string{product}, says: []string{`^title: Post rack – Drove & Daughters$`}},
		"agent": {
			env:  []string{"OPENAI_API_KEY=" + modelKey, "OPENAI_MODEL=gpt-5.6", "OPENAI_BASE_URL=" + model + "/v1"},
			args: []string{"What does the post rack cost? Look at " + product},
			says: []string{`^navigate .*/products/post-rack`, `^done .*29\.75`, `^COMPLETED It costs 29\.75$`},
		},
		"function": {args: []string{product}, says: []string{`^COMPLETED "Post rack – Drove & Daughters"`}},
		"actor":    {args: []string{"drove", "of", "oxen"}, says: []string{`^\{"words":3\}$`}},
		"crawler":  {dir: crawler(t), args: []string{shop.URL + "/"}, says: []string{`build 0\.1\.1 SUCCEEDED`, `run SUCCEEDED \d+ pages`, `"title":"Harbour desk lamp – Drove & Daughters"`}},
		"schedule": {says: []string{`^due at .*0 `, `^due at `, `^due at `, `^good morning$`, `^started ~?\S+ .* late$`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := command(t, bin, name, row.args...)
			if cmd.Env = append(cmd.Env, row.env...); row.dir != "" {
				cmd.Dir = row.dir
			}
			var out, logged bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &logged
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v\n%s%s", err, &logged, &out)
			}
			inOrder(t, logged.String()+"\n"+out.String(), row.says)
		})
	}
	t.Run("embed", func(t *testing.T) {
		t.Parallel()
		testEmbed(t, bin)
	})
	t.Run("host-tests", func(t *testing.T) { // its own test is the example: here it only says what it misses
		t.Parallel()
		if out, err := command(t, bin, "host-tests").CombinedOutput(); err == nil || !strings.Contains(string(out), "usage: host-tests") {
			t.Errorf("%v %s", err, out)
		}
	})
}

// TestAllProgramsAreRun looks for a program that the test does not know, or that is longer than
// an example may be.
func TestAllProgramsAreRun(t *testing.T) {
	t.Parallel()
	own, err := os.ReadFile("examples_test.go")
	if err != nil {
		t.Fatal(err)
	}
	all, err := filepath.Glob("*/main.go")
	if err != nil || len(all) != 10 {
		t.Errorf("there are %d programs, %v", len(all), err)
	}
	for _, file := range all {
		if name := filepath.Dir(file); !bytes.Contains(own, []byte(`"`+name+`"`)) {
			t.Errorf("nobody runs %s", name)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte("\n")); n >= 60 {
			t.Errorf("%s has %d lines", file, n)
		}
	}
}

// built links all programs into a directory.
func built(t *testing.T) (bin string) {
	t.Helper()
	bin = t.TempDir()
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", bin+string(filepath.Separator), "./...").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// command is a program with its arguments, in an empty directory.
func command(t *testing.T, bin, name string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, filepath.Join(bin, name), args...)
	cmd.Dir, cmd.Env = t.TempDir(), os.Environ()
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// crawler is a directory with the Actor that the program builds. The test is skipped where
// npm cannot get its packages.
func crawler(t *testing.T) string {
	t.Helper()
	npmtest.Dir(t, "crawler/titles")
	return "crawler"
}

func inOrder(t *testing.T, out string, patterns []string) {
	t.Helper()
	rest := out
	for _, p := range patterns {
		found := regexp.MustCompile("(?m)" + p).FindStringIndex(rest)
		if found == nil {
			t.Errorf("it does not say %s:\n%s", p, out)
			return
		}
		rest = rest[found[1]:]
	}
}

// testEmbed asks the host's own route, and for a session below the path of Drover.
func testEmbed(t *testing.T, bin string) {
	cmd := command(t, bin, "embed", "127.0.0.1:0")
	cmd.Env = append(cmd.Env, "DROVER_API_KEY=k")
	var said bytes.Buffer
	cmd.Stderr = &said
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	base := "http://" + strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	if status, text := ask(t, "GET", base+"/hello", ""); status != http.StatusOK || text != "hello from the host\n" {
		t.Errorf("%d %s", status, text)
	}
	if status, text := ask(t, "POST", base+"/browser/v1/sessions", "another"); status != http.StatusUnauthorized {
		t.Errorf("with another key: %d %s", status, text)
	}
	status, text := ask(t, "POST", base+"/browser/v1/sessions", "k")
	var session struct{ ConnectURL string }
	if err := json.Unmarshal([]byte(text), &session); err != nil || status != http.StatusCreated || !strings.HasPrefix(session.ConnectURL, "ws"+strings.TrimPrefix(base, "http")+"/browser/v1/") {
		t.Errorf("%d %s", status, text)
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, &said)
	}
}

func ask(t *testing.T, method, url, key string) (status int, text string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-SVC-API-Key", key)
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// modelKey is the one that the language model knows.
const modelKey = "sk-example"

// languageModel is a server that speaks OpenAI's chat completions. It opens the address that
// the task names, and then answers with the price that the page has said.
func languageModel(t *testing.T) (url string) {
	t.Helper()
	address, price := regexp.MustCompile(`http://127\.0\.0\.1:\d+/products/[a-z-]+`), regexp.MustCompile(`€(\d+\.\d\d)`)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Header.Get("Authorization") != "Bearer "+modelKey {
			http.Error(w, `{"error":{"message":"the key is wrong"}}`, http.StatusUnauthorized)
			return
		}
		name, input := "navigate", fmt.Sprintf(`{"url":%q}`, address.Find(body))
		if said := price.FindSubmatch(body); said != nil {
			name, input = "done", fmt.Sprintf(`{"success":true,"result":{"Answer":"It costs %s"}}`, said[1])
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":%q,"arguments":%q}}]}}],"usage":{"prompt_tokens":100,"completion_tokens":20}}`, name, input)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}
