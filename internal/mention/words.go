package mention

import "strings"

// Bool reads yes and no in several languages, and whether a thing can be had.
func Bool(text string) (value, ok bool) {
	if len(text) > maxText {
		return false, false
	}
	text = strings.TrimSpace(text)
	if is, ok := marks[strings.TrimSuffix(text, "\ufe0f")]; ok {
		return is, true
	}
	key := Key(CutVocabulary(text))
	if boolWords[0][key] {
		return false, true
	}
	if boolWords[1][key] {
		return true, true
	}
	state, rest, _ := strings.Cut(strings.Replace(text, "(", ",", 1), ",")
	if strings.TrimSpace(rest) != "" && isOpen("", rest) {
		return false, false
	}
	switch word, _ := Availability(state); word { // "In stock (12)"
	case "InStock", "InStoreOnly", "OnlineOnly", "LimitedAvailability":
		return true, true
	case "OutOfStock", "SoldOut", "Discontinued":
		return false, true
	}
	return false, false
}

var boolWords = [2]map[string]bool{
	setOf("false", "no", "0", "n", "off", "unchecked", "inactive", "disabled", "nein", "non", "nee", "nao", "falsch", "faux", "falso"),
	setOf("true", "yes", "1", "y", "on", "checked", "active", "enabled", "ja", "oui", "si", "sim", "wahr", "vrai", "verdadero", "vero"),
}

// marks are signs for yes and no.
var marks = map[string]bool{"✓": true, "✔": true, "☑": true, "✅": true, "🗸": true, "✗": false, "✘": false, "✕": false, "✖": false, "❌": false, "☒": false, "☐": false}

// Remote reads whether work is done away from the place of the employer. What is
// both is neither.
func Remote(text string) (value, ok bool) {
	if len(text) > maxText {
		return false, false
	}
	key := Key(CutVocabulary(strings.TrimSpace(text)))
	return remoteWords[1][key], remoteWords[0][key] || remoteWords[1][key]
}

var remoteWords = [2]map[string]bool{
	setOf("onsite", "inoffice", "office", "inperson", "vorort", "prasenz", "presentiel", "presencial", "insede"),
	setOf("telecommute", "telecommuting", "remote", "fullyremote", "100remote", "remotework", "remoteonly", "workfromhome", "homeoffice", "homebased", "teletravail", "teletrabajo", "telelavoro", "distributed"),
}

// Availability returns the name that schema.org has for whether a thing can be
// had: "Auf Lager" is InStock.
func Availability(text string) (string, bool) {
	if len(text) > maxText {
		return "", false
	}
	name, ok := availabilityWords[Key(CutVocabulary(strings.TrimSpace(text)))]
	return name, ok
}

var availabilityWords = groups(
	"InStock", "instock available availablenow inventory auflager lieferbar sofortlieferbar vorratig verfugbar sofortverfugbar enstock disponible endisponible disponibile disponivel emestoque instockandreadytoship opvoorraad leverbaar disponibilitaimmediata auflagersofortlieferbar instocknow yesinstock",
	"OutOfStock", "outofstock unavailable notavailable notinstock currentlyunavailable nichtauflager nichtlieferbar nichtverfugbar nichtvorratig ausverkauft vergriffen epuise rupturedestock enrupturedestock horsstock indisponible agotado sinexistencias nodisponible esaurito nondisponibile esgotado indisponivel semestoque uitverkocht nietopvoorraad nietleverbaar temporarilyoutofstock",
	"SoldOut", "soldout",
	"PreOrder", "preorder availableforpreorder vorbestellung vorbestellbar precommande preventa preordine prevenda",
	"PreSale", "presale", "BackOrder", "backorder onbackorder nachbestellt",
	"Discontinued", "discontinued nolongeravailable nichtmehrlieferbar",
	"LimitedAvailability", "limitedavailability limitedstock lowstock onlyafewleft",
	"InStoreOnly", "instoreonly", "OnlineOnly", "onlineonly", "MadeToOrder", "madetoorder", "Reserved", "reserved",
)

