package plain

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// brief writes steps so that a table of them can be read.
func brief(steps []step) string {
	var all []string
	for _, s := range steps {
		all = append(all, s.brief())
	}
	return strings.Join(all, " | ")
}

func (s step) brief() string {
	out := string(s.verb)
	if url := s.input.text("url"); url != "" {
		out += " " + url
	}
	if text := s.input.text("text"); text != "" {
		out += fmt.Sprintf(" %q", text)
	}
	if !s.target.empty() || s.verb == typeVerb {
		out += " " + s.target.brief()
	}
	if s.input.is("submit") {
		out += " +enter"
	}
	if seconds := s.input.number("seconds"); seconds > 0 {
		out += fmt.Sprintf(" %vs", seconds)
	}
	return out + s.want.brief()
}

func (t target) brief() string {
	out := "<" + t.name + ">"
	if t.exact {
		out = "<'" + t.name + "'>"
	}
	if t.role != "" {
		out += t.role
	}
	if t.nth != 0 {
		out += fmt.Sprintf("#%d", t.nth)
	}
	if t.near != "" {
		out += " near " + t.near
	}
	if t.row {
		out += " (row)"
	}
	if t.region != nil {
		out += " in " + t.region[0]
	}
	return out
}

func (w want) brief() (out string) {
	for _, own := range w.own {
		out += " " + own
	}
	if w.table {
		out += " table"
	}
	if w.all {
		out += " all"
	}
	if what := "phrases"; len(w.names) > 0 {
		if w.quoted {
			what = "labels"
		}
		out += fmt.Sprintf(" %s%q", what, w.names)
	}
	if w.row != "" {
		out += " row " + w.row
	}
	if w.scope != "" {
		out += " of " + w.scope
	}
	return out
}

