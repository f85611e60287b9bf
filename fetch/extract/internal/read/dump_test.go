package read

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// dumped returns things as text, one value a line. A thing that was there
// already is named by its number.
func dumped(roots []*graph.Entity) string {
	d := dumper{numbers: map[*graph.Entity]int{}}
	for _, e := range roots {
		d.entity("", e, 0)
	}
	return d.b.String()
}

type dumper struct {
	b       strings.Builder
	numbers map[*graph.Entity]int
}

func (d *dumper) line(depth int, format string, args ...any) {
	d.b.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(&d.b, format, args...)
	d.b.WriteByte('\n')
}

func (d *dumper) entity(name string, e *graph.Entity, depth int) {
	if name != "" {
		name += ": "
	}
	if number, ok := d.numbers[e]; ok {
		d.line(depth, "%s*%d", name, number)
		return
	}
	d.numbers[e] = len(d.numbers) + 1
	line := fmt.Sprintf("%s&%d %s", name, d.numbers[e], strings.Join(e.Types, ","))
	if e.ID != "" {
		line += " <" + e.ID + ">"
	}
	if e.Place != "" {
		line += " at " + e.Place
	}
	d.line(depth, "%s", strings.TrimSpace(line))
	for _, f := range e.Fields {
		for _, v := range f.Values {
			d.value(f.Name, v, depth+1)
		}
	}
}

func (d *dumper) value(name string, v graph.Value, depth int) {
	if v.Element == nil {
		d.line(depth, "%s: HAS NO ELEMENT", name)
	}
	text := v.Text
	switch v.Kind {
	case graph.Thing:
		d.entity(name, v.Entity, depth)
		return
	case graph.Text:
		text = strconv.Quote(text)
	case graph.URL:
		text = "<" + text + ">"
	case graph.Time:
		text = "time " + strconv.Quote(text)
	}
	if v.Shown != "" {
		text += " shown " + strconv.Quote(v.Shown)
	}
	d.line(depth, "%s: %s", name, text)
}
