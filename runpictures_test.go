package drover_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/drovertest"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model"
	script "github.com/drover-go/drover/runs/model/scripted"
)

// seer is a model that sees.
type seer struct{ *script.Model }

func (seer) Caps() model.Caps { return model.Caps{Tools: true, Images: true} }

// A picture is shown to the model, behind the result of its call, and is in no
// message of the run; also where there are values to hide, which are masked.
func TestRunsSeePictures(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Page</title><button>Go</button>`)
	}))
	t.Cleanup(site.Close)
	for name, vars := range map[string]map[string]runs.Variable{"without variables": nil, "with variables": {"pass": {Value: "hunter22"}}} {
		m := script.New(
			script.Call("navigate", map[string]string{"url": site.URL}),
			script.Call("screenshot", map[string]any{"marks": true}),
			script.Call("done", map[string]any{"success": true}),
		)
		d := drovertest.New(t, drover.Options{Model: seer{m}})
		run, err := d.Runs.Create(t.Context(), runs.Create{Task: "x", Variables: vars})
		if err != nil {
			t.Fatal(err)
		}
		if run, err = d.Runs.Wait(t.Context(), run.ID); err != nil || run.Status != runs.Completed {
			t.Fatalf("%s: %+v, %v", name, run, err)
		}
		asked := m.Requests()
		last := asked[len(asked)-1].Messages
		content := last[len(last)-1].Content
		if len(content) != 2 || content[1].Type != model.FilePart || content[1].ToolCallID != content[0].ToolCallID || content[1].MediaType != "image/png" || len(content[1].Data) < 1000 {
			t.Errorf("%s: the model is shown %d parts", name, len(content))
		}
		var stored strings.Builder
		for msg, err := range d.Runs.Messages(t.Context(), run.ID) {
			if err != nil {
				t.Fatal(err)
			}
			raw, _ := json.Marshal(msg)
			stored.Write(raw)
		}
		if text := stored.String(); strings.Contains(text, "image/png") || strings.Contains(text, `"file"`) || !strings.Contains(text, "1 elements are marked") {
			t.Errorf("%s: %s", name, text)
		}
	}
}
