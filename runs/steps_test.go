package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/demosite"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
)

// onPage is a turn of calls whose references are read off the newest page: a ref
// of `link "Lamps"` is that of the first line with these words.
func onPage(calls ...model.Part) scripted.Turn {
	return scripted.Turn{Do: func(_ context.Context, r model.Request) (model.Response, error) {
		answer := model.Response{Finish: model.FinishCalls}
		for i, c := range calls {
			var input map[string]any
			if err := json.Unmarshal(c.Input, &input); err != nil {
				return answer, err
			}
			if words, ok := input["ref"].(string); ok {
				input["ref"] = refOn(r.Messages, words)
			}
			answer.Content = append(answer.Content, model.Call(fmt.Sprintf("call_%d_%d", r.Step, i), c.ToolName, input))
		}
		return answer, nil
	}}
}

var refForm = regexp.MustCompile(`\[([a-z0-9]+)\]`)

func refOn(messages []model.Message, words string) string {
	for _, m := range slices.Backward(messages) {
		for _, p := range m.Results() {
			if _, rest, ok := strings.Cut(p.Output.Text(), "- "+words); ok {
				return refForm.FindStringSubmatch(rest)[1]
			}
		}
	}
	return "nowhere"
}

func use(tool string, input map[string]any) model.Part { return model.Call("", tool, input) }

// shopRun is a run of a language model in the shop, with detours: calls that fail,
// several calls at once, looks at the page.
func shopRun(url string) []scripted.Turn {
	type in = map[string]any
	return []scripted.Turn{
		onPage(use("navigate", in{"url": url})),
		onPage(use("click", in{"ref": `link "Sign in"`})),
		onPage(use("click", in{"ref": `button "Register"`})), // there is none
		onPage(use("type", in{"ref": `textbox "Email"`, "text": "%email%"}), use("type", in{"ref": `textbox "Password"`, "text": "%password%"}), use("click", in{"ref": `button "Sign in"`})),
		onPage(use("wait", in{"text": "8 products", "seconds": 5})),
		onPage(use("click", in{"ref": `button "Chairs"`}), use("snapshot", in{})),
		onPage(use("click", in{"ref": `link "Ledger chair"`})),
		onPage(use("read", in{"as": "text"})),
	}
}

const shopSteps = `Go to %s
Click "Sign in"
Type %%email%% into "Email"
Type %%password%% into "Password"
Click "Sign in"
Wait up to 5 seconds for "8 products"
Click "Chairs"
Click "Ledger chair"
Return the result`

func TestARunOfALanguageModelIsDoneAgainWithoutOne(t *testing.T) {
	t.Parallel()
	site := openSite(t)
	cases := map[string]struct {
		create Create
		result string
	}{
		"with a schema": {Create{ResultSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"},"sku":{"type":"string"}},"required":["name","price","sku"]}`)}, `{"name":"Ledger chair","price":329,"sku":"CHR-0777"}`},
		"without one":   {Create{}, `{"colour":"Walnut","weight":"6900 g"}`},
	}
	models := map[string]ModelConfig{}
	for name, c := range cases {
		models[name] = ModelConfig{Model: scripted.New(append(shopRun(site.URL), done(true, "", c.result))...)}
	}
	w := start(t, setup{browser: chrometest.Provider(t), models: models, standard: "plain"})
	for name, c := range cases {
		c.create.Task, c.create.Model, c.create.Variables = "Find the chair for accounts", name, shopVariables
		first := w.do(t, c.create)
		if first.Status != Completed {
			t.Fatalf("%s: %+v", name, first.Cause)
		}
		steps, err := w.Steps(t.Context(), first.ID)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, steps.Task)
		}
		if diff := cmp.Diff(fmt.Sprintf(shopSteps, site.URL), steps.Task); diff != "" || !slices.Equal(steps.Variables, []string{"email", "password"}) {
			t.Fatalf("%s: %v %s", name, steps.Variables, diff)
		}
		again := w.do(t, Create{Task: steps.Task, ResultSchema: steps.ResultSchema, Variables: shopVariables})
		if again.Status != Completed || !sameJSON(t, again.Result, first.Result) || again.Usage.Tokens != (model.Usage{}) {
			t.Errorf("%s: %s %s %s instead of %s", name, again.Status, again.Cause, again.Result, first.Result)
		}
	}
}

