package markdown

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// maxTabs is how many tabs a group may have.
const maxTabs = 50

// tabs puts the label of each tab above what it shows, and takes the row of
// labels away. It reports whether n is such a row with a panel for each label.
func (c *cleaner) tabs(n *html.Node) bool {
	if tree.AttrOr(n, "role") != "tablist" && !tree.HasClass(n, "tabbed-labels") {
		return false
	}
	labels := c.labels(n)
	panels := panelsAfter(n)
	if len(labels) < 2 || len(labels) != len(panels) {
		return false
	}
	for i, panel := range panels {
		if labels[i] == "" {
			continue
		}
		p, strong := tree.Element(atom.P), tree.Element(atom.Strong)
		strong.AppendChild(tree.Text(labels[i]))
		p.AppendChild(strong)
		panel.InsertBefore(p, panel.FirstChild)
	}
	tree.Remove(n)
	return true
}

// labels returns the texts of the tabs of a row.
func (c *cleaner) labels(row *html.Node) (texts []string) {
	nodes := 0
	for d := range c.Below(row) {
		if nodes++; nodes > 20*maxTabs {
			return nil
		}
		if tree.AttrOr(d, "role") == "tab" || d.DataAtom == atom.Label {
			texts = append(texts, oneLine(c.shortText(d)))
		}
	}
	return texts
}

// panelsAfter returns the panels that follow a row of tabs, or are all that is
// in what follows it.
func panelsAfter(row *html.Node) []*html.Node {
	next := tree.NextElement(row)
	if next == nil {
		return nil
	}
	if isPanel(next) {
		return panelsFrom(next)
	}
	return panelsFrom(firstElement(next))
}

func panelsFrom(n *html.Node) (panels []*html.Node) {
	for n != nil && isPanel(n) && len(panels) <= maxTabs {
		panels = append(panels, n)
		n = tree.NextElement(n)
	}
	return panels
}

func isPanel(n *html.Node) bool {
	return tree.AttrOr(n, "role") == "tabpanel" || tree.HasClass(n, "tabbed-block")
}
