package plain

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestNoWordIsPassedOver: what a step says more than is understood is said so,
// before anything is done.
func TestNoWordIsPassedOver(t *testing.T) {
	t.Parallel()
	const site = "go to https://a.example"
	for task, why := range map[string]string{
		site + " and buy the lamp":                  "more than can be followed: and buy lamp",
		site + " and delete everything":             "and delete everything",
		site + `, clear "Name"`:                     "clear Name",
		site + " in a new tab":                      "new tab",
		site + " twice":                             "twice",
		site + " and log in":                        "with what",
		site + " and find the price":                "find price",
		site + " or https://b.example":              `"or"`,
		site + " https://b.example":                 "two addresses",
		`go back to the list`:                       "list",
		`click "X" and switch to the first tab`:     "first tab",
		`click "X", switch to the tab "Y"`:          "Y",
		`click "X" twice`:                           "twice",
		`click "X" quickly`:                         "quickly",
		`click "A" and "B"`:                         "several elements",
		`click "A" "B"`:                             "several elements",
		`click "X" and hold it`:                     "and hold it",
		`click "X" to delete it`:                    "delete",
		`click "X" on the second page`:              "second page",
		`click "X" in the second row`:               "second row",
		`click "X" with the right button`:           "right",
		`download the file`:                         "does not begin with",
		`return_ the title`:                         "does not begin with",
		`press the Turbo key`:                       "no such key",
		`press Escape twice`:                        "twice",
		`scroll`:                                    "where to scroll",
		`scroll down three pages`:                   "three",
		`scroll to the end of the list slowly`:      "slowly",
		`scroll until the end`:                      `"until"`,
		`drag "A"`:                                  "where to drag",
		`drag "A" to`:                               "where to drag",
		`drag "A" 50 pixels`:                        "which direction",
		`drag "A" 50 pixels to the right quickly`:   "quickly",
		`drag "A" to "B" and "C"`:                   "several elements",
		`hover over`:                                "what to hover",
		`double-click "A" and "B"`:                  "several elements",
		`right-click "X" to delete it`:              "delete",
		`select "A" and "B" and leave from "X"`:     "leave",
		`switch to the first tab`:                   "does not begin with",
		`type "x" into "Name" twice`:                "twice",
		`set Quantity to 3 and buy it`:              "in quotes",
		`enter my name into "Name"`:                 "in quotes",
		`fill "A" with "x" slowly`:                  "slowly",
		`select the first option from "Colour"`:     "which option",
		`select "Red" from "A" for the second`:      "second",
		`search for lamps on Google`:                "Google",
		`submit the order`:                          "order",
		`wait until "Loading" disappears`:           "disappears",
		`wait until the price changes`:              "in quotes",
		`wait 90 seconds`:                           "more than 60 seconds",
		`wait 2 minutes`:                            "more than 60 seconds",
		`log in as "a" and buy "b"`:                 "with what",
		`return the price as CSV`:                   "CSV",
		`return the price of A and the weight of B`: "several things",
		`return the price from https://a.example and https://b.example`: "two addresses",
	} {
		steps, err := parse(task)
		var e *notPlain
		switch {
		case !errors.As(err, &e):
			t.Errorf("%q is followed: %s", task, brief(steps))
		case !strings.Contains(e.why, why):
			t.Errorf("%q: %s", task, e.why)
		}
	}
}

// vocabulary are the words of which it is known what they mean.
func vocabulary() map[string]bool {
	known := map[string]bool{}
	add := func(lists ...[]string) {
		for _, list := range lists {
			for _, phrase := range list {
				for _, w := range strings.Fields(strings.ToLower(phrase)) {
					known[w] = true
				}
			}
		}
	}
	for _, words := range []map[string][]string{lists(), verbs(), regions()} {
		for _, list := range words {
			for _, w := range list {
				add([]string{strings.ReplaceAll(w, "_", " ")})
			}
		}
	}
	for _, names := range []map[string]string{roleWords(), keyWords(), wayWords(), numerals(), ownWords()} {
		for w := range names {
			add([]string{strings.ReplaceAll(strings.TrimPrefix(w, "+"), "_", " ")})
		}
	}
	add([]string{"then and afterwards step as close next plus including with using current by at most up about drop"},
		[]string{"ms millisecond milliseconds s sec secs second seconds m min mins minute minutes h hour hours"})
	return known
}

// FuzzNoWordIsPassedOver: every word of a task that is followed is in a step or
// is one of those that are known to say nothing more.
func FuzzNoWordIsPassedOver(f *testing.F) {
	for _, task := range []string{
		`go to https://a.example, type "x" into "Y" and return the table`, `click "A" in the row "B" and buy it`, "1. click 'A' next to “B”\n2. wait until «c» appears → return %d%",
		`set Quantity to 3, set Email to a@b.c`, `select Support from Topic then check the box X`, `log in with username X and password %pw%`, `return the total of order #1003 as JSON`,
		`wait up to 30 seconds for "X"`, `search the shop for desk lamp in the page`, `open the "Catalogue" page to see more`, "Step 1: go back\n- press Enter", `return a list of products with name and price from https://a.example`,
	} {
		f.Add(task)
	}
	known := vocabulary()
	f.Fuzz(func(t *testing.T, task string) {
		steps, err := parse(task)
		var e *notPlain
		if err != nil && !errors.As(err, &e) {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		said := strings.ToLower(sayAll(steps))
		for _, tok := range lex(task) {
			w := strings.ToLower(strings.Join(strings.Fields(tok.text), " "))
			if saysSomething(tok) && !known[w] && !markerForm().MatchString(w+".") && !timeForm().MatchString(w) && !strings.Contains(said, w) {
				t.Errorf("%q is passed over in %q: %s", tok.text, task, brief(steps))
			}
		}
	})
}

// sayAll are the texts of steps.
func sayAll(steps []step) string {
	var all []string
	for _, s := range steps {
		all = append(all, strings.Join(s.input.list("options"), " "), s.end.name, s.end.near, fmt.Sprint(s.input, -s.input.number("dx"), " ", -s.input.number("dy")), strings.ToLower(strings.Join(strings.Fields(s.end.name), " ")))
		all = append(all, s.input.text("url"), strings.Join(strings.Fields(s.input.text("text")), " "), s.target.name, strings.Join(strings.Fields(s.target.name), " "), strings.Join(strings.Fields(s.target.near), " "), s.want.row,
			strings.Join(strings.Fields(s.want.row), " "), s.want.scope, strings.Join(strings.Fields(strings.Join(s.want.names, " ")), " "), brief([]step{s}))
	}
	return strings.Join(all, "\n")
}
