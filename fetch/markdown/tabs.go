package markdown

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// maxTabs is how many tabs a group may have.
const maxTabs = 50

// tabs puts the label of each tab above what it shows, which a reader can reach
// though all but one are hidden, and takes the row of labels away. It reports
// whether n is such a row with a panel for each label.
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
		show(panel, labels[i])
	}
	tree.Remove(n)
	return true
}

// show makes a hidden panel one that is seen, with its label above.
func show(panel *html.Node, label string) {
	panel.Attr = slices.DeleteFunc(panel.Attr, func(a html.Attribute) bool {
		return a.Key == "hidden" || a.Key == "style" || a.Key == "aria-hidden"
	})
	if label == "" {
		return
	}
	p, strong := tree.Element(atom.P), tree.Element(atom.Strong)
	strong.AppendChild(tree.Text(label))
	p.AppendChild(strong)
	panel.InsertBefore(p, panel.FirstChild)
}

// isReached reports whether a hidden element is what a tab of the page shows: the
// tab names it, or it names the tab. It is shown then with the tab's label.
func (c *cleaner) isReached(n *html.Node) bool {
	if tree.AttrOr(n, "role") != "tabpanel" {
		return false
	}
	label := c.survey.tabs[tree.AttrOr(n, "id")]
	if by := tree.AttrOr(n, "aria-labelledby"); label == "" {
		label = c.survey.tabs[by]
	}
	if label == "" {
		return false
	}
	show(n, label)
	return true
}

// tabLabels are the labels of the tabs of a page, by their ids and by those of
// the panels that they show.
type tabLabels map[string]string

// maxTabLabels is how many of them are known.
const maxTabLabels = 1000

func (t tabLabels) enter(w *work, n *html.Node) {
	if tree.AttrOr(n, "role") != "tab" || len(t) > maxTabLabels {
		return
	}
	label := oneLine(w.shortText(n))
	target, isHere := strings.CutPrefix(tree.AttrOr(n, "href"), "#")
	if !isHere {
		target = ""
	}
	for _, id := range []string{tree.AttrOr(n, "id"), tree.AttrOr(n, "aria-controls"), target} {
		if id != "" {
			t[id] = label
		}
	}
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
