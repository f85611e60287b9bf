package visible

import "github.com/drover-go/drover/fetch/extract/internal/graph"

// A menu is what the price lists of a page have together, each under a heading
// of one level.
type menu struct {
	*reader
	items []menuItem
	// heading is the one at hand, and headings how many there are.
	heading, headings int
	// list is the last one that was asked for its heading, which is above it.
	list, above int
	// uneven says that the headings are of several levels.
	uneven bool
}

// menuItem is an item of a price list and the heading that it stands under.
type menuItem struct {
	part, heading int
}

// add adds an item of a list of the page itself.
func (m *menu) add(part, heading int) {
	if m.parts[part].around != 0 || heading < 0 {
		return
	}
	if heading != m.heading {
		m.uneven = m.uneven || m.heading >= 0 && m.headingLevel(heading) != m.headingLevel(m.heading)
		m.heading = heading
		m.headings++
	}
	m.items = append(m.items, menuItem{part, heading})
}

// write gives the page the items of all lists, each with its heading.
func (m *menu) write() {
	if m.headings < 2 || m.uneven {
		return
	}
	for _, item := range m.items {
		e := m.parts[item.part].entity
		v := m.thing(e, m.parts[item.part].node)
		m.reader.add(0, "items", v)
		if !m.has(item.part, "category") {
			m.reader.add(item.part, "category", m.value(item.heading, graph.Section))
		}
	}
}

// headingOf returns the heading above the list that node i is an item of, or -1.
func (m *menu) headingOf(i int) int {
	if up := m.nodes[i].up; up < 0 || up != m.list {
		m.list = up
		m.above = m.headingBefore(max(up, 0))
	}
	return m.above
}
