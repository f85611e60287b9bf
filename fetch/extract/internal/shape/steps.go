package shape

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// heading adds the name of a section of steps, or of a step, before what is in
// it: a flat list would lose it. A name that the text begins with, and one that
// only counts, says nothing.
func (l *list) heading(f found) {
	e := f.value.Entity
	if f.value.Kind != graph.Thing || e == nil || !l.sh.isA(e, "HowToSection", "HowToStep") || !l.wantsScalars() || l.wantsLists() {
		return
	}
	text := said(e, "text").value.Text
	for _, name := range e.Get("name") {
		if name.Kind == graph.Text && !says(text, name.Text) && withoutCount(name.Text) != "" && (text != "" || l.sh.isA(e, "HowToSection")) {
			l.item(found{e, "name", name})
		}
	}
}

// says reports whether a text begins with a name, which may be cut.
func says(text, name string) bool {
	a, b := mention.Key(text), mention.Key(strings.TrimRight(name, ".… "))
	return b == "" || strings.HasPrefix(a, b)
}

// stepCount is what templates write before a step: "Step 2".
var stepCount = lexicon.Pattern(`(?i)^(?:step|schritt|étape|etape|paso|passo|passaggio|stap|steg|trin)\s*\d{1,2}(?:\s*(?:of|von|/|de)\s*\d{1,2})?\s*(?:[:.)–-]\s*)?`)

func withoutCount(text string) string {
	rest := text[len(stepCount().FindString(text)):]
	if rest != "" && rest[0] >= 'a' && rest[0] <= 'z' {
		return text // "Step 2 tablespoons in"
	}
	return strings.TrimSpace(rest)
}

// uncounted takes the numbers off steps where each begins with its own.
func (l *list) uncounted() {
	if !l.p.is("recipeInstructions", "step") {
		return
	}
	bare := make([]string, len(l.node.items))
	for i, n := range l.node.items {
		text, _ := n.value.(string)
		if said := withoutCount(text); said != "" {
			n.value, text = said, said
		}
		rest, ok := strings.CutPrefix(text, strconv.Itoa(i+1))
		if ok && len(rest) > 2 && strings.Contains(".):-", rest[:1]) && rest[1] == ' ' {
			bare[i] = strings.TrimSpace(rest[1:])
		}
	}
	if slices.Contains(bare, "") {
		return
	}
	for i, n := range l.node.items {
		n.value = bare[i]
	}
}

// isNoStep reports whether a text among steps is none: a mark, or, before the first,
// what the list is called.
func (l *list) isNoStep(f found) bool {
	text := cutText(f.value.Text)
	if f.value.Kind != graph.Text || text == "" || !l.p.of("steps") {
		return false
	}
	title := len(l.node.items) == 0 && !strings.HasSuffix(text, ".") && l.sh.name(text).Is("recipeInstructions")
	return title || !strings.ContainsFunc(text, unicode.IsLetter)
}

// joined makes one text of a field with several values, nil where it has one or
// the property is not of those that are a list by nature.
func (sh *shaper) joined(p *prop, v *view, c candidate) *node {
	separator := "\n"
	if p.of("commas") && (c.own || c.entity.Source <= graph.State) {
		separator = ", "
	} else if !p.of("lines") {
		return nil
	}
	if v.enum != nil || v.format != "" || !v.isText() {
		return nil
	}
	if f := c.field; len(f.Values) == 1 && f.Values[0].Kind != graph.Thing && (separator != "\n" || !strings.Contains(f.Values[0].Text, "\n")) {
		return nil
	}
	n := sh.listOf(c, p, &view{most: -1}, false)
	if n == nil || len(n.items) < 2 {
		return nil
	}
	var texts []string
	for _, item := range n.items {
		if text, ok := item.value.(string); ok {
			texts = append(texts, text)
		}
	}
	return leaf(strings.Join(texts, separator), n.items[0].from)
}

// wordiest puts the yield of a recipe that says of what it is before the bare
// number: "4 servings" before "4", where a text is wanted.
func wordiest(p *prop, v *view, f *graph.Field) *graph.Field {
	bare := strings.TrimSpace(f.Values[0].Text)
	if !p.is("recipeYield") || !v.isText() || bare == "" {
		return f
	}
	i := slices.IndexFunc(f.Values, func(w graph.Value) bool { return w.Kind == graph.Text && strings.HasPrefix(w.Text, bare+" ") })
	return &graph.Field{Name: f.Name, Values: f.Values[max(i, 0):]}
}
