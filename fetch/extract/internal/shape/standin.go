package shape

import (
	"encoding/json"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
)

// unitNames are the names of members that are the unit of the value beside them.
var unitNames = map[string]bool{"unit": true, "units": true, "unittext": true, "uom": true, "measure": true, "einheit": true, "unite": true, "unidad": true, "unita": true}

// addUnit adds the unit of the text that a number was taken from.
func (sh *shaper) addUnit(obj *node, v *view, f found) {
	if obj.members[0].node.from.value.Kind == graph.Thing {
		return
	}
	if _, number := obj.members[0].node.value.(json.Number); !number {
		return
	}
	for _, p := range v.props {
		unit := f
		unit.value.Kind, unit.value.Shown = graph.Text, ""
		if text, ok := mention.UnitText(f.value.Text); ok && unitNames[p.key.Key] {
			unit.value.Text = text
			if n := sh.scalar(&prop{name: p.name, key: p.key, sub: p.sub}, sh.view(p.sub), unit, 0); n != nil {
				obj.insert(p.name, n)
				return
			}
		}
	}
}

// addUnitOf adds the unit that a thing says beside its value, such as the
// unitCode of a QuantitativeValue, where nothing has its name.
func (sh *shaper) addUnitOf(obj *node, v *view, e *graph.Entity) {
	vs := e.Get("value")
	if obj == nil || len(vs) == 0 {
		return
	}
	number, unit, both := strings.Cut(withUnit(e, vs[0]).Text, " ")
	if !both || number != strings.TrimSpace(vs[0].Text) {
		return
	}
	for _, p := range v.props {
		if unitNames[p.key.Key] && obj.member(p.name) == nil {
			text := graph.Value{Kind: graph.Text, Text: unit, Element: vs[0].Element, Place: vs[0].Place}
			if n := sh.scalar(&prop{name: p.name, key: p.key, sub: p.sub}, sh.view(p.sub), found{e, "unitCode", text}, 0); n != nil {
				obj.insert(p.name, n)
			}
		}
	}
}

// standsFor reports whether a text can be the value of a property of the thing
// that the text is in place of.
func standsFor(p *prop, v graph.Value) bool {
	if v.Kind == graph.URL && v.Shown == "" {
		return p.is("url", "image", "contentUrl")
	}
	return p.is("name", "text", "title", "ratingValue", "price") || p.key.Key == "text" || p.key.Key == "value" || p.key.Key == "label"
}
