package runs

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/model/openai"
)

// hostEnv makes the test binary a host of runs on the data directory it names.
const hostEnv = "DROVER_RUNS_TEST_HOST"

// hostMain executes runs until it is killed. Each line on its standard input
// is a task: with "idle " before it the workers are not started, with "secret "
// the run gets a variable. It answers with the id of the run.
func hostMain(dir string) error {
	ctx := context.Background()
	path, _, err := chrome.Find()
	if err != nil {
		return err
	}
	p, err := chrome.New(chrome.Options{ExecPath: path, Gate: chrometest.LocalGate(), TempDir: os.Getenv(hostEnv + "_TEMP"), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	o := setup{dir: dir, browser: p, idle: os.Getenv(hostEnv+"_IDLE") != ""}
	if base := os.Getenv(hostEnv + "_MODEL"); base != "" {
		if o.model, err = openai.New(openai.Options{Model: "m", BaseURL: base, Dialect: openai.ChatCompletions}); err != nil {
			return err
		}
	}
	switch os.Getenv(hostEnv + "_HOOK") {
	case inTheHook:
		held := &heldProvider{Server: &httptest.Server{URL: strings.TrimSuffix(os.Getenv(hostEnv+"_MODEL"), "/v1")}}
		o.hooks.BeforeCall = held.hook
	case withAPerson:
		o.hooks.Human = true
	}
	w, err := openWorking(ctx, o)
	if err != nil {
		return err
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		task, secret := strings.CutPrefix(in.Text(), "secret ")
		c := Create{Task: task}
		if secret {
			c.Variables = map[string]Variable{"word": {Value: "a-secret-value"}}
		}
		r, err := w.Create(ctx, c)
		if err != nil {
			return err
		}
		fmt.Println(r.ID)
	}
	return in.Err()
}
