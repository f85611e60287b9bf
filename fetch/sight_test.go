package fetch_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/mdtest"
)

// A sight is what can be seen of a page, found without what is tested.
type sight struct {
	words int
	title bool
	text  string // all texts that are in no script and style sheet, and attributes
	// hidden are words of scripts and style sheets that stand nowhere else on
	// the page, in no text and no attribute; styles those of style sheets only.
	hidden, styles map[string]bool
}

func sightOf(t *testing.T, page string) sight {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	s := sight{hidden: map[string]bool{}, styles: map[string]bool{}}
	open := map[string]bool{}
	scripts := map[string]bool{}
	var text, joined strings.Builder // joined as elements within a line are
	for n := range doc.Descendants() {
		switch {
		case n.Type == html.ElementNode:
			for _, a := range n.Attr {
				addWords(open, a.Val)
				text.WriteString(a.Val + "\n")
			}
		case n.Type != html.TextNode:
		case n.Parent.DataAtom == atom.Style:
			addWords(s.styles, n.Data)
		case n.Parent.DataAtom == atom.Script:
			if !strings.HasPrefix(attrOf(n.Parent, "type"), "math/") {
				addWords(scripts, n.Data)
			}
		default:
			addWords(open, n.Data)
			text.WriteString(n.Data + "\n")
			joined.WriteString(n.Data)
			s.see(n)
		}
	}
	s.text = text.String()
	addWords(open, joined.String())
	for word := range open {
		delete(s.styles, word)
		delete(scripts, word)
	}
	maps.Copy(s.hidden, s.styles)
	maps.Copy(s.hidden, scripts)
	for word := range scripts {
		delete(s.styles, word)
	}
	return s
}

// see counts a text that a reader sees.
func (s *sight) see(text *html.Node) {
	for a := text.Parent; a != nil; a = a.Parent {
		switch a.DataAtom {
		case atom.H1:
			s.title = s.title || words(text.Data) > 0 && !isHidden(a)
		case atom.Template, atom.Noscript, atom.Head, atom.Textarea, atom.Select, atom.Dialog:
			return
		}
		if isHidden(a) {
			return
		}
	}
	s.words += words(text.Data)
}

func isHidden(n *html.Node) bool {
	for _, a := range n.Attr {
		if a.Key == "hidden" || a.Key == "aria-hidden" || a.Key == "style" && (strings.Contains(a.Val, "none") || strings.Contains(a.Val, "hidden")) {
			return n.DataAtom != atom.Html && n.DataAtom != atom.Body
		}
	}
	return false
}

func attrOf(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func isNoLetter(c rune) bool { return !unicode.IsLetter(c) }

// longWord is how long a word is that is no accident.
const longWord = 6

func addWords(to map[string]bool, text string) {
	for word := range strings.FieldsFuncSeq(text, isNoLetter) {
		if len(word) >= longWord {
			to[word] = true
		}
	}
}

// markup is what markdown has that no page has to say: commands of TeX, tags.
var markup = regexp.MustCompile(`\\[a-zA-Z]+|</?[a-z]+`)

// check holds a text of the page against what can be seen of it.
func (s sight) check(t *testing.T, form, text string) {
	t.Helper()
	if s.words >= aPageOfWords && strings.TrimSpace(text) == "" {
		t.Errorf("%s: of %d words none is left", form, s.words)
	}
	s.report(t, form, markup.ReplaceAllString(text, " "), s.hidden)
}

func (s sight) report(t *testing.T, form, text string, hidden map[string]bool) {
	t.Helper()
	found := map[string]bool{}
	addWords(found, text)
	maps.DeleteFunc(found, func(word string, _ bool) bool { return !hidden[word] })
	if len(found) > 0 {
		t.Errorf("%s has words of scripts or style sheets: %q", form, slices.Sorted(maps.Keys(found)))
	}
}

// code is what no value has that is one and no piece of a script.
var code = regexp.MustCompile(`function\s*\(|=>\s*\{|<script|\}\s*else\s*\{`)

// checkValue holds the values of a content against the page. Scripts are where
// values come from, but their code is none, nor is that of style sheets.
func (s sight) checkValue(t *testing.T, name string, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		for key, item := range v {
			s.checkValue(t, key, item)
		}
	case []any:
		for _, item := range v {
			s.checkValue(t, name, item)
		}
	case string:
		if isAddress := slices.Contains([]string{"image", "url", "links"}, name); isAddress && mdtest.LeadsNowhere(v) {
			t.Errorf("%s: the address %q leads nowhere", name, v)
		}
		if piece := code.FindString(v); piece != "" && !strings.Contains(s.text, piece) {
			t.Errorf("%s is a piece of a script: %.200q", name, v)
		}
		s.report(t, name, v, s.styles)
	}
}
