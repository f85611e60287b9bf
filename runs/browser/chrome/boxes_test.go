package chrome_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// boxesOf are the boxes of the elements with a reference, by name.
func boxesOf(t *testing.T, s browser.Session, o browser.SnapshotOptions) map[string]browser.Box {
	t.Helper()
	sn, err := s.SnapshotOf(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]browser.Box{}
	for _, e := range sn.Elements {
		if e.Ref != "" && e.Box != nil {
			all[e.Name] = *e.Box
		}
	}
	return all
}

func TestBoxesAreThoseOfTheViewportOfThePage(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/": `<body style="margin:0;height:5000px"><button style="position:absolute;left:10px;top:20px;width:100px;height:30px">Top</button>
<iframe src="{other}/in" style="position:absolute;left:200px;top:300px;width:400px;height:300px;border:5px solid;padding:7px"></iframe>
<iframe src="{other}/in2" style="position:absolute;left:700px;top:300px;width:200px;height:200px;border:0;transform:scale(2);transform-origin:0 0"></iframe>`,
		"/in": `<body style="margin:0;height:900px"><button style="position:absolute;left:1px;top:102px;width:50px;height:20px">Far</button>
<iframe src="{host}/deep" style="position:absolute;left:100px;top:150px;width:200px;height:100px;border:3px solid"></iframe>`,
		"/in2":  `<button style="position:absolute;left:4px;top:6px;width:50px;height:20px">Large</button>`,
		"/deep": `<button style="position:absolute;left:2px;top:3px;width:60px;height:25px">Deep</button>`,
	})
	s := open(t)
	navigate(t, s, at(srv, "main.test", "/"))
	want := map[string]browser.Box{
		"Top":   {X: 10, Y: 20, Width: 100, Height: 30},
		"Far":   {X: 213, Y: 414, Width: 50, Height: 20},
		"Deep":  {X: 317, Y: 468, Width: 60, Height: 25},
		"Large": {X: 708, Y: 312, Width: 100, Height: 40},
	}
	if diff := cmp.Diff(want, boxesOf(t, s, browser.SnapshotOptions{Boxes: true})); diff != "" {
		t.Error(diff)
	}
	deep := ref(t, s, "Deep")
	if diff := cmp.Diff(map[string]browser.Box{"Deep": want["Deep"]}, boxesOf(t, s, browser.SnapshotOptions{Boxes: true, Ref: deep})); diff != "" {
		t.Errorf("of a part: %s", diff)
	}
	if got := boxesOf(t, s, browser.SnapshotOptions{}); len(got) != 0 {
		t.Errorf("nobody asked for %v", got)
	}
}

func TestASnapshotOfAPartHasItsOwnAndKeepsTheReferences(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/":   `<form aria-label=F tabindex=0><fieldset><legend>One</legend><button>A</button></fieldset><iframe src="{other}/in"></iframe></form><button>Outside</button><iframe src="/b"></iframe>`,
		"/in": `<ul><li><button>In</button></ul>`, "/b": `<button>B</button>`,
	})
	s := open(t)
	navigate(t, s, at(srv, "main.test", "/"))
	form, in, b := ref(t, s, "F"), ref(t, s, "In"), ref(t, s, "B")
	part, err := s.SnapshotOf(t.Context(), browser.SnapshotOptions{Ref: form})
	want := `form "F" [ref]
  group "One"
    text "One"
    button "A" [ref]
  iframe ""
    list "" in f1
      listitem "" in f1
        button "In" [ref] in f1
`
	if got := lines(part); err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	if got := ref(t, s, "In"); got != in {
		t.Errorf("%s has become %s", in, got)
	}
	if _, err := s.SnapshotOf(t.Context(), browser.SnapshotOptions{Ref: in}); err != nil {
		t.Error(err)
	}
	if _, err := s.Click(t.Context(), b); err != nil { // of a frame outside of the part
		t.Error(err)
	}
	flat, err := s.SnapshotOf(t.Context(), browser.SnapshotOptions{Ref: form, Depth: 1})
	if got := lines(flat); err != nil || got != "form \"F\" [ref]\n  group \"One\"\n  iframe \"\"\n" {
		t.Errorf("%v\n%s", err, got)
	}
	flat, err = s.SnapshotOf(t.Context(), browser.SnapshotOptions{Ref: form, Depth: 2})
	if got := len(flat.Elements); err != nil || got != 6 {
		t.Errorf("%v\n%s", err, lines(flat))
	}
	var stale *browser.StaleError
	if _, err := s.SnapshotOf(t.Context(), browser.SnapshotOptions{Ref: "e9999"}); !errors.As(err, &stale) {
		t.Error(err)
	}
	if _, err := s.SnapshotOf(t.Context(), browser.SnapshotOptions{Depth: -1}); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
}
