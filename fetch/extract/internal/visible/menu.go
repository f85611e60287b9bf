package visible

import "github.com/drover-go/drover/fetch/extract/internal/graph"

// A menu is what the price lists of a page have together, each under a heading
// of one level.
type menu struct {
	*reader
	items []menuItem
}

// menuItem is an item of a price list and the heading that it stands under.
type menuItem struct {
	part, heading int
}

// add adds an item of a list of the page itself.
func (m *menu) add(part, heading int) {
	if m.parts[part].around == 0 && heading >= 0 {
		m.items = append(m.items, menuItem{part, heading})
	}
}

// write gives the page the items of all lists, each with its heading.
func (m *menu) write() {
	heads := map[int]bool{}
	for _, item := range m.items {
		heads[item.heading] = true
		if m.headingLevel(item.heading) != m.headingLevel(m.items[0].heading) {
			return
		}
	}
	for _, item := range m.items {
		if len(heads) > 1 {
			m.reader.add(0, "items", m.thing(m.parts[item.part].entity, m.parts[item.part].node))
			m.reader.add(item.part, "category", m.value(item.heading, graph.Section))
		}
	}
}
