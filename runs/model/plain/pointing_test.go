package plain

import (
	"fmt"
	"reflect"
	"testing"
)

func TestPointingAndKeys(t *testing.T) {
	t.Parallel()
	click := func(how manner, name string) step {
		return step{verb: clickVerb, how: how, target: target{name: name, exact: true}}
	}
	for task, want := range map[string]step{
		`double-click "X"`:                        click(byDoubleClick, "X"),
		`Double click on "X"`:                     click(byDoubleClick, "X"),
		`right-click the button "X"`:              {verb: clickVerb, how: byRightClick, target: target{name: "X", exact: true, role: "button"}},
		`hover over "Menu"`:                       click(byHover, "Menu"),
		`move the mouse over "Menu"`:              click(byHover, "Menu"),
		`hover over Products`:                     {verb: clickVerb, how: byHover, target: target{name: "Products"}},
		`drag "A" to "B"`:                         {verb: clickVerb, how: byDrag, target: target{name: "A", exact: true}, to: target{name: "B", exact: true}},
		`drag and drop "A" onto the "B"`:          {verb: clickVerb, how: byDrag, target: target{name: "A", exact: true}, to: target{name: "B", exact: true}},
		`drag "Volume" 50 pixels to the right`:    {verb: clickVerb, how: byDrag, target: target{name: "Volume", exact: true}, by: [2]float64{50, 0}},
		`drag "Volume" by 20px up`:                {verb: clickVerb, how: byDrag, target: target{name: "Volume", exact: true}, by: [2]float64{0, -20}},
		`scroll down`:                             {verb: scrollVerb, way: "down"},
		`scroll to the end of the page`:           {verb: scrollVerb, way: "bottom"},
		`scroll down to the bottom`:               {verb: scrollVerb, way: "bottom"},
		`scroll up to the top`:                    {verb: scrollVerb, way: "top"},
		`scroll to "Terms"`:                       {verb: scrollVerb, text: "Terms"},
		`scroll down until "Terms"`:               {verb: scrollVerb, text: "Terms"},
		`scroll to the end in the list "Results"`: {verb: scrollVerb, way: "bottom", target: target{name: "Results", exact: true, role: "field"}},
		`press Escape`:                            {verb: pressVerb, text: "Escape"},
		`press the Tab key`:                       {verb: pressVerb, text: "Tab"},
		`press the Home key`:                      {verb: pressVerb, text: "Home"},
		`press Home`:                              {verb: clickVerb, target: target{name: "Home"}},
		`press Control+A`:                         {verb: pressVerb, text: "Control+A"},
		`hit the down arrow`:                      {verb: pressVerb, text: "ArrowDown"},
		`press F2`:                                {verb: pressVerb, text: "F2"},
		`press the "k" key`:                       {verb: pressVerb, text: "k"},
		`press ArrowDown in "City"`:               {verb: pressVerb, text: "ArrowDown", target: target{name: "City", exact: true}},
		`press Escape on "Terms"`:                 {verb: pressVerb, text: "Escape", target: target{name: "Terms", exact: true}},
		`select "Red" and "Blue" from "Colours"`:  {verb: selectVerb, text: "Red, Blue", several: []string{"Red", "Blue"}, target: target{name: "Colours", exact: true, role: "field"}},
		`choose the options "A", "B" in "L"`:      {verb: selectVerb, text: "A, B", several: []string{"A", "B"}, target: target{name: "L", exact: true, role: "field"}},
		`press "Escape"`:                          click(byClick, "Escape"),
	} {
		steps, err := parse(task)
		if err != nil || len(steps) != 1 {
			t.Errorf("%s: %v %v", task, steps, err)
			continue
		}
		want.sentence = steps[0].sentence
		if !reflect.DeepEqual(steps[0], want) {
			t.Errorf("%s: %s, want %s", task, fmt.Sprintf("%+v", steps[0]), fmt.Sprintf("%+v", want))
		}
	}
	steps, err := parse(`type "x" into "Name" and press Tab, hover over "Menu" and click "Item", then scroll down and press Escape`)
	if err != nil || len(steps) != 6 {
		t.Errorf("%v %v", steps, err)
	}
}
