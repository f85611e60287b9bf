package names

// generalTitles are the names under which things and pages give what they are
// called, whatever they are.
var generalTitles = setOf("h1 title titel titre titulo titolo name nom nombre nome naam headline heading label caption displayname schlagzeile uberschrift bezeichnung")

// IsTitle reports whether the key of a name is that of a general title.
func IsTitle(key string) bool { return generalTitles[key] }
