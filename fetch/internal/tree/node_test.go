package tree

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// body returns the body of a page.
func body(t *testing.T, src string) *html.Node {
	t.Helper()
	for n := range mustParse(t, src, Options{}).Descendants() {
		if Is(n, atom.Body) {
			return n
		}
	}
	t.Fatal("no body")
	return nil
}

func render(t *testing.T, n *html.Node) string {
	t.Helper()
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if err := html.Render(&b, c); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestAttributes(t *testing.T) {
	n := body(t, `<p class=" a  b" id="">x`).FirstChild
	if v, ok := Attr(n, "id"); v != "" || !ok {
		t.Errorf("id: %q, %v", v, ok)
	}
	if v, ok := Attr(n, "title"); v != "" || ok {
		t.Errorf("title: %q, %v", v, ok)
	}
	SetAttr(n, "id", "new")
	SetAttr(n, "title", "more")
	if AttrOr(n, "id") != "new" || AttrOr(n, "title") != "more" {
		t.Errorf("attributes %v", n.Attr)
	}
	if got := slices.Collect(Classes(n)); !slices.Equal(got, []string{"a", "b"}) || !HasClass(n, "b") || HasClass(n, "") {
		t.Errorf("classes %q", got)
	}
}

func TestChangesOfTheTree(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(n *html.Node)
	}{
		{"unwrap", "a<i>b</i>c<u>d</u>", Unwrap},
		{"remove", "a<u>d</u>", Remove},
		{"remove twice", "a<u>d</u>", func(n *html.Node) { Remove(n); Remove(n) }},
		{"clear", "a<b></b><u>d</u>", Clear},
		{"rename", "a<em><i>b</i>c</em><u>d</u>", func(n *html.Node) { Rename(n, atom.Em) }},
		{"replace", "axy<u>d</u>", func(n *html.Node) { Replace(n, Text("x"), Text("y")) }},
		{"move children", "a<b></b><u>d<i>b</i>c</u>", func(n *html.Node) { MoveChildren(n.NextSibling, n) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := body(t, "a<b><i>b</i>c</b><u>d</u>")
			c.change(b.FirstChild.NextSibling)
			if got := render(t, b); got != c.want {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestTextOf(t *testing.T) {
	b := body(t, "a <b>b<!-- c --></b><i>d</i>")
	if got := TextOf(b); got != "a bd" {
		t.Errorf("got %q", got)
	}
	if got := TextOf(b.LastChild); got != "d" {
		t.Errorf("got %q", got)
	}
}

func TestElementsBesides(t *testing.T) {
	b := body(t, "<a></a> <!-- x --> <b></b>text<i></i>")
	a, i := b.FirstChild, b.LastChild
	n := NextElement(a)
	if !Is(n, atom.B) || !Is(PrevElement(n), atom.A) {
		t.Error("a and b are not beside each other")
	}
	if NextElement(n) != nil {
		t.Error("text between two elements is not seen")
	}
	if NextElement(i) != nil || PrevElement(i) != nil || PrevElement(a) != nil || Is(nil, atom.A) {
		t.Error("something is where nothing is")
	}
}
