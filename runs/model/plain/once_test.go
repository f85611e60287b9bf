package plain_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/plain"
	"github.com/drover-go/drover/runs/tools"
)

// shop counts how often something is bought from it. Its page hangs afterwards.
func shop(t *testing.T, bought *atomic.Int32) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			bought.Add(1)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Shop</title><button onclick="navigator.sendBeacon('/buy'); const end = Date.now() + 6000; while (Date.now() < end);">Buy</button>`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestAClickOfUnknownOutcomeIsNotMadeAgain(t *testing.T) {
	t.Parallel()
	var bought atomic.Int32
	url, session := shop(t, &bought), chrometest.Session(t, chrometest.Provider(t))
	task := "Go to " + url + ` and click "Buy".`
	end, log := pursue(t, session, task, 4*time.Second)
	if end.Success || !strings.Contains(end.Reason, "it is not known whether the step took effect") || strings.Count(log, "click {") != 1 {
		t.Errorf("%+v\n%s", end, log)
	}
	time.Sleep(3 * time.Second) // the page gets no further before
	if n := bought.Load(); n != 1 {
		t.Errorf("bought %d times", n)
	}
}

func TestARefusedAddressIsNotOpenedAgain(t *testing.T) {
	t.Parallel()
	session := chrometest.Session(t, chrometest.Provider(t))
	end, log := pursue(t, session, "Go to http://10.1.2.3/.", time.Minute)
	if end.Success || strings.Count(log, "navigate {") != 1 {
		t.Errorf("%+v\n%s", end, log)
	}
}

// pursue follows a task with tools that give up after the time.
func pursue(t *testing.T, session browser.Session, task string, limit time.Duration) (end *tools.End, log string) {
	t.Helper()
	set := tools.New(tools.Options{
		Session: func(context.Context) (browser.Session, error) { return session, nil }, Task: task, Timeout: limit,
	})
	var messages []model.Message
	for range 20 {
		r, err := plain.New().Generate(t.Context(), model.Request{Task: task, Messages: messages, Tools: set.Definitions(false), ResultSchema: json.RawMessage(nil)})
		if err != nil {
			t.Fatal(err)
		}
		said := model.Message{Role: model.Assistant, Content: r.Content}
		call := said.Calls()[0]
		res := set.Call(t.Context(), call)
		messages = append(messages, said, model.Message{Role: model.ToolRole, Content: []model.Part{model.Result(call, res.Output)}})
		log += call.ToolName + " " + string(call.Input) + "\n" + res.Output.Text() + "\n\n"
		if res.End != nil {
			return res.End, log
		}
	}
	t.Fatalf("it never ends\n%s", log)
	return nil, log
}
