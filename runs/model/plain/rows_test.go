package plain_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// buy is a link that says in its address of which row it is.
func buy(name string) string { return `<a href="/bought/` + name + `">Buy</a>` }

func table(button func(cells []string, b string) []string, names ...string) string {
	out := "<table><tr><th>Name</th><th>SKU</th><th>Price</th><th>Stock</th><th></th></tr>"
	for i, n := range names {
		cells := button([]string{n, fmt.Sprint(i), fmt.Sprintf("€%d", i), "yes"}, buy(strings.ReplaceAll(n, " ", "-")+strings.Repeat("2", strings.Count(strings.Join(names[:i], "|"), n))))
		out += "<tr><td>" + strings.Join(cells, "</td><td>") + "</td></tr>"
	}
	return out + "</table>"
}

func behindCells(cells []string, b string) []string { return append(cells, b) }
func beforeCells(cells []string, b string) []string { return append([]string{b}, cells...) }
func notForCup(cells []string, b string) []string {
	if cells[0] == "Cup" {
		b = "sold out"
	}
	return append(cells, b)
}

func card(inside ...string) string { return "<div class=card>" + strings.Join(inside, "") + "</div>" }

var rowPages = map[string]string{
	"behind":   table(behindCells, "Kettle", "Cup", "Tea pot", "Cup holder"),
	"before":   table(beforeCells, "Kettle", "Cup", "Tea pot", "Cup holder"),
	"sold out": table(notForCup, "Kettle", "Cup", "Tea pot", "Cup holder"),
	"twice":    table(behindCells, "Kettle", "Cup", "Cup"),
	"list":     "<ul><li>" + buy("Kettle") + " Kettle</li><li>" + buy("Cup") + " Cup</li><li>Tray</li></ul>",
	"inner": `<table><tr><td><ul><li>Kettle</li><li>steel</li></ul></td><td>` + buy("Kettle") + `</td></tr><tr><td><ul><li>Cup</li><li>blue</li></ul></td><td>` +
		buy("Cup") + `</td></tr></table>`,
	"headings":               card("<h3>Kettle</h3><p>good</p>", buy("Kettle")) + card("<h3>Cup</h3><p>blue</p>", buy("Cup")),
	"headings, button first": card(buy("Kettle"), "<h3>Kettle</h3><p>good</p>") + card(buy("Cup"), "<h3>Cup</h3><p>blue</p>"),
	"headings, sold out":     card("<h3>Kettle</h3><p>good</p>", buy("Kettle")) + card("<h3>Cup</h3>") + card("<h3>Pot</h3>", buy("Pot")),
	"flat":                   card("<div>Kettle</div><div>1</div>", buy("Kettle")) + card("<div>Cup</div><div>2</div>", buy("Cup")),
	"flat, button first":     card(buy("Kettle"), "<div>Kettle</div>") + card(buy("Cup"), "<div>Cup</div>"),
	"sizes": `<fieldset><legend>Size</legend><label><input type=radio name=s> Small</label><label><input type=radio name=s onclick="location='/bought/large-size'"> Large</label></fieldset>
		<fieldset><legend>Print</legend><label><input type=radio name=p onclick="location='/bought/large-print'"> Large</label></fieldset>`,
	"regions": "<main>" + buy("main") + "</main><footer>" + buy("footer") + "</footer>",
	"parts":   `<ul><li>` + buy("all") + ` Kitchen <ul><li>Kettle</li><li>Cup ` + buy("Cup") + `</li></ul></li></ul>`,
}

// TestTheRowIsTheOneThatIsNamed clicks in real pages: of two rows that look
// alike never the neighbour's.
func TestTheRowIsTheOneThatIsNamed(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "long tables")
	mux := http.NewServeMux()
	mux.HandleFunc("/rows/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Shop</title>"+rowPages[strings.ReplaceAll(r.PathValue("name"), "_", " ")])
	})
	mux.HandleFunc("/bought/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<title>Bought</title><h1>%s</h1>", r.PathValue("name"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	session := chrometest.Session(t, chrometest.Provider(t))
	for _, test := range []struct{ page, click, want, reason string }{
		{"behind", `click "Buy" in the row "Kettle"`, "Kettle", ""},
		{"behind", `click "Buy" in the row "Cup"`, "Cup", ""},
		{"behind", `click "Buy" for "Tea pot"`, "Tea-pot", ""},
		{"behind", `click "Buy" next to "Cup holder"`, "Cup-holder", ""},
		{"behind", `click "Buy" for "€2"`, "Tea-pot", ""},
		{"behind", `click Buy in the row Cup`, "Cup", ""},
		{"behind", `click "Buy" for "yes"`, "", "not said which is meant"},
		{"behind", `click "Buy"`, "", "not said which is meant"},
		{"behind", `click the third "Buy"`, "Tea-pot", ""},
		{"before", `click "Buy" in the row "Kettle"`, "Kettle", ""},
		{"before", `click "Buy" next to "Cup"`, "Cup", ""},
		{"sold out", `click "Buy" for "Cup"`, "", `no element "Buy" beside "Cup"`},
		{"sold out", `click "Buy" in the row "Cup"`, "", `no element "Buy" beside "Cup"`},
		{"twice", `click "Buy" for "Cup"`, "", "not said which is meant"},
		{"list", `click "Buy" for "Kettle"`, "Kettle", ""},
		{"list", `click "Buy" for "Cup"`, "Cup", ""},
		{"list", `click "Buy" for "Tray"`, "", `beside "Tray"`},
		{"inner", `click "Buy" for "Kettle"`, "Kettle", ""},
		{"inner", `click "Buy" in the row "Cup"`, "Cup", ""},
		{"headings", `click "Buy" for "Kettle"`, "Kettle", ""},
		{"headings", `click "Buy" next to "blue"`, "Cup", ""},
		{"headings, button first", `click "Buy" for "Kettle"`, "", "does not mark its rows"},
		{"headings, sold out", `click "Buy" for "Cup"`, "", `beside "Cup"`},
		{"headings, sold out", `click "Buy" for "Pot"`, "Pot", ""},
		{"flat", `click "Buy" for "Cup"`, "", "does not mark its rows"},
		{"flat, button first", `click "Buy" for "Kettle"`, "", "does not mark its rows"},
		{"flat", `click the second "Buy"`, "Cup", ""},
		{"sizes", `choose "Large" as the size`, "large-size", ""},
		{"sizes", `select "Large" from "Print"`, "large-print", ""},
		{"sizes", `select "Medium" from "Size"`, "", `no field "Size"`},
		{"regions", `click "Buy" in the footer`, "footer", ""},
		{"parts", `click "Buy" for "Kettle"`, "", `beside "Kettle"`},
		{"parts", `click "Buy" for "Cup"`, "Cup", ""},
	} {
		task := "Go to " + server.URL + "/rows/" + strings.ReplaceAll(test.page, " ", "_") + "; " + test.click + "; return the heading"
		c := follow(t, session, task, "", nil)
		want := ""
		if test.want != "" {
			want = `{"heading":"` + test.want + `"}`
		}
		if string(c.end.Result) != want || !strings.Contains(c.end.Reason, test.reason) {
			t.Errorf("%s: %s: %+v %s\n%s", test.page, test.click, c.end, c.end.Result, &c.log)
		}
	}
}