// groups maps each word of the lists to the name in front of its list.
func groups(list ...string) map[string]string {
	m := map[string]string{}
	for i := 0; i < len(list); i += 2 {
		for word := range strings.FieldsSeq(list[i+1]) {
			m[word] = list[i]
		}
	}
	return m
}

// terms are the names of other lists, by what pages say for them.
var terms = groups(
	"fulltime", "fulltime vollzeit tempsplein jornadacompleta tiempocompleto tempopieno voltijd tempointegral",
	"parttime", "parttime teilzeit tempspartiel jornadaparcial tiempoparcial partoparcial deeltijd tempoparcial",
	"contractor", "contractor contract freelance freelancer", "temporary", "temporary befristet temporaire temporal", "intern", "intern internship praktikum stage practicas tirocinio estagio",
	"newcondition", "newcondition new neu neuf nuevo nuovo novo nieuw", "usedcondition", "usedcondition used gebraucht occasion usado usato gebruikt secondhand",
	"refurbishedcondition", "refurbishedcondition refurbished generaluberholt reconditionne reacondicionado ricondizionato",
	"eventscheduled", "eventscheduled scheduled", "eventcancelled", "eventcancelled cancelled canceled abgesagt annule cancelado annullato", "eventpostponed", "eventpostponed postponed verschoben reporte",
	"eventrescheduled", "eventrescheduled rescheduled",
	"offlineeventattendancemode", "offlineeventattendancemode offline inperson onsite", "onlineeventattendancemode", "onlineeventattendancemode online virtual", "mixedeventattendancemode", "mixedeventattendancemode mixed hybrid",
)

// Member returns which of the members of an enum a text stands for, -1 for none:
// the same word in another case or spelling, or a known word for the same.
func Member(text string, members []string) int {
	text = strings.TrimSpace(text)
	for i, m := range members {
		if m == text {
			return i
		}
	}
	if len(text) > maxText {
		return -1
	}
	if i := memberByKey(Key(CutVocabulary(text)), members, Key); i >= 0 {
		return i
	}
	if i := memberByKey(meaning(text), members, meaning); i >= 0 {
		return i
	}
	if code, ok := Currency(text); ok {
		return memberByKey(code, members, func(m string) string { return m })
	}
	return -1
}

func memberByKey(key string, members []string, keyOf func(string) string) int {
	if key == "" {
		return -1
	}
	for i, m := range members {
		if keyOf(m) == key {
			return i
		}
	}
	return -1
}

// meaning returns what a word of a known list stands for, or "".
func meaning(text string) string {
	if a, ok := Availability(text); ok {
		if a == "SoldOut" {
			return "OutOfStock"
		}
		return a
	}
	return terms[Key(CutVocabulary(text))]
}

// Email returns an address of electronic mail.
func Email(text string) (string, bool) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "mailto:")
	text, _, _ = strings.Cut(text, "?")
	name, host, ok := strings.Cut(text, "@")
	if !ok || name == "" || !strings.Contains(strings.Trim(host, "."), ".") || strings.ContainsAny(text, " \t\n<>(),;:\"\\") || strings.Contains(host, "@") {
		return "", false
	}
	return text, true
}

// Language returns a language tag as BCP 47 writes it: "en_us" is en-US.
func Language(text string) (string, bool) {
	parts := strings.FieldsFunc(strings.TrimSpace(text), func(r rune) bool { return r == '-' || r == '_' })
	if len(parts) == 0 || len(parts) > 4 || len(parts[0]) < 2 || len(parts[0]) > 3 || !isASCII(text) {
		return "", false
	}
	parts[0] = strings.ToLower(parts[0])
	for i, p := range parts[1:] {
		if len(p) == 2 {
			parts[i+1] = strings.ToUpper(p)
		}
	}
	return strings.Join(parts, "-"), true
}
