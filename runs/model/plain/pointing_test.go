package plain

import (
	"fmt"
	"reflect"
	"testing"
)

func TestPointingAndKeys(t *testing.T) {
	t.Parallel()
	named := func(name string) target { return target{name: name, exact: true} }
	for task, want := range map[string]step{
		`double-click "X"`:                        {verb: clickVerb, input: inputs{"double": true}, target: named("X")},
		`Double click on "X"`:                     {verb: clickVerb, input: inputs{"double": true}, target: named("X")},
		`right-click the button "X"`:              {verb: clickVerb, input: inputs{"button": "right"}, target: target{name: "X", exact: true, role: "button"}},
		`hover over "Menu"`:                       {verb: hoverVerb, target: named("Menu")},
		`move the mouse over "Menu"`:              {verb: hoverVerb, target: named("Menu")},
		`hover over Products`:                     {verb: hoverVerb, target: target{name: "Products"}},
		`drag "A" to "B"`:                         {verb: dragVerb, target: target{name: "A", exact: true}, end: target{name: "B", exact: true}},
		`drag and drop "A" onto the "B"`:          {verb: dragVerb, target: target{name: "A", exact: true}, end: target{name: "B", exact: true}},
		`drag "Volume" 50 pixels to the right`:    {verb: dragVerb, target: target{name: "Volume", exact: true}, input: inputs{"dx": 50.0, "dy": 0.0}},
		`drag "Volume" by 20px up`:                {verb: dragVerb, target: target{name: "Volume", exact: true}, input: inputs{"dx": 0.0, "dy": -20.0}},
		`scroll down`:                             {verb: scrollVerb, input: inputs{"direction": "down"}},
		`scroll to the end of the page`:           {verb: scrollVerb, input: inputs{"direction": "bottom"}},
		`scroll down to the bottom`:               {verb: scrollVerb, input: inputs{"direction": "bottom"}},
		`scroll up to the top`:                    {verb: scrollVerb, input: inputs{"direction": "top"}},
		`scroll to "Terms"`:                       {verb: scrollVerb, input: inputs{"text": "Terms"}},
		`scroll down until "Terms"`:               {verb: scrollVerb, input: inputs{"text": "Terms"}},
		`scroll to the end in the list "Results"`: {verb: scrollVerb, input: inputs{"direction": "bottom"}, target: target{name: "Results", exact: true, role: "field"}},
		`press Escape`:                            {verb: pressVerb, input: inputs{"keys": "Escape"}},
		`press the Tab key`:                       {verb: pressVerb, input: inputs{"keys": "Tab"}},
		`press the Home key`:                      {verb: pressVerb, input: inputs{"keys": "Home"}},
		`press Home`:                              {verb: clickVerb, target: target{name: "Home"}},
		`press Control+A`:                         {verb: pressVerb, input: inputs{"keys": "Control+A"}},
		`hit the down arrow`:                      {verb: pressVerb, input: inputs{"keys": "ArrowDown"}},
		`press F2`:                                {verb: pressVerb, input: inputs{"keys": "F2"}},
		`press the "k" key`:                       {verb: pressVerb, input: inputs{"keys": "k"}},
		`press ArrowDown in "City"`:               {verb: pressVerb, input: inputs{"keys": "ArrowDown"}, target: target{name: "City", exact: true}},
		`press Escape on "Terms"`:                 {verb: pressVerb, input: inputs{"keys": "Escape"}, target: target{name: "Terms", exact: true}},
		`select "Red" and "Blue" from "Colours"`:  {verb: selectVerb, input: inputs{"options": []string{"Red", "Blue"}}, target: target{name: "Colours", exact: true, role: "field"}},
		`choose the options "A", "B" in "L"`:      {verb: selectVerb, input: inputs{"options": []string{"A", "B"}}, target: target{name: "L", exact: true, role: "field"}},
		`press "Escape"`:                          {verb: clickVerb, target: named("Escape")},
	} {
		steps, err := parse(task)
		if err != nil || len(steps) != 1 {
			t.Errorf("%s: %v %v", task, steps, err)
			continue
		}
		if want.sentence = steps[0].sentence; want.input == nil {
			want.input = inputs{}
		}
		if !reflect.DeepEqual(steps[0], want) {
			t.Errorf("%s: %s, want %s", task, fmt.Sprintf("%+v", steps[0]), fmt.Sprintf("%+v", want))
		}
	}
	steps, err := parse(`type "x" into "Name" and press Tab, hover over "Menu" and click "Item", then scroll down and press Escape`)
	if err != nil || len(steps) != 6 {
		t.Errorf("%v %v", steps, err)
	}
}
