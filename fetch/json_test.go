package fetch_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
)

const stool = `<!doctype html><html lang=en><title>Stool | Shop</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Stool","offers":{"price":64}}</script>
<h1>Stool</h1><p>Weight: 3.5 kg</p><p>It was made by Ann in 1970.</p>`

const stoolSchema = `{"type":"object","required":["name","maker","year"],"$defs":{"y":{"type":"integer","minimum":1900}},
	"properties":{"name":{"type":"string"},"price":{"type":"number"},"weight":{"type":"number"},"maker":{"type":"string"},"year":{"$ref":"#/$defs/y"}}}`

func TestGetJSON(t *testing.T) {
	s := open(t, fetch.Config{})
	a := get(t, s, serve(t, page("text/html", stool)), fetch.Options{Format: fetch.JSON, Schema: json.RawMessage(stoolSchema), Explain: true})
	if want := `{"name":"Stool","price":64,"weight":3.5}`; a.Content != want || a.Encoding != "utf-8" || a.Format != fetch.JSON {
		t.Errorf("%s, want %s", a.Content, want)
	}
	if !slices.Equal(a.Unsatisfied, []string{"/maker", "/year"}) {
		t.Errorf("unsatisfied %q", a.Unsatisfied)
	}
	var lines []string
	for _, o := range a.Origins {
		lines = append(lines, o.String())
	}
	want := []string{
		`/name: json-ld "name" at /html/head/script /name: "Stool"`,
		`/price: json-ld "price" at /html/head/script /offers/price: "64"`,
		`/weight: label "Weight" at /html/body/p[1]: "3.5 kg"`,
	}
	if !slices.Equal(lines, want) {
		t.Errorf("%s\nwant %s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

func TestGetJSONOfOtherContent(t *testing.T) {
	s := open(t, fetch.Config{})
	o := fetch.Options{Format: fetch.JSON, Schema: json.RawMessage(`{"properties":{"price":{"type":"number"}}}`)}
	for kind, want := range map[string]string{"text/plain": `{}`, "application/xhtml+xml": `{"price":5}`, "text/html; charset=iso-8859-1": `{"price":5}`} {
		if a := get(t, s, serve(t, page(kind, "<dl><dt>Price</dt><dd>\xa35</dd></dl>")), o); a.Content != want {
			t.Errorf("%s: %s, want %s", kind, a.Content, want)
		}
	}
	for _, kind := range []string{"application/json", "image/png"} {
		_, err := s.Get(t.Context(), serve(t, page(kind, "[]")), o)
		if pub := errtypes.Public(err); pub.Kind != errtypes.Invalid || pub.Field != "format" || !strings.Contains(pub.Message, kind) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// model answers with a text or an error, and keeps what it was asked.
type model struct {
	answer string
	err    error
	asked  []fetch.Question
}

func (m *model) Extract(ctx context.Context, q fetch.Question) (json.RawMessage, error) {
	m.asked = append(m.asked, q)
	return json.RawMessage(m.answer), m.err
}

func TestExtractorIsAskedForTheRestAndHeldToTheSchema(t *testing.T) {
	url := serve(t, page("text/html", stool))
	for name, c := range map[string]struct {
		m           model
		want, open  string
		complaining bool
	}{
		"all of it":       {model{answer: `{"/maker":"Ann","/year":1970}`}, `{"name":"Stool","price":64,"weight":3.5,"maker":"Ann","year":1970}`, "", false},
		"a part":          {model{answer: `{"/year":1970}`}, `{"name":"Stool","price":64,"weight":3.5,"year":1970}`, "/maker", false},
		"a wrong one":     {model{answer: `{"/maker":"Ann","/year":1200}`}, `{"name":"Stool","price":64,"weight":3.5,"maker":"Ann"}`, "/year", true},
		"more than asked": {model{answer: `{"/maker":"Ann","/price":1,"/name":"x","name":"y"}`}, `{"name":"Stool","price":64,"weight":3.5,"maker":"Ann"}`, "/year", true},
		"other names":     {model{answer: `{"maker":"Ann","year":1970}`}, `{"name":"Stool","price":64,"weight":3.5}`, "/maker /year", true},
		"no object":       {model{answer: `["Ann"]`}, `{"name":"Stool","price":64,"weight":3.5}`, "/maker /year", true},
		"no JSON":         {model{answer: `Ann`}, `{"name":"Stool","price":64,"weight":3.5}`, "/maker /year", true},
		"an error":        {model{err: errors.New("no model today")}, `{"name":"Stool","price":64,"weight":3.5}`, "/maker /year", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, fetch.Config{Extractor: c.m.Extract})
			a := get(t, s, url, fetch.Options{Format: fetch.JSON, Schema: json.RawMessage(stoolSchema)})
			if a.Content != c.want || strings.Join(a.Unsatisfied, " ") != c.open {
				t.Errorf("%s, unsatisfied %q, want %s", a.Content, a.Unsatisfied, c.want)
			}
			if (a.ExtractorErr != nil) != c.complaining || c.m.err != nil && !errors.Is(a.ExtractorErr, c.m.err) {
				t.Errorf("error %v", a.ExtractorErr)
			}
			if len(c.m.asked) != 1 {
				t.Fatalf("it was asked %d times", len(c.m.asked))
			}
			q := c.m.asked[0]
			if !strings.HasPrefix(q.URL, url) || !strings.Contains(q.Markdown, "made by Ann") || !slices.Equal(q.Unsatisfied, []string{"/maker", "/year"}) || string(q.Content) != `{"name":"Stool","price":64,"weight":3.5}` {
				t.Errorf("asked %+v", q)
			}
			if want := `{"$defs":{"y":{"type":"integer","minimum":1900}},"additionalProperties":false,"properties":{"/maker":{"type":"string"},"/year":{"$ref":"#/$defs/y"}},"type":"object"}`; string(q.Schema) != want {
				t.Errorf("schema %s, want %s", q.Schema, want)
			}
		})
	}
}

func TestExtractorIsAskedForTheMemberThatAnotherAsksFor(t *testing.T) {
	url := serve(t, page("text/html", stool))
	for _, c := range []struct{ schema, answer, open, part, want string }{
		{`{"type":"object","properties":{"price":{"type":"number"},"tax":{"type":"number"}},"dependentRequired":{"price":["tax"]}}`, `{"/tax":7}`, "/tax", `"/tax":{"type":"number"}`, `{"price":64,"tax":7}`},
		{`{"type":"object","properties":{"price":{"type":"number"}},"if":{"required":["price"]},"then":{"properties":{"vendor":{"type":"string"}},"required":["vendor"]}}`, `{"/vendor":"Ann"}`, "/vendor", `"/vendor":{"type":"string"}`, `{"price":64,"vendor":"Ann"}`},
	} {
		m := model{answer: c.answer}
		s := open(t, fetch.Config{})
		before := get(t, s, url, fetch.Options{Format: fetch.JSON, Schema: json.RawMessage(c.schema)})
		after := get(t, s, url, fetch.Options{Format: fetch.JSON, Schema: json.RawMessage(c.schema), Extractor: m.Extract})
		if strings.Join(before.Unsatisfied, " ") != c.open || len(m.asked) != 1 || !strings.Contains(string(m.asked[0].Schema), c.part) {
			t.Errorf("%s: unsatisfied %q, asked %+v", c.schema, before.Unsatisfied, m.asked)
		}
		if after.Content != c.want || len(after.Unsatisfied) > 0 || after.ExtractorErr != nil {
			t.Errorf("%s: %s, unsatisfied %q, %v, want %s", c.schema, after.Content, after.Unsatisfied, after.ExtractorErr, c.want)
		}
	}
}

func TestExtractorIsNotAskedForWhatIsThere(t *testing.T) {
	var of, by model
	s := open(t, fetch.Config{Extractor: of.Extract})
	url := serve(t, page("text/html", stool))
	get(t, s, url, fetch.Options{Format: fetch.JSON, Schema: json.RawMessage(`{"required":["name"],"properties":{"name":{"type":"string"},"year":{"type":"integer"}}}`)})
	if len(of.asked) != 0 {
		t.Errorf("asked %+v", of.asked)
	}
	by.answer = `{"/maker":"Ann"}`
	get(t, s, url, fetch.Options{Format: fetch.JSON, Schema: json.RawMessage(stoolSchema), Extractor: by.Extract})
	if len(of.asked) != 0 || len(by.asked) != 1 {
		t.Errorf("the service's was asked %d times, the call's %d", len(of.asked), len(by.asked))
	}
}

// waiting is a model that waits for its context to end.
type waiting struct{ started chan struct{} }

func (w waiting) Extract(ctx context.Context, _ fetch.Question) (json.RawMessage, error) {
	close(w.started)
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestExtractorEndsWithTheFetch(t *testing.T) {
	w := waiting{make(chan struct{})}
	s := open(t, fetch.Config{Extractor: w.Extract})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-w.started
		cancel()
	}()
	_, err := s.Get(ctx, serve(t, page("text/html", stool)), fetch.Options{Format: fetch.JSON, Schema: json.RawMessage(stoolSchema)})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestOriginsAreOnThePage holds the paths of origins, which are those of the page
// whatever else was made of its tree.
func TestOriginsAreOnThePage(t *testing.T) {
	const chair = `<!doctype html><title>Chairs</title><nav><div><a href=/>Home</a></div></nav><main><div>Sale!</div>
<div><h1>Folding chair</h1><p>A chair of beech that folds flat, is oiled by hand, and stands on uneven floors as it does on level ones.</p>
<p>Weight: 3.5 kg</p></div></main>`
	o := fetch.Options{Format: fetch.JSON, Explain: true, Schema: json.RawMessage(`{"required":["maker"],"properties":{"weight":{"type":"number"},"maker":{"type":"string"}}}`)}
	maker := func(context.Context, fetch.Question) (json.RawMessage, error) {
		return json.RawMessage(`{"/maker":"Ann"}`), nil
	}
	url := serve(t, page("text/html", chair))
	const weight = `/weight: label "Weight" at /html/body/main/div[2]/p[2]: "3.5 kg"`
	for name, c := range map[string]struct {
		with func(*fetch.Options)
		want []string
	}{
		"alone":             {func(*fetch.Options) {}, []string{weight}},
		"with a model":      {func(o *fetch.Options) { o.Extractor = maker }, []string{weight, `/maker: model`}},
		"main content only": {func(o *fetch.Options) { o.OnlyMainContent = true }, []string{weight}},
		"both":              {func(o *fetch.Options) { o.OnlyMainContent, o.Extractor = true, maker }, []string{weight, `/maker: model`}},
	} {
		o := o
		c.with(&o)
		var got []string
		for _, origin := range get(t, open(t, fetch.Config{}), url, o).Origins {
			got = append(got, origin.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestGetTextOfPage holds that the text of the page can be had as a value.
func TestGetTextOfPage(t *testing.T) {
	const first = "The winter of 1962 began late, and for weeks nobody on the coast believed that it would come at all."
	const second = "When it came, the harbour froze within two nights, and boats that had been left in it were lost, and so was the pier."
	const article = `<!doctype html><title>The winter</title><meta name=description content="Two cold snaps."><nav><a href=/>Home</a> <a href=/a>Archive</a></nav>
<main><h1>The winter</h1><p>` + first + `</p><p>` + second + `</p></main><footer>Imprint and terms of use</footer>`
	said := `<script type="application/ld+json">{"@type":"Article","headline":"The winter","articleBody":"As machines are told."}</script>`
	s := open(t, fetch.Config{})
	for name, c := range map[string]struct{ page, schema, want string }{
		"by name":        {article, `{"properties":{"title":{"type":"string"},"content":{"type":"string"}}}`, `{"title":"The winter","content":"` + first + `\n` + second + `"}`},
		"other names":    {article, `{"properties":{"body":{"type":"string"},"summary":{"type":"string"}}}`, `{"body":"` + first + `\n` + second + `","summary":"Two cold snaps."}`},
		"by description": {article, `{"properties":{"p":{"type":"string","description":"The full text of the article"}}}`, `{"p":"` + first + `\n` + second + `"}`},
		"in an object":   {article, `{"properties":{"article":{"type":"object","properties":{"text":{"type":"string"}}}}}`, `{"article":{"text":"` + first + `\n` + second + `"}}`},
		"for machines":   {said + article, `{"properties":{"content":{"type":"string"}}}`, `{"content":"As machines are told."}`},
	} {
		for _, mainOnly := range []bool{false, true} {
			a := get(t, s, serve(t, page("text/html", c.page)), fetch.Options{Format: fetch.JSON, Schema: json.RawMessage(c.schema), OnlyMainContent: mainOnly})
			if a.Content != c.want {
				t.Errorf("%s: %s, want %s", name, a.Content, c.want)
			}
		}
	}
}
