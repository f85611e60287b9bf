package plain_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/internal/demosite"
	"github.com/drover-go/drover/internal/schema"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/internal/secrets"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/plain"
	"github.com/drover-go/drover/runs/tools"
)

// conversation has the model follow a task in a browser until it ends.
type conversation struct {
	end      *tools.End
	messages []model.Message
	log      strings.Builder
}

func follow(t *testing.T, session browser.Session, task, resultSchema string, vars map[string]string) *conversation {
	t.Helper()
	o := tools.Options{
		Session: func(context.Context) (browser.Session, error) { return session, nil },
		Task:    task, Variables: secrets.New(vars), MaxOutput: 6000,
	}
	if resultSchema != "" {
		compiled, err := schema.Compile([]byte(resultSchema), schema.Options{})
		if err != nil {
			t.Fatal(err)
		}
		o.ResultSchema = json.RawMessage(resultSchema)
		o.Validate = func(raw json.RawMessage) error { _, err := compiled.ValidateJSON(raw); return err }
	}
	var given []model.Variable
	for name := range vars {
		given = append(given, model.Variable{Name: name})
	}
	set, c := tools.New(o), &conversation{}
	defer set.Close()
	for range 60 {
		r, err := plain.New().Generate(t.Context(), model.Request{Task: task, Variables: given, Messages: c.messages, ResultSchema: o.ResultSchema, Tools: set.Definitions(false)})
		if err != nil {
			t.Fatalf("%v\n%s", err, &c.log)
		}
		said := model.Message{Role: model.Assistant, Content: r.Content}
		call := said.Calls()[0]
		res := set.Call(t.Context(), call)
		c.messages = append(c.messages, said, model.Message{Role: model.ToolRole, Content: []model.Part{model.Result(call, res.Output)}})
		fmt.Fprintf(&c.log, "%s %s\n%s\n\n", call.ToolName, call.Input, res.Output.Text())
		if c.end = res.End; c.end != nil {
			return c
		}
	}
	t.Fatalf("it never ends\n%s", &c.log)
	return nil
}

// calls are the tools that were called, in order.
func (c *conversation) calls() string {
	var names []string
	for _, m := range c.messages {
		for _, call := range m.Calls() {
			names = append(names, call.ToolName)
		}
	}
	return strings.Join(names, " ")
}

const form = `<!doctype html><title>Order</title><h1>Order</h1>
<form action="/ordered"><label>Name <input name="name"></label> <input name="mail" type="email" placeholder="E-mail">
<label for="colour">Colour</label><select id="colour" name="colour"><option>Red<option>Blue</select>
<label><input type="checkbox" name="terms"> I agree</label> <label><input type="checkbox" name="news" checked> News</label>
<fieldset><legend>Size</legend><label><input type="radio" name="size" value="s">Small</label><label><input type="radio" name="size" value="l">Large</label></fieldset>
<button>Order</button></form>
<table><tr><th>Thing</th><th></th></tr><tr><td>Kettle</td><td><a href="/kettle">Details</a></td></tr><tr><td>Cup</td><td><a href="/cup">Details</a></td></tr></table>
<p id="late"></p><button onclick="setTimeout(() => late.innerHTML = '<a href=/late>Here it is</a>', 300)">Wait for it</button>
<button onclick="alert('Hello there')">Greet</button>`

// widgets is a page of what is more than clicked and typed into: what was done
// stands in its text.
const widgets = `<!doctype html><title>Widgets</title><style>#sub{display:none} #menu:hover #sub{display:block} #a,#b{display:inline-block;padding:9px;border:1px solid}</style>
<dl><dt>Done<dd id="done">-</dl><div id="menu" tabindex="0" role="button" aria-label="More" style="width:90px">More<div id="sub"><button onclick="log('sub')">Below</button></div></div>
<button ondblclick="log('double')" oncontextmenu="event.preventDefault(); log('right')">Item</button>
<div id="a" role="button" tabindex="0" draggable="true" ondragstart="event.dataTransfer.setData('text/plain', 'a')">Card</div><div id="b" role="button" tabindex="0" ondragover="event.preventDefault()" ondrop="event.preventDefault(); log('dropped')">Box</div>
<label>Volume <input type="range" min="0" max="100" value="0" style="width:216px" onchange="log('volume ' + this.value)"></label>
<label>Tags <select multiple onchange="log([...this.selectedOptions].map(o => o.label).join('+'))"><option>Red<option>Green<option>Blue</select></label>
<div style="height:2500px"></div><p>Small print</p><script>const log = (s) => done.append(' ' + s); onkeydown = (ev) => { if (ev.key !== 'Control') log('key ' + ev.key) }; onscroll = () => { if (scrollY > 1500 && !done.textContent.includes('far')) log('far') }</script>`

