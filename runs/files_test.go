package runs

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/internal/secrets"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
)

// No net finds a value in a picture, so a run that has values to hide shows none
// to its model, unless whoever made it has masked them.
func TestFilesInWhichValuesCouldBeSeenReachNoModel(t *testing.T) {
	t.Parallel()
	learned := secrets.New(nil)
	learned.Learn("typed_1", "what a person typed")
	for name, c := range map[string]struct {
		vault  *secrets.Vault
		masked bool
		want   bool
	}{
		"with variables":         {secrets.New(map[string]string{"pass": "hunter22"}), false, false},
		"masked, with variables": {secrets.New(map[string]string{"pass": "hunter22"}), true, true},
		"with a person's words":  {learned, false, false},
		"without anything":       {secrets.New(nil), false, true},
	} {
		for _, whole := range []bool{false, true} {
			m := model.Model(scripted.New())
			if whole {
				m = nil // plain, which sees all that was said
			}
			w := quick(t, setup{model: m, idle: true})
			x := newActiveRun(t.Context(), w.service, row{Run: Run{ID: "r", Task: "x"}}, c.vault)
			if err := x.prepare(); err != nil {
				t.Fatal(err)
			}
			call := model.Call("c1", "snapshot", nil)
			x.said.add(model.Message{Role: model.Assistant, Content: []model.Part{call}})
			x.said.add(model.Message{Role: model.ToolRole, Content: []model.Part{
				model.Result(call, model.TextOutput("the page")),
				{Type: model.FilePart, ToolCallID: "c1", MediaType: "image/png", Data: "cGl4ZWxz", Masked: c.masked},
			}})
			raw, err := json.Marshal(x.request(1))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(string(raw), "cGl4ZWxz"); got != c.want || !strings.Contains(string(raw), "the page") || x.whole() != whole {
				t.Errorf("%s, whole %t: the file reaches the model: %t", name, whole, got)
			}
			if logged := strings.Contains(w.log.String(), "a file is kept"); logged == c.want {
				t.Errorf("%s: that it was kept is logged: %t", name, logged)
			}
			x.close()
		}
	}
}