func TestPlainTasks(t *testing.T) {
	t.Parallel()
	for task, want := range map[string]string{
		// Going somewhere.
		"go to https://shop.example/a?b=c#d":                 "open https://shop.example/a?b=c#d",
		"Open https://shop.example.":                         "open https://shop.example",
		"Please visit the shop at shop.example/x, then stop": "",
		"Navigate to http://127.0.0.1:8080/login":            "open http://127.0.0.1:8080/login",
		`Go to "https://shop.example"`:                       "open https://shop.example",
		"go to %home%":                                       "open %home%",
		"go to https://shop.example/u/%user%/orders":         "open https://shop.example/u/%user%/orders",
		"https://shop.example/\nclick \"X\"":                 "open https://shop.example/ | click <'X'>",
		"On https://shop.example, click “Sign in”":           "open https://shop.example | click <'Sign in'>",
		"At shop.example: click 'Sign in'":                   "open shop.example | click <'Sign in'>",
		"go to localhost:8080":                               "open localhost:8080",
		"go to the catalogue":                                "click <catalogue>",
		`open the "Catalogue" page`:                          "click <'Catalogue'>",

		// Clicking.
		`click "Sign in"`:                       "click <'Sign in'>",
		`Click on the “Sign in” button.`:        "click <'Sign in'>button",
		`tap the link «Mehr»`:                   "click <'Mehr'>link",
		`press the button labelled 'Don’t ask'`: "click <'Don’t ask'>button",
		`press the button labelled 'Don't ask'`: "click <'Don't ask'>button",
		`click the second "Edit" link`:          "click <'Edit'>link#2",
		`click the last "Edit"`:                 "click <'Edit'>#-1",
		`click "Edit" in the row "Kettle"`:      "click <'Edit'> near Kettle (row)",
		`click "Edit" next to "Kettle"`:         "click <'Edit'> near Kettle",
		`click the "Details" link for "Kettle"`: "click <'Details'>link near Kettle",
		`click Sign in`:                         "click <Sign in>",
		`click the Sign in button`:              "click <Sign in>button",
		`click "Save" to save the form`:         "click <'Save'>",
		`click the search box`:                  "click <search>field",
		`click "Next" then click "Last"`:        "click <'Next'> | click <'Last'>",
		`click "A", click "B" and click "C"`:    "click <'A'> | click <'B'> | click <'C'>",
		`click "Lamps"; click "Chairs"`:         "click <'Lamps'> | click <'Chairs'>",
		`click %button%`:                        "click <'%button%'>",
		"1. click \"A\"\n2) click \"B\"\n- click \"C\"\n* click \"D\"\nStep 5: click \"E\"": "click <'A'> | click <'B'> | click <'C'> | click <'D'> | click <'E'>",

		// Typing.
		`type "ada" into "Name"`:                                  "type \"ada\" <'Name'>field",
		`Enter %user% in the "User name" field`:                   "type \"%user%\" <'User name'>field",
		`type %user% into "Email" and %password% into "Password"`: "type \"%user%\" <'Email'>field | type \"%password%\" <'Password'>field",
		`fill in "Name" with "ada"`:                               "type \"ada\" <'Name'>field",
		`fill the field "Name" with "ada", and "Age" with "7"`:    "type \"ada\" <'Name'>field | type \"7\" <'Age'>field",
		`fill "ada" into "Name"`:                                  "type \"ada\" <'Name'>field",
		`set "Amount" to "3"`:                                     "type \"3\" <'Amount'>field",
		`set "Amount" to 3`:                                       "type \"3\" <'Amount'>field",
		`enter "ada@example.com" as the email`:                    "type \"ada@example.com\" <email>field",
		`enter your email %email% and your password %password%`:   "type \"%email%\" <email>field | type \"%password%\" <password>field",
		`put "x" in the first "Note" box`:                         "type \"x\" <'Note'>field#1",
		`type kettle into "Search"`:                               "type \"kettle\" <'Search'>field",
		`type "kettle" into the search box and press Enter`:       "type \"kettle\" <search>field +enter",
		"type \"kettle\" into \"Search\"\npress the Enter key":    "type \"kettle\" <'Search'>field +enter",
		`type "x" into "A", then submit the form`:                 "type \"x\" <'A'>field +enter",
		`type "x" into "A" and click "Go"`:                        "type \"x\" <'A'>field | click <'Go'>",
		`type "it's 5 o'clock, ok; yes." into "A"`:                "type \"it's 5 o'clock, ok; yes.\" <'A'>field",
		`type "%first% %last%" into "Name"`:                       "type \"%first% %last%\" <'Name'>field",
		`type %first% %last% into "Name"`:                         "type \"%first% %last%\" <'Name'>field",
		`type "hello"`:                                            "type \"hello\" <>field",
		`search for "desk lamp"`:                                  "type \"desk lamp\" <>search +enter",
		`search the catalogue for "desk lamp"`:                    "type \"desk lamp\" <>search +enter",
		`press Enter`:                                             "submit",
		`submit`:                                                  "submit",

		`set Quantity to 3, set Email to a@b.c`:    "type \"3\" <Quantity>field | type \"a@b.c\" <Email>field",
		`set Name to Ada Lovelace and click "Go"`:  "type \"Ada Lovelace\" <Name>field | click <'Go'>",
		`enter the name "Ada"`:                     "type \"Ada\" <name>field",
		`search for lamps`:                         "type \"lamps\" <>search +enter",
		`search for desk lamp, click "Lamp"`:       "type \"desk lamp\" <>search +enter | click <'Lamp'>",
		`log in with username X and password %pw%`: "type \"X\" <username>field | type \"%pw%\" <password>field +enter",
		`sign in as %user% with password %pw%`:     "type \"%user%\" <username>field | type \"%pw%\" <password>field +enter",

		// Lists and going about.
		"Step 1: go to https://a.example\nStep 2: click \"X\"":                     "open https://a.example | click <'X'>",
		"• go to https://a.example\n• return the title":                            "open https://a.example | return title",
		"1. go to https://a.example. 2. click \"X\". 3. return the title":          "open https://a.example | click <'X'> | return title",
		"Open https://a.example, then return the title.":                           "open https://a.example | return title",
		"Get the price from https://a.example/x":                                   `open https://a.example/x | return phrases["price"]`,
		"Return the title of https://a.example":                                    "open https://a.example | return title",
		"scrape https://a.example":                                                 "open https://a.example | return",
		"go to https://a.example and search for lamps and then return the results": "open https://a.example | type \"lamps\" <>search +enter | return table",
		"click \"A\", go back and click \"B\"":                                     "click <'A'> | back | click <'B'>",
		"go back to the previous page":                                             "back",
		`click the third link`:                                                     "click <>link#3",
		`click "Save" in the footer`:                                               "click <'Save'> in contentinfo",
		`click "Edit" for order 1003`:                                              "click <'Edit'> near order 1003",
		`click Next`:                                                               "click <Next>",

		// The rest.
		`select Support from Topic`:           "select \"Support\" <Topic>field",
		`select the second tab`:               "click <>tab#2",
		`check the box X`:                     "check <X>checkbox",
		`wait until Results appears`:          "wait \"Results\"",
		`wait for "Results" to appear`:        "wait \"Results\"",
		`wait 30 seconds`:                     "wait 30s",
		`wait 1 minute`:                       "wait 60s",
		`wait up to 30 seconds for "Results"`: "wait \"Results\" 30s",
		`select "Red" from "Colour"`:          "select \"Red\" <'Colour'>field",
		`choose "Red" as the colour`:          "select \"Red\" <colour>field",
		`select "Red"`:                        "click <'Red'>",
		`check "I agree"`:                     "check <'I agree'>checkbox",
		`untick the box "News"`:               "uncheck <'News'>checkbox",
		`wait for "Results"`:                  "wait \"Results\"",
		`wait until "3 products" appears`:     "wait \"3 products\"",
		`wait 2 seconds`:                      "wait 2s",
		`wait for 1.5s`:                       "wait 1.5s",
		`wait for the page to load`:           "wait 0.5s",
		`read the page`:                       "read",

		// Returning.
		`return everything`:                          "return all",
		`return the price of the Toaster`:            `return phrases["price"] of Toaster`,
		`return the total of order #1003`:            `return phrases["total"] of order #1003`,
		`return the "Orders" table`:                  "return table of Orders table",
		`return the row "Kettle"`:                    "return row Kettle",
		`return the products with name and price`:    `return phrases["name" "price"] of each products`,
		`return the title of the page and a price`:   `return title phrases["price"]`,
		`return the title of "Kettle"`:               `return phrases["title"] row Kettle`,
		`return the products as a JSON array`:        `return phrases["products"]`,
		`return the page's title`:                    "return title",
		`return page_title`:                          `return phrases["page_title"]`,
		`return the title and the URL`:               "return title url",
		`return "Price" and "Weight"`:                `return labels["Price" "Weight"]`,
		`report the value of "Price"`:                `return labels["Price"]`,
		`return the "Price" of "Kettle"`:             `return labels["Price"] row Kettle`,
		`return the price and the stock`:             `return phrases["price" "stock"]`,
		`return the products as JSON`:                `return phrases["products"]`,
		`return the table`:                           "return table",
		`give me all rows of the table`:              "return table",
		`extract the name and price of each product`: `return phrases["name" "price"] of each product`,
		`tell me the heading`:                        "return heading",
		`return the text of the page`:                "return text",
		`finally, return the results`:                "return table",
		`read the page and return the title`:         "read | return title",
		`return the name, type and list`:             `return phrases["name" "type" "list"]`,
	} {
		if want == "" {
			continue
		}
		steps, err := parse(task)
		if err != nil {
			t.Errorf("%q: %v", task, err)
			continue
		}
		if diff := cmp.Diff(want, brief(steps)); diff != "" {
			t.Errorf("%q: %s", task, diff)
		}
	}
}

