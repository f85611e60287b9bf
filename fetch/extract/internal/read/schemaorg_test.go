package read

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/markup"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/scripts"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/corpora"
)

// wantSame is the share of the comparable examples whose three forms have to
// give the same things, and wantCompared how many have to be comparable.
const (
	wantSame     = 0.98
	wantCompared = 34
	wantPairs    = 48
)

// example is one of schema.org's, in three forms.
type example struct {
	name                  string
	microdata, rdfa, json string
}

// TestQualitySchemaOrg reads the examples of schema.org in their three forms.
//
// Many of them are not the same in each form, so what is compared is settled
// by a rule that uses none of our readers, see [example.difference].
func TestQualitySchemaOrg(t *testing.T) {
	left := map[string]int{}
	compared, same := 0, 0
	examples := schemaOrg(t)
	for _, e := range examples {
		if why := e.difference(t); why != "" {
			kind, _, _ := strings.Cut(why, ":")
			left[kind]++
			corpora.Detail(t, "left out %s: %s", e.name, why)
			continue
		}
		compared++
		if diff := e.compare(t); diff != "" {
			t.Logf("DIFFERS %s: %s", e.name, diff)
			continue
		}
		same++
	}
	t.Logf("%d examples, left out %v, %d compared, %d same", len(examples), left, compared, same)
	if share := float64(same) / float64(max(compared, 1)); share < wantSame || compared < wantCompared {
		t.Errorf("%.1f %% of %d examples are the same, want %.1f %% of %d", 100*share, compared, 100*wantSame, wantCompared)
	}
}

// TestQualitySchemaOrgPairs reads those forms that are HTML, also of examples
// whose JSON is another: all that have the same names of properties and of
// types equally often, and the same texts in them.
func TestQualitySchemaOrgPairs(t *testing.T) {
	compared, same := 0, 0
	c := comparison{page: opened(t, "")}
	for _, e := range schemaOrg(t) {
		micro, rdf := comments.ReplaceAllString(e.microdata, ""), comments.ReplaceAllString(e.rdfa, "")
		if !strings.Contains(micro, "itemscope") || !slices.Equal(marks(micro, itemprops), marks(rdf, properties)) || !slices.Equal(marks(micro, itemtypes), marks(rdf, typeofs)) ||
			!maps.Equal(texts(t, micro, "itemprop"), texts(t, rdf, "property")) {
			continue
		}
		compared++
		m, r := markup.Microdata(opened(t, micro)), markup.RDFa(opened(t, rdf))
		if !c.sameThings(things(m), things(r)) {
			t.Logf("DIFFERS %s:\n%s\n%s", e.name, dumped(m), dumped(r))
			continue
		}
		same++
	}
	t.Logf("%d compared, %d same", compared, same)
	if float64(same) < wantSame*float64(compared) || compared < wantPairs {
		t.Errorf("%d of %d examples are the same, want %.2f of %d", same, compared, wantSame, wantPairs)
	}
}

// texts returns the whole texts of the elements that are marked.
func texts(t *testing.T, source, mark string) map[string]bool {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for n := range doc.Descendants() {
		if _, ok := tree.Attr(n, mark); ok {
			found[squeeze(tree.TextOf(n))] = true
		}
	}
	return found
}

func schemaOrg(t *testing.T) (examples []example) {
	t.Helper()
	text := corpora.File(t, "schemaorg/examples.txt")
	for _, block := range strings.Split("\n"+string(text), "\nTYPES:")[1:] {
		name, _, _ := strings.Cut(strings.TrimSpace(block), " ")
		examples = append(examples, example{
			name: name, microdata: section(block, "MICRODATA"), rdfa: section(block, "RDFA"), json: section(block, "JSON"),
		})
	}
	return examples
}

var sectionHead = regexp.MustCompile(`(?m)^(?:PRE-MARKUP|MICRODATA|RDFA|JSON):\s*$`)

func section(block, name string) string {
	_, text, _ := strings.Cut(block, "\n"+name+":")
	if end := sectionHead.FindStringIndex(text); end != nil {
		text = text[:end[0]]
	}
	return text
}

var (
	itemprops  = regexp.MustCompile(`(?i)\sitemprop\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)`)
	properties = regexp.MustCompile(`(?i)\sproperty\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)`)
	itemtypes  = regexp.MustCompile(`(?i)\sitemtype\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)`)
	typeofs    = regexp.MustCompile(`(?i)\stypeof\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)`)
	script     = regexp.MustCompile(`(?is)<script[^>]*>(.*?)</script>`)
	comments   = regexp.MustCompile(`(?s)<!--.*?-->`)
)

// difference says why the forms of an example are not meant to be the same,
// by what stands in their sources: one is missing, its JSON is none, the names
// of properties or of types do not come equally often in each form, or a value
// of the JSON is in another form neither the whole text nor an attribute of any
// property.
func (e example) difference(t *testing.T) string {
	micro, rdf := comments.ReplaceAllString(e.microdata, ""), comments.ReplaceAllString(e.rdfa, "")
	facts, err := factsOf(e.json)
	switch {
	case !strings.Contains(micro, "itemscope"), !strings.Contains(rdf, "typeof"), !strings.Contains(e.json, "@type"):
		return "a form is missing"
	case err != nil:
		return "the JSON is none: " + err.Error()
	}
	for _, names := range [][3][]string{
		{facts.names, marks(micro, itemprops), marks(rdf, properties)}, {facts.types, marks(micro, itemtypes), marks(rdf, typeofs)},
	} {
		if !slices.Equal(names[0], names[1]) || !slices.Equal(names[0], names[2]) {
			return fmt.Sprintf("names differ: JSON %v, Microdata %v, RDFa %v", names[0], names[1], names[2])
		}
	}
	for form, found := range map[string]map[string]bool{"Microdata": candidates(t, micro, "itemprop"), "RDFa": candidates(t, rdf, "property")} {
		for _, value := range facts.texts {
			if !found[squeeze(value)] {
				return fmt.Sprintf("words differ: %q of the JSON is not in the %s", value, form)
			}
		}
	}
	return ""
}

