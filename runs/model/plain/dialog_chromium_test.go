package plain_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

func TestDialogsAreAnsweredAsTheTaskSays(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<title>Ask</title><h1 id=h>Nothing</h1><button onclick="h.textContent = 'deleted ' + confirm('Delete?')">Delete</button>
<button onclick="h.textContent = 'got ' + prompt('Name?')">Name</button><button onclick="alert('Hi')">Greet</button><button onclick="h.textContent += ' done'">End</button>`)
	}))
	t.Cleanup(srv.Close)
	provider := chrometest.Provider(t)
	for task, want := range map[string]string{
		`click "Delete", accept the dialog`:                              "deleted true",
		`click "Delete", dismiss the dialog`:                             "deleted false",
		`click "Delete"`:                                                 "deleted true",
		`click "Delete", click "End"`:                                    "deleted true done",
		`click "Name"`:                                                   "got null",
		`click "Name", answer the dialog with "Ann"`:                     "got Ann",
		`click "Name", answer the dialog with %who%, click "End"`:        "got %who% done",
		`click "Greet", accept the dialog, click "End"`:                  "Nothing done",
		`click "Delete", dismiss the dialog, click "Name"`:               "got null",
		`click "End", dismiss the dialog`:                                "!the page shows no dialog",
		`click "Name", dismiss the dialog, click "Name", wait for "got"`: "got null",
	} {
		t.Run(task, func(t *testing.T) {
			c := follow(t, chrometest.Session(t, provider), "Open "+srv.URL+", "+task+", return the heading", "", map[string]string{"who": "Grace Hopper"})
			if reason, fails := strings.CutPrefix(want, "!"); fails {
				if c.end.Success || !strings.Contains(c.end.Reason, reason) {
					t.Errorf("%s: %+v\n%s", task, c.end, &c.log)
				}
				return
			}
			if !c.end.Success || !strings.Contains(string(c.end.Result), `"`+want+`"`) {
				t.Errorf("%s: %s %s\n%s", task, c.end.Result, c.end.Reason, &c.log)
			}
		})
	}
}
