package names

// generalTitles are the names under which things and pages give what they are
// called, whatever they are.
var generalTitles = setOf("h1 title titel titre titulo titolo name nom nombre nome naam headline heading label caption displayname schlagzeile uberschrift bezeichnung")

// IsTitle reports whether a name is that of a general title, whatever kind of
// thing it says that the title is of: "product title".
func (n Name) IsTitle() bool {
	return generalTitles[n.Key] || n.Plain != "" && generalTitles[n.Plain] || n.Is("name", "headline")
}
