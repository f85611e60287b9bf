package names

import (
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// forPortions is what headings of recipes have behind their name.
var forPortions = lexicon.Pattern(`(?i)^(\pL[\pL ]*?) +(?:for|für|pour|para|per|voor|dla) +\d{1,3}(?:[-–]\d{1,3})? +(?:people|persons?|servings?|portions?|personen|person|portionen|personnes?|personas?|raciones|porciones|persone|porzioni|pessoas|porções|personen|porties|osoby|osób|porcje|porcji)[ :]*$`)

// cutPortions takes for how many people it is off a name: "Ingredients for 4
// people".
func cutPortions(text string) string {
	if len(text) > maxName || !strings.ContainsAny(text, "0123456789") {
		return text
	}
	if found := forPortions().FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return text
}
