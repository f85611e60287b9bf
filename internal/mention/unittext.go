package mention

import "strings"

// UnitText returns the unit of the only amount of a text, as it is written
// there: the "kg" of "1.2 kg".
func UnitText(text string) (string, bool) {
	if text = strings.TrimSpace(text); len(text) > maxText {
		return "", false
	}
	found := scanNumbers(text)
	i := choose(text, found)
	if i < 0 || gluedBefore(text[:found[i].from]) {
		return "", false
	}
	rest := text[found[len(found)-1].to:]
	unit, size := unitAt(rest)
	if !unit.Known() {
		return "", false
	}
	return strings.Trim(rest[:size], " -\u00a0\u202f"), true
}
