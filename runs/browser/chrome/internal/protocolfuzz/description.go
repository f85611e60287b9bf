// Package protocolfuzz makes up commands of the browser's protocol from the
// browser's own description of it, for tests of what clients may do. What it
// makes up depends on a seed alone: ids are placeholders, which are filled with
// those of real things when a command is sent.
package protocolfuzz

import (
	"encoding/json"
	"strings"
)

// A Description is what a browser says of its protocol.
type Description struct {
	domains []domain
	types   map[string]property // by domain and name
	about   map[string]message  // commands and events by domain and name
}

type domain struct {
	Domain           string
	Types            []property
	Commands, Events []message
}

type message struct {
	Name                string
	Parameters, Returns []property
}

// A property is a parameter, a member of an object, or a type.
type property struct {
	ID, Name, Type string
	Ref            string `json:"$ref"`
	Enum           []string
	Optional       bool
	Items          *property
	Properties     []property
}

// Read reads the description as a browser gives it.
func Read(raw []byte) (*Description, error) {
	var file struct{ Domains []domain }
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, err
	}
	d := &Description{domains: file.Domains, types: map[string]property{}, about: map[string]message{}}
	for _, in := range d.domains {
		for _, t := range in.Types {
			t.Name = t.ID
			d.types[in.Domain+"."+t.ID] = qualified(t, in.Domain)
		}
		for _, list := range [][]message{in.Commands, in.Events} {
			for _, m := range list {
				d.about[in.Domain+"."+m.Name] = message{m.Name, qualifiedAll(m.Parameters, in.Domain), qualifiedAll(m.Returns, in.Domain)}
			}
		}
	}
	return d, nil
}

// qualified is a property whose types have names that hold everywhere.
func qualified(p property, domain string) property {
	if p.Ref != "" && !strings.Contains(p.Ref, ".") {
		p.Ref = domain + "." + p.Ref
	}
	if p.Items != nil {
		items := qualified(*p.Items, domain)
		p.Items = &items
	}
	p.Properties = qualifiedAll(p.Properties, domain)
	return p
}

func qualifiedAll(list []property, domain string) (all []property) {
	for _, p := range list {
		all = append(all, qualified(p, domain))
	}
	return all
}

// Methods lists the commands, in the order in which they are described.
func (d *Description) Methods() (all []string) {
	for _, in := range d.domains {
		for _, c := range in.Commands {
			all = append(all, in.Domain+"."+c.Name)
		}
	}
	return all
}

// resolve follows the name of a type. The pool is where values of it are kept,
// empty for what is no id, name or address of anything.
func (d *Description) resolve(p property) (_ property, pool string) {
	t, ok := d.types[p.Ref]
	switch {
	case !ok && p.Type == "string" && len(p.Enum) == 0:
		return p, strings.ToLower(p.Name)
	case !ok:
		return p, ""
	case (t.Type == "string" && len(t.Enum) == 0 || t.Type == "integer") && !strings.HasPrefix(p.Ref, "Network.Time"):
		pool = p.Ref
	}
	t.Name, t.Optional = p.Name, p.Optional
	return t, pool
}
