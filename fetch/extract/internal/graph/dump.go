package graph

import (
	"fmt"
	"strings"
)

// Dump returns entities as indented text, for tests and for those who look
// into them. An entity that contains itself is shown once in itself.
func Dump(entities ...*Entity) string {
	d := dumper{within: map[*Entity]bool{}}
	for _, e := range entities {
		d.entity(e, "")
	}
	return d.b.String()
}

type dumper struct {
	b      strings.Builder
	within map[*Entity]bool // the entities around
}

func (d *dumper) entity(e *Entity, indent string) {
	fmt.Fprintf(&d.b, "%s%s", indent, e.Source)
	if len(e.Types) > 0 {
		fmt.Fprintf(&d.b, " %s", strings.Join(e.Types, " "))
	}
	if e.ID != "" {
		fmt.Fprintf(&d.b, " <%s>", e.ID)
	}
	if e.Place != "" {
		fmt.Fprintf(&d.b, " at %s", e.Place)
	}
	if d.within[e] {
		d.b.WriteString(" (again)\n")
		return
	}
	d.b.WriteString("\n")
	d.within[e] = true
	for i := range e.Fields {
		d.field(&e.Fields[i], indent+"  ")
	}
	delete(d.within, e)
}

func (d *dumper) field(f *Field, indent string) {
	fmt.Fprintf(&d.b, "%s%s:", indent, f.Name)
	if len(f.Values) == 1 && f.Values[0].Kind != Thing {
		d.b.WriteString(" ")
		d.value(&f.Values[0], "")
		return
	}
	d.b.WriteString("\n")
	for i := range f.Values {
		d.value(&f.Values[i], indent+"  ")
	}
}

var kindNames = [...]string{"", "number ", "bool ", "url ", "time ", ""}

func (d *dumper) value(v *Value, indent string) {
	if v.Kind == Thing && v.Entity != nil {
		if v.Shown != "" || v.Aside {
			fmt.Fprintf(&d.b, "%s-%s\n", indent, d.notes(v))
		}
		d.entity(v.Entity, indent)
		return
	}
	fmt.Fprintf(&d.b, "%s%s%q%s\n", indent, kindNames[v.Kind], v.Text, d.notes(v))
}

// notes returns what else is known of a value.
func (d *dumper) notes(v *Value) string {
	var b strings.Builder
	if v.Shown != "" {
		fmt.Fprintf(&b, " shown %q", v.Shown)
	}
	if v.Source != 0 {
		fmt.Fprintf(&b, " (%s)", v.Source)
	}
	if v.Aside {
		b.WriteString(" aside")
	}
	return b.String()
}