// marks returns the names in the attributes, without their vocabulary, sorted.
func marks(source string, attribute *regexp.Regexp) (names []string) {
	for _, m := range attribute.FindAllStringSubmatch(source, -1) {
		for name := range strings.FieldsSeq(strings.Trim(m[1], `"'`)) {
			names = append(names, last(name))
		}
	}
	slices.Sort(names)
	return names
}

func last(name string) string {
	name = strings.TrimRight(name, "/")
	return name[strings.LastIndexAny(name, "/#:")+1:]
}

// facts are what a JSON says, in no order: a name for each value it has.
type facts struct{ names, types, texts []string }

func factsOf(source string) (f facts, err error) {
	for _, m := range script.FindAllStringSubmatch(source, -1) {
		var v any
		if err := json.Unmarshal([]byte(m[1]), &v); err != nil {
			return f, err
		}
		f.add("", v)
	}
	slices.Sort(f.names)
	slices.Sort(f.types)
	return f, nil
}

func (f *facts) add(name string, v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			f.add(name, item)
		}
		return
	case map[string]any:
		if value, ok := v["@value"]; ok {
			f.add(name, value)
			return
		}
		for key, item := range v {
			if key == "@type" {
				f.addTypes(item)
			} else if key == "@graph" {
				f.add("", item)
			} else if !strings.HasPrefix(key, "@") {
				f.add(last(key), item)
			}
		}
	case nil:
		return
	default:
		if s := fmt.Sprint(v); !strings.HasPrefix(s, "http") {
			f.texts = append(f.texts, s)
		} else {
			f.texts = append(f.texts, last(s))
		}
	}
	if name != "" {
		f.names = append(f.names, name)
	}
}

func (f *facts) addTypes(v any) {
	switch v := v.(type) {
	case string:
		f.types = append(f.types, last(v))
	case []any:
		for _, item := range v {
			f.addTypes(item)
		}
	}
}

// candidates returns what an element that is marked as a property may mean:
// its whole text, and its attributes.
func candidates(t *testing.T, source, mark string) map[string]bool {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for n := range doc.Descendants() {
		if _, ok := tree.Attr(n, mark); !ok {
			continue
		}
		found[squeeze(tree.TextOf(n))] = true
		for _, a := range n.Attr {
			found[squeeze(a.Val)], found[last(a.Val)] = true, true
		}
	}
	return found
}

// squeeze leaves out white space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

func (e example) compare(t *testing.T) string {
	read := func(source string, from func(*page.Page) []*graph.Entity) []*graph.Entity {
		return from(opened(t, source))
	}
	c := comparison{page: opened(t, "")}
	j, m, r := read(e.json, scripts.JSONLD), read(e.microdata, markup.Microdata), read(e.rdfa, markup.RDFa)
	if !c.sameThings(things(j), things(m)) {
		return fmt.Sprintf("JSON-LD and Microdata:\n%s\n%s", dumped(j), dumped(m))
	}
	if !c.sameThings(things(j), things(r)) {
		return fmt.Sprintf("JSON-LD and RDFa:\n%s\n%s", dumped(j), dumped(r))
	}
	return ""
}

func things(roots []*graph.Entity) (values []graph.Value) {
	for _, e := range roots {
		values = append(values, graph.Value{Kind: graph.Thing, Entity: e})
	}
	return values
}

// comparison compares things: their types, and their values by name, in any
// order. Addresses that name things do not count: few examples have them in
// each form.
type comparison struct {
	page  *page.Page
	depth int
}

func (c *comparison) sameThings(a, b []graph.Value) bool {
	if len(a) != len(b) {
		return false
	}
	b = slices.Clone(b)
	for _, v := range a {
		i := slices.IndexFunc(b, func(w graph.Value) bool { return c.same(v, w) })
		if i < 0 {
			return false
		}
		b = slices.Delete(b, i, i+1)
	}
	return true
}

func (c *comparison) same(a, b graph.Value) bool {
	if a.Entity == nil || b.Entity == nil {
		return a.Entity == b.Entity && c.text(a, b) == c.text(b, a)
	}
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > 12 {
		return true // a circle
	}
	if !slices.Equal(slices.Sorted(slices.Values(a.Entity.Types)), slices.Sorted(slices.Values(b.Entity.Types))) || len(a.Entity.Fields) != len(b.Entity.Fields) {
		return false
	}
	for _, f := range a.Entity.Fields {
		if !c.sameThings(f.Values, b.Entity.Get(f.Name)) {
			return false
		}
	}
	return true
}

// text returns a value without its white space, absolute where it or the other
// is an address; the constants of schema.org have no vocabulary.
func (c *comparison) text(v, other graph.Value) string {
	s := v.Text
	if v.Kind == graph.URL || other.Kind == graph.URL {
		s = c.page.Resolve(s)
	}
	for _, vocabulary := range []string{"https://schema.org/", "http://schema.org/", "https://example.com/shop/"} {
		s = strings.TrimPrefix(s, vocabulary)
	}
	return squeeze(s)
}
