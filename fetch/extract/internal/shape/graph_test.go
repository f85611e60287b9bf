package shape

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/schema"
)

// somewhere is where the things of these tests stand.
var somewhere = &html.Node{Type: html.ElementNode, Data: "script"}

// thingsOf reads JSON as JSON-LD is read, in its simplest form; an object may
// name its source in "@source".
func thingsOf(t testing.TB, text string) *graph.Graph {
	t.Helper()
	g := tryThings(text)
	if g == nil {
		t.Fatalf("no things: %s", text)
	}
	return g
}

// tryThings returns nil for what is no list of things.
func tryThings(text string) *graph.Graph {
	var list []json.RawMessage
	if err := json.Unmarshal([]byte("["+text+"]"), &list); err != nil {
		return nil
	}
	g := &graph.Graph{}
	for _, raw := range list {
		d := json.NewDecoder(strings.NewReader(string(raw)))
		d.UseNumber()
		for _, v := range valueOf(d, graph.JSONLD, "") {
			if v.Entity == nil {
				return nil
			}
			g.Roots = append(g.Roots, v.Entity)
		}
	}
	return g
}

var sources = map[string]graph.Source{"microdata": graph.Microdata, "meta": graph.Meta, "document": graph.Document, "item": graph.Item, "state": graph.State}

func valueOf(d *json.Decoder, source graph.Source, at string) []graph.Value {
	token, err := d.Token()
	if err != nil {
		return nil
	}
	v := graph.Value{Element: somewhere, Place: at}
	switch token := token.(type) {
	case json.Delim:
		if token == '[' {
			var all []graph.Value
			for i := 0; d.More(); i++ {
				all = append(all, valueOf(d, source, at+"/"+strconv.Itoa(i))...)
			}
			d.Token()
			return all
		}
		v.Kind, v.Entity = graph.Thing, entityOf(d, source, at)
	case json.Number:
		v.Kind, v.Text = graph.Number, string(token)
	case bool:
		v.Kind, v.Text = graph.Bool, strconv.FormatBool(token)
	case string:
		v.Text = token
		if _, err := url.ParseRequestURI(token); err == nil && strings.Contains(token, "://") {
			v.Kind = graph.URL
		}
	default:
		return nil
	}
	return []graph.Value{v}
}

func entityOf(d *json.Decoder, source graph.Source, at string) *graph.Entity {
	e := &graph.Entity{Source: source, Element: somewhere, Place: at}
	for d.More() {
		name, _ := d.Token()
		values := valueOf(d, e.Source, at+"/"+name.(string))
		switch {
		case len(values) == 0:
		case name == "@source" && sources[values[0].Text] != 0:
			e.Source = sources[values[0].Text]
		case name == "@id":
			e.ID = values[0].Text
		case name == "@type":
			for _, v := range values {
				e.Types = append(e.Types, v.Text)
			}
		default:
			e.Add(name.(string), values...)
		}
	}
	d.Token()
	return e
}

func compile(t testing.TB, text string) *schema.Schema {
	t.Helper()
	s, err := schema.Compile([]byte(text), schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var testOptions = Options{
	PageURL: "https://example.com/page",
	Resolve: func(ref string) string {
		base, _ := url.Parse("https://example.com/page")
		u, err := base.Parse(ref)
		if err != nil {
			return ""
		}
		return u.String()
	},
}

func fill(t testing.TB, things, schemaText string) *Result {
	t.Helper()
	r, err := Fill(context.Background(), thingsOf(t, things), compile(t, schemaText), testOptions)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
