// Package graph holds what a page says: things with named values, and for each
// value where on the page it was found.
//
// Everything that a page carries is brought into this one form, whether it was
// written for machines (JSON-LD, Microdata, RDFa, microformats, meta elements,
// the state of an application) or for people (tables, definition lists,
// labelled values, repeated items, headings), so that what searches it needs to
// know no syntax.
package graph

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Source is the kind of place that something was found in. A smaller one was
// written with more care and is believed first.
type Source uint8

// The sources, the most believed first.
const (
	JSONLD       Source = iota + 1 // a block of JSON-LD
	Microdata                      // an element with itemscope and those in it with itemprop
	RDFa                           // an element with typeof or property
	Microformats                   // an element with classes such as h-entry
	Meta                           // a meta element: Open Graph, Twitter cards, Dublin Core, plain names
	State                          // a block of JSON that a script reads, such as __NEXT_DATA__
	Table                          // a row or a cell of a table
	Definition                     // a term of a definition list
	Label                          // a visible text with a label, such as "Price: 12"
	Item                           // one of several elements that are built alike: a card, a result
	Section                        // what stands under a heading
	Document                       // what the page itself is: its title, language, address
	Class                          // a text that its class or id names, or that looks like what its name says: money, a date
	Model                          // no place on the page: a model of the host has said it
)

var sourceNames = [...]string{"", "json-ld", "microdata", "rdfa", "microformats", "meta", "state", "table", "definition list", "label", "item", "section", "document", "class", "model"}

// String returns the name of the source as explanations show it.
func (s Source) String() string { return sourceNames[s] }

// Graph is all that was found on a page.
type Graph struct {
	// Roots are the things that belong to no other, in the order of their
	// sources and within one of the page.
	Roots []*Entity
}

// Entity is a thing: an object of JSON, an element with itemscope, a row of a
// table, a card, or the page with what is labelled on it.
type Entity struct {
	// Source says where it was found.
	Source Source
	// Types are the names of its types without their vocabulary ("Product"), and
	// none where the page does not say.
	Types []string
	// ID is the address that names it, absolute where it can be made so, or "".
	ID string
	// Fields are its values by name, in the order of the page; a name comes once.
	// Of a Document, those that were written with more care come first, and
	// those that stand beside the main part last.
	Fields []Field
	// Element is where it stands on the page: the script for JSON. Never nil.
	Element *html.Node
	// Place is where in the script it stands, a JSON Pointer; "" for others.
	Place string

	index map[string]int // of a field by its name, once there are many
}

// Names that readers give to what they worked out about the thing that a page
// shows. They are believed in an order of their own.
const (
	// ShownNumber is the number of the thing as a person sees it on the page,
	// behind a label such as "Product code".
	ShownNumber = "product number"
	// AddressNumber is a number in the address of the page that also stands on
	// the page as a whole value.
	AddressNumber = "product id"
	// ShownPerUnit is a price for some of what is sold, as a person sees it: "12 € / kg".
	ShownPerUnit = "per unit"
	// ShownStock is that the thing cannot be had, as a person sees it on a page
	// that has nothing to buy it with.
	ShownStock = "stock status"
)

// Field is the values of one name.
type Field struct {
	// Name is as it was found: "offers", "og:title", "Cooking time".
	Name string
	// Values are in the order of the page, and at least one.
	Values []Value
}

// Kind is what a [Value] was on the page.
type Kind uint8

// The kinds.
const (
	Text   Kind = iota // text as a reader sees it: white space collapsed at the ends
	Number             // a number of JSON, whose digits are the text
	Bool               // true or false of JSON
	URL                // an address, made absolute
	Time               // the value of a time element, or of the like, as a machine reads it
	Thing              // an entity
)

