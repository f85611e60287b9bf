package shape

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
var stepCount = lexicon.Pattern(`(?i)^(?:step|schritt|étape|etape|paso|passo|passaggio|stap|steg|trin|krok|korak|pas|шаг|крок|adım|vaihe|lépés|手順|ステップ)\s*\d{1,2}(?:\s*(?:of|von|/|de)\s*\d{1,2})?\s*(?:[:.)–-]\s*)?`)

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
		marked := len(rest) > 2 && strings.Contains(".):-", rest[:1]) && rest[1] == ' '
		if ok && (marked || len(rest) > 2 && rest[0] == ' ' && len(bare) > 2) { // three that count are no amounts
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

// asText returns the text of a step that is the only one of its field and has several
// lines: all steps in one thing.
func (l *list) asText(f found) found {
	e := f.value.Entity
	if f.value.Kind != graph.Thing || f.entity == nil || e == nil || !l.p.of("steps") || !l.wantsScalars() || l.wantsLists() || len(f.entity.Get(f.name)) > 1 {
		return f
	}
	if text := said(e, "text"); strings.Contains(strings.TrimSpace(text.value.Text), "\n") || len(countedParts(text.value.Text)) > 1 {
		return text
	}
	return f
}

// sentenceJoint is where a script has put a comma between two sentences.
var sentenceJoint = lexicon.Pattern(`([.!?]),(\p{Lu})`)

// maxCounted is how many parts of a text are counted at most.
const maxCounted = 100

// countedParts are the parts of a text that each begin with their number: "1. Boil it.
// 2. Eat it." It is nil where there are none.
func countedParts(text string) (parts []string) {
	rest := strings.TrimSpace(text)
	for n := 1; n <= maxCounted; n++ {
		number := strconv.Itoa(n)
		if !strings.HasPrefix(rest, number) || len(rest) < len(number)+2 || !strings.Contains(".)", rest[len(number):len(number)+1]) {
			return nil
		}
		rest = strings.TrimSpace(rest[len(number)+1:])
		next := nextCount(rest, n+1)
		if next < 0 {
			if n > 1 {
				return append(parts, rest)
			}
			return nil
		}
		parts, rest = append(parts, strings.TrimSpace(rest[:next])), rest[next:]
	}
	return nil
}

// nextCount is where a number begins that stands behind a sentence and before another
// one, or -1.
func nextCount(text string, n int) int {
	for _, mark := range [...]string{".", ")"} {
		sign := strconv.Itoa(n) + mark
		for from := 0; ; {
			at := strings.Index(text[from:], sign)
			if at < 0 {
				break
			}
			at += from
			before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text[:at], " "))
			after, _ := utf8.DecodeRuneInString(strings.TrimLeft(text[at+len(sign):], " "))
			if strings.ContainsRune(".!?):;。", before) && unicode.IsLetter(after) && !unicode.IsLower(after) {
				return at
			}
			from = at + len(sign)
		}
	}
	return -1
}

// withoutWholes takes out an item that is no more than those behind it together: what
// holds a list, found beside its items.
func (l *list) withoutWholes() {
	if !l.p.is("recipeIngredient", "recipeInstructions", "step") {
		return
	}
	all := l.node.items
	text := func(i int) string { s, _ := all[i].value.(string); return s }
	for i := 0; i+2 < len(all); i++ {
		whole, inside := text(i), 0
		for k := i + 1; k < len(all) && text(k) != ""; k++ {
			rest, ok := strings.CutPrefix(whole, text(k))
			if !ok {
				break
			}
			whole, inside = strings.TrimSpace(rest), inside+1
		}
		if inside > 1 && whole == "" {
			l.node.filled -= all[i].filled
			l.node.items = slices.Delete(slices.Clone(all), i, i+1)
			return
		}
	}
}

// isNoStep reports whether a text among steps is none: a mark, or, before the first,
// what the list is called.
func (l *list) isNoStep(f found) bool {
	text := cutText(f.value.Text)
	if f.value.Kind != graph.Text || text == "" || !l.p.of("steps") {
		return false
	}
	if len(text) <= maxFact && l.isFact(text) {
		return true
	}
	title := len(l.node.items) == 0 && !strings.HasSuffix(text, ".") && l.sh.name(text).Is("recipeInstructions")
	return title || !strings.ContainsFunc(text, unicode.IsLetter)
}

// maxFact is how long a line is at most, in bytes, that says what a recipe says beside
// its steps.
const maxFact = 200

// isFact reports whether a text among steps says something else of the recipe: "Serves 4",
// "Prep time: 10 minutes", "Cuisine: Greek".
func (l *list) isFact(text string) bool {
	if name, _ := mention.Kind(text); name == "yield" {
		return true
	}
	if name, _ := mention.Phrase(text, l.sh.o.Language); name != "" {
		return l.sh.name(name).Is("recipeYield", "prepTime", "cookTime", "totalTime")
	}
	name, value, ok := strings.Cut(text, ":")
	if !ok || len(name) > 40 || value == "" {
		return false
	}
	n := l.sh.name(name)
	if n.Is("prepTime", "cookTime", "totalTime", "restTime") {
		_, ok := mention.Duration(value)
		return ok
	}
	of := func(concept string) bool { return slices.Contains(n.Concepts, concept) }
	return (of("recipeCategory") || of("recipeCuisine") || of("keywords")) && !strings.Contains(value, ".") ||
		n.Is("cookingMethod", "recipeInstructions") && !strings.Contains(strings.TrimSpace(value), " ")
}

// joined makes one text of a field with several values, nil where it has one or
// the property is not of those that are a list by nature.
func (sh *shaper) joined(p *prop, v *view, c candidate) *node {
	separator := "\n"
	if p.of("commas") && (c.entity.Source <= graph.State || c.entity == sh.things.itself) {
		separator = ", "
	} else if !p.of("lines") {
		return nil
	}
	if v.Enum != nil || v.Format != "" || !v.isText() {
		return nil
	}
	if f := c.field; len(f.Values) == 1 && f.Values[0].Kind != graph.Thing && (separator != "\n" || !strings.Contains(f.Values[0].Text, "\n")) {
		return nil
	}
	n := sh.listOf(c, p, &view{View: anyView}, false)
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
