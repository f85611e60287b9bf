package names

import (
	"strings"
	"sync"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// Per returns for what an amount of money is, by its name, its text or what is
// said of it: "kg" for "pricePerKg", "£5.75 / kg" and "price per kilogram",
// "night" for "80 € pro Nacht"; "" where it is for the whole.
func Per(text string) string {
	if len(text) > maxName {
		text = strings.ToValidUTF8(text[:maxName], "")
	}
	if m := behindAmount().FindStringSubmatch(text); m != nil {
		if per := share(m[1]); per != "" {
			return per
		}
	}
	if eachPerson().MatchString(text) {
		return "person"
	}
	words := Words(text)
	for i, w := range words[:max(len(words)-1, 0)] {
		if shares[w] {
			if per := share(words[i+1]); per != "" {
				return per
			}
		}
	}
	return ""
}

// IsPer reports whether a name says that an amount is for one of what is sold,
// whatever it is.
func IsPer(name string) bool {
	words := Words(name)
	return len(words) > 1 && shares[words[len(words)-2]]
}

// behindAmount is what an amount is for, behind it.
var (
	behindAmount = lexicon.Pattern(`(?i)\d[\s\x{a0}]*(?:[€$£¥]|[A-Z]{3}\b)?[\s\x{a0}]*(?:/|\b(?:per|pro|par|por|an?|la|à la|al|je)\b)[\s\x{a0}]*([\pL²³]+[23]?)`)
	eachPerson   = lexicon.Pattern(`(?i)\d[\s\x{a0}]*(?:[€$£¥]|[A-Z]{3}\b)?[\s\x{a0}]*p\.?p\.?$`)
)

// share returns the one word for what an amount is for.
func share(word string) string {
	word = strings.ToLower(strings.TrimSpace(word))
	if one := sharesByWord()[mention.Key(word)]; one != "" {
		return one
	}
	if u := mention.NamedUnit(word); u.Known() {
		return unitShares()[u]
	}
	return ""
}

// shareWords are the words for what an amount is for, by the first of them.
var shareWords = []string{
	"person persons personne persona persoon pessoa people pax guest adult erwachsener adulte adulto head kopf p pp pers",
	"night nights nacht nuit noche notte noite",
	"day days tag jour dia giorno dag daily",
	"hour hours hr h stunde heure hora ora uur std",
	"week weeks woche semaine semana settimana wk",
	"month months monat mois mes mese maand mo",
	"year years jahr annee an ano anno jaar yr",
	"room zimmer chambre habitacion camera", "seat platz", "ticket", "stay",
}

var sharesByWord = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for _, list := range shareWords {
		all := strings.Fields(list)
		for _, w := range all {
			m[w] = all[0]
		}
	}
	return m
})

// IsGoods reports whether what [Per] returned is a unit that goods are sold by.
func IsGoods(per string) bool { return unitShares()[mention.NamedUnit(per)] == per && per != "" }

// unitShares are the units that goods are sold by, by their symbols.
var unitShares = sync.OnceValue(func() map[mention.Unit]string {
	m := map[mention.Unit]string{}
	for _, name := range []string{"kg", "g", "lb", "oz", "t", "l", "ml", "cl", "dl", "gal", "m", "cm", "km", "ft", "yd", "mi", "m2", "m3", "ft2", "ha", "acre", "kwh"} {
		m[mention.NamedUnit(name)] = name
	}
	return m
})