func sameJSON(t *testing.T, a, b json.RawMessage) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Error(err)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Error(err)
	}
	return cmp.Equal(x, y)
}

// changedShop is the shop after somebody has rebuilt it.
func changedShop(t *testing.T, old, now string) string {
	t.Helper()
	shop := demosite.New()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := httptest.NewRecorder()
		shop.ServeHTTP(page, r)
		for name, values := range page.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(page.Code)
		fmt.Fprint(w, strings.ReplaceAll(page.Body.String(), old, now))
	}))
	t.Cleanup(site.Close)
	return site.URL
}

func TestAStepThatNoLongerFitsSaysSo(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: chrometest.Provider(t)})
	for old, c := range map[string]struct{ now, code, message string }{
		`<label for="password">Password</label>`: {`<label for="password">Passphrase</label>`, CauseTaskFailed, `step 4 (Type %password% into "Password"): there is no field "Password" on the page; there are textbox "Passphrase", textbox "Email"`},
		`<button type="submit">Sign in</button>`: {`<button type="submit">Enter</button><button>Enter</button>`, CauseTaskFailed, `step 6 (Wait up to 5 seconds for "8 products"): "8 products" did not come up`},
		`Ledger chair`:                           {`Ledger stool`, CauseTaskFailed, `step 8 (Click "Ledger chair"): there is no element "Ledger chair"`},
		`<dt>SKU</dt>`:                           {`<dt>Shelf</dt>`, CauseResultInvalid, `sku`},
	} {
		t.Run(c.now, func(t *testing.T) {
			t.Parallel()
			r, err := w.Create(t.Context(), Create{
				Task: fmt.Sprintf(shopSteps, changedShop(t, old, c.now)), Variables: shopVariables,
				ResultSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"},"sku":{"type":"string"}},"required":["name","sku"]}`),
			})
			if err == nil {
				r, err = w.Wait(t.Context(), r.ID)
			}
			if err != nil || r.Status != Failed || r.Cause.Code != c.code || !strings.Contains(r.Cause.Message, c.message) {
				t.Errorf("%s %s, %v", r.Status, r.Cause, err)
			}
		})
	}
}

func TestOnlyWholeRunsBecomeSteps(t *testing.T) {
	t.Parallel()
	w := quick(t, setup{model: scripted.New(
		click("e1"), onPage(use("note_answer", map[string]any{"answer": 1}), use("type", map[string]any{"ref": "textbox", "text": ""})), done(true, "", `"in words"`),
		done(false, "no", ""),
	)})
	r := w.do(t, Create{Task: "x"})
	steps, err := w.Steps(t.Context(), r.ID)
	pub := errtypes.Public(err)
	if pub.Kind != errtypes.Conflict || !strings.Contains(pub.Message, "call 1 (click): the messages of the run do not show the element; the result: it is a value without a name") {
		t.Errorf("%v", err)
	}
	if want := "TODO: call 1 (click): the messages of the run do not show the element\nTODO: it is a value"; !strings.HasPrefix(steps.Task, want) {
		t.Errorf("%q", steps.Task)
	}
	w2 := quick(t, setup{})
	if refused := w2.do(t, Create{Task: steps.Task}); refused.Status != Failed || refused.Cause.Code != CauseModel || w2.sessions.count() != 0 {
		t.Errorf("a task with gaps is followed: %+v", refused)
	}
	failed := w.do(t, Create{Task: "x"})
	if _, err := w.Steps(t.Context(), failed.ID); !errtypes.Is(err, errtypes.Conflict) || !strings.Contains(err.Error(), "it is FAILED (TASK_FAILED: no)") {
		t.Error(err)
	}
	if _, err := w.Steps(t.Context(), "none"); !errtypes.Is(err, errtypes.NotFound) {
		t.Error(err)
	}
}