// Value is one value: a text, or an entity.
type Value struct {
	Kind Kind
	// Source says where it was found if that is not the entity's source, else 0.
	Source Source
	// Aside says that it stands beside the main part of the page: in its
	// navigation, its footer, a sidebar.
	Aside bool
	// Of says of what it speaks, where it stands among the values of the page.
	Of Owner
	// Text is the value, in valid UTF-8; of a Thing "".
	Text string
	// Shown is what a reader sees of it where that is another text: "next
	// Tuesday" of a time, "12 €" of a data element, the words of a link, of an
	// image or of all that is in a thing on the visible page.
	Shown string
	// Entity is the thing, else nil. Entities may contain each other in a
	// circle: who walks them counts.
	Entity *Entity
	// Element is where it stands on the page. Never nil.
	Element *html.Node
	// Place is where in the script it stands, a JSON Pointer; "" for others.
	Place string
}

// Owner is of what a value of a page speaks.
type Owner uint8

// The owners: the page's own thing, the remarks of readers and what else stands
// beside its text, and things that are related to it.
const (
	Own Owner = iota
	Remark
	Related
)

// MaxText is how many bytes the text of a value has at most, and maxName a name:
// longer ones are nobody's, and looking at them takes the time for others.
const (
	MaxText = 256 << 10
	maxName = 4 << 10
)

// Add appends values to the field of the name, which it makes if need be. What is
// too large is left out.
func (e *Entity) Add(name string, values ...Value) {
	isTooLarge := func(v Value) bool { return len(v.Text) > MaxText }
	if slices.ContainsFunc(values, isTooLarge) {
		values = slices.DeleteFunc(slices.Clone(values), isTooLarge)
	}
	if name == "" || len(values) == 0 || len(name) > maxName {
		return
	}
	if i := e.find(name); i >= 0 {
		e.Fields[i].Values = append(e.Fields[i].Values, values...)
		return
	}
	e.Fields = append(e.Fields, Field{name, slices.Clone(values)})
}

// Remove takes a field away.
func (e *Entity) Remove(name string) {
	if i := e.find(name); i >= 0 {
		e.Fields, e.index = slices.Delete(e.Fields, i, i+1), nil
	}
}

// Get returns the values of a name as it was found, or none; nil has none.
func (e *Entity) Get(name string) []Value {
	if e == nil {
		return nil
	}
	if i := e.find(name); i >= 0 {
		return e.Fields[i].Values
	}
	return nil
}

// fewFields is up to how many fields looking through them is quicker than an
// index.
const fewFields = 8

// find returns where the field of the name is, or -1.
func (e *Entity) find(name string) int {
	if len(e.Fields) <= fewFields {
		return slices.IndexFunc(e.Fields, func(f Field) bool { return f.Name == name })
	}
	if e.index == nil {
		e.index = make(map[string]int, len(e.Fields))
	}
	for i := len(e.index); i < len(e.Fields); i++ {
		e.index[e.Fields[i].Name] = i
	}
	if i, ok := e.index[name]; ok {
		return i
	}
	return -1
}

// maxTypes is how many types a thing has at most.
const maxTypes = 16

// AppendType appends the name of a type that is not among them.
func AppendType(types []string, name string) []string {
	if name == "" || len(types) >= maxTypes || slices.Contains(types, name) {
		return types
	}
	return append(types, name)
}

// Is reports whether the entity has one of the types; nil has none.
func (e *Entity) Is(types ...string) bool {
	return e != nil && slices.ContainsFunc(e.Types, func(t string) bool { return slices.Contains(types, t) })
}

// maxPlace is the length in bytes of a place in a script; what is deeper has the
// place of what is around it. Each value has one.
const maxPlace = 512

var escapes = strings.NewReplacer("~", "~0", "/", "~1")

// Join returns the JSON Pointer of a name below a place.
func Join(place, name string) string {
	if len(place)+len(name) >= maxPlace {
		return place
	}
	if strings.ContainsAny(name, "~/") {
		name = escapes.Replace(name)
	}
	return place + "/" + name
}