func TestAWholeTask(t *testing.T) {
	t.Parallel()
	steps, err := parse(`Go to http://127.0.0.1:4000/. Sign in is needed: click "Sign in", type %email% into "Email", ` +
		`type %password% into "Password" and click the "Sign in" button. Then click "Lamps" and return the products as JSON.`)
	if err == nil {
		t.Fatalf("a sentence that is no step is passed over: %s", brief(steps))
	}
	steps, err = parse(`Go to http://127.0.0.1:4000/. Click "Sign in", type %email% into "Email", ` +
		`type %password% into "Password" and click the "Sign in" button. Then click "Lamps" and return the products as JSON.`)
	if err != nil {
		t.Fatal(err)
	}
	want := `open http://127.0.0.1:4000/ | click <'Sign in'> | type "%email%" <'Email'>field | type "%password%" <'Password'>field | ` +
		`click <'Sign in'>button | click <'Lamps'> | return phrases["products"]`
	if diff := cmp.Diff(want, brief(steps)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsNotPlainIsNamed(t *testing.T) {
	t.Parallel()
	for task, sentence := range map[string]string{
		"Find out who leads the league":                               "Find out who leads the league",
		"go to https://a.example. Book the cheapest flight to Rome.":  "Book the cheapest flight to Rome",
		"go to https://a.example and return the cheapest product":     "return the cheapest product",
		"go to https://a.example; if there is a banner, click \"OK\"": "if there is a banner",
		"click every link": "click every link",
		"go to https://a.example\nreturn products under 20 euros": "return products under 20 euros",
		"go to https://a.example, summarize the page":             "go to https://a.example, summarize the page",
		"type something suitable into \"Name\"":                   "type something suitable into \"Name\"",
		"type into \"Name\"":                                      "type into \"Name\"",
		"wait for the results":                                    "wait for the results",
		"click":                                                   "click",
		"":                                                        "",
		"   \n ":                                                  "",
		"check that the price is right for the whole order": "check that the price is right for the whole order",
		"scroll around":                  "scroll around",
		"click \"A\" and \"B\" or \"C\"": "click \"A\" and \"B\" or \"C\"",
	} {
		steps, err := parse(task)
		var e *notPlain
		if !errors.As(err, &e) {
			t.Errorf("%q is followed: %s", task, brief(steps))
			continue
		}
		if !strings.Contains(err.Error(), "needs a language model") || !strings.Contains(e.sentence, sentence) {
			t.Errorf("%q: %v", task, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`go to https://a.example, type "x" into "Y" and return the table`)
	f.Add("1. click 'A' next to “B”\n2. wait until «c» appears → return %d%")
	f.Add("set type to fill with \"")
	f.Fuzz(func(t *testing.T, task string) {
		steps, err := parse(task)
		var e *notPlain
		if err != nil && !errors.As(err, &e) {
			t.Fatal(err)
		}
		if err == nil && len(steps) == 0 {
			t.Fatal("no steps and no error")
		}
	})
}