func site(t *testing.T) string {
	mux := http.NewServeMux()
	mux.HandleFunc("/widgets", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, widgets)
	})
	mux.Handle("/", demosite.New())
	mux.HandleFunc("/form", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, form)
	})
	echo := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<title>Page</title><h1>%s</h1><dl>", r.URL.Path)
		for _, name := range []string{"name", "mail", "colour", "terms", "news", "size"} {
			fmt.Fprintf(w, "<dt>%s<dd>%s", name, r.FormValue(name))
		}
	}
	for _, path := range []string{"/ordered", "/kettle", "/cup", "/late"} {
		mux.HandleFunc(path, echo)
	}
	mux.HandleFunc("/big", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<title>Big</title><table><tr><th>Name<th>Price</tr>")
		for i := range 700 {
			fmt.Fprintf(w, "<tr><td>Thing %d<td>€%d.50</tr>", i, i)
		}
		fmt.Fprint(w, "</table><a href=/late>The very end</a>")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func TestTasksInChromium(t *testing.T) {
	t.Parallel()
	provider := chrometest.Provider(t)
	url := site(t)
	vars := map[string]string{"email": demosite.Email, "password": demosite.Password}
	const products = `{"type":"object","properties":{"products":{"type":"array","minItems":1,"items":{"type":"object",
		"properties":{"name":{"type":"string"},"price":{"type":"number"},"inStock":{"type":"boolean"},"url":{"type":"string"}},"required":["name","price","inStock","url"]}}},"required":["products"]}`
	for name, test := range map[string]struct{ task, schema, want, reason, calls string }{
		"shop": {
			task:   `Go to ` + url + `. Click "Sign in". Type %email% into "Email" and %password% into "Password", and click "Sign in". Click "Lamps". Return the products.`,
			schema: products,
			want: `{"products":[{"name":"Harbour desk lamp","price":89.50,"inStock":true,"url":"` + url + `/products/harbour-desk-lamp"},` +
				`{"name":"Tidal floor lamp","price":249.00,"inStock":false,"url":"` + url + `/products/tidal-floor-lamp"},` +
				`{"name":"Foghorn ceiling lamp","price":174.00,"inStock":true,"url":"` + url + `/products/foghorn-ceiling-lamp"}]}`,
			calls: "navigate click type type click click read done",
		},
		"detail": {
			task: "1. Open " + url + "/products/ledger-chair\n2. Return the product and its features",
			schema: `{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"},"sku":{"type":"string"},"weight":{"type":"integer"},
				"features":{"type":"array","items":{"type":"string"}}},"required":["name","price","sku","weight","features"]}`,
			want:  `{"name":"Ledger chair","price":329.00,"sku":"CHR-0777","weight":6900,"features":["Adjustable back"]}`,
			calls: "navigate read done",
		},
		"form": {
			task: `Go to ` + url + `/form, type "Ada" into "Name", enter "a@b.example" in the email field, select "Blue" from "Colour", check "I agree", uncheck "News", ` +
				`select "Large", click "Order", and return "name", "mail", "colour", "terms", "news" and "size"`,
			want:   `{"name":"Ada","mail":"a@b.example","colour":"Blue","terms":"on","size":"l"}`,
			reason: `nothing that is called "news"`,
		},
		"widgets": {
			task: `Go to ` + url + `/widgets. Hover over "More" and click "Below". Double-click "Item", right-click "Item", drag "Card" to "Box", drag "Volume" 50 pixels to the right, ` +
				`select "Red" and "Blue" from "Tags", press Escape, scroll to "small print" and return "Done"`,
			want:  `{"Done":"- sub double right dropped volume 25 Red+Blue key Escape far"}`,
			calls: "navigate hover click click click drag drag select press scroll read done",
		},
		"row":   {task: `Go to ` + url + `/form; click "Details" in the row "Cup"; return the heading`, want: `{"heading":"/cup"}`},
		"late":  {task: `Go to ` + url + `/form. Click "Wait for it". Click "Here it is". Return the heading.`, want: `{"heading":"/late"}`},
		"wait":  {task: `Go to ` + url + `/form. Click "Wait for it". Wait for "Here it is". Return the title.`, want: `{"title":"Order"}`},
		"alert": {task: `Go to ` + url + `/form. Click "Greet". Return the title.`, want: `{"title":"Order"}`},
		"big": {
			task: `Go to ` + url + `/big. Click "The very end". Return the heading.`, want: `{"heading":"/late"}`,
			calls: "navigate snapshot click read done",
		},
		"no such button": {task: `Go to ` + url + `/login. Click "Sing in".`, reason: `step 2 (Click "Sing in"): there is no element "Sing in" on the page; there are link "Sign in", button "Sign in"`},
		"no such field":  {task: `Go to ` + url + `/login. Type "x" into "Mobile".`, reason: `there is no field "Mobile"`},
		"unreachable":    {task: `Go to http://127.0.0.1:1/.`, reason: "step 1 "},
		"nothing fits": {
			task: `Go to ` + url + `/products/post-rack. Return the product.`, schema: `{"type":"object","properties":{"isbn":{"type":"string"}}}`,
			reason: "nothing on the page fits the result schema", calls: "navigate read done done",
		},
		"does not fit": {
			task: `Go to ` + url + `/products/post-rack. Return the product.`, schema: `{"type":"object","properties":{"name":{"type":"string"},"isbn":{"type":"string"}},"required":["name","isbn"]}`,
			reason: "does not have what the result needs",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			session := chrometest.Session(t, provider)
			c := follow(t, session, test.task, test.schema, vars)
			if c.end.Success != (test.reason == "") || !strings.Contains(c.end.Reason, test.reason) {
				t.Errorf("%+v\n%s", c.end, &c.log)
			} else if diff := cmp.Diff(test.want, string(c.end.Result)); c.end.Success && diff != "" {
				t.Errorf("%s\n%s", diff, &c.log)
			}
			if got := c.calls(); test.calls != "" && got != test.calls {
				t.Errorf("calls %s, want %s", got, test.calls)
			}
			if strings.Contains(c.log.String(), demosite.Password) || strings.Contains(c.log.String(), demosite.Email) {
				t.Errorf("a value shows:\n%s", &c.log)
			}
		})
	}
}

func TestLongTablesAreReadToTheirEnd(t *testing.T) {
	t.Parallel()
	c := follow(t, chrometest.Session(t, chrometest.Provider(t)), "Go to "+site(t)+"/big and return the table", "", nil)
	var result struct{ Rows []map[string]string }
	if err := json.Unmarshal(c.end.Result, &result); err != nil || len(result.Rows) != 700 || result.Rows[699]["Price"] != "€699.50" {
		t.Errorf("%d rows, %v, %s", len(result.Rows), err, c.end.Reason)
	}
}
