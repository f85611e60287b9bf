package visible

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch/extract/internal/value"
)

// phrase is words that stand before a value without a colon, and the name of
// that value. The value has to be of the kind: words alone say little.
type phrase struct {
	words, name string
	kind        phraseKind
}

type phraseKind uint8

const (
	aDate phraseKind = iota
	aCode
	aTradeNumber // GTIN, EAN, UPC: with its check digit
	aBookNumber  // ISBN: with its check digit
	aLength
	aCount
	aPay
)

// phrases reads the parts of lines that open with such words: "Apply by 31 May
// 2024", "EAN 4006381333931", "Cook 20 min".
func (r *reader) phrases() {
	for i := range r.lines {
		r.Meter.Step(1)
		l := &r.lines[i]
		first := &r.nodes[l.first]
		if first.is(inTable|isStruck) || l.to-l.from > 2*maxPattern || r.isTakenAt(l.first) {
			continue
		}
		for s := range segments(r.text[l.from:l.to]) {
			if name, value := spokenValue(s, r.lang); name != "" {
				r.addLabelled(l.first, name, value)
			}
		}
	}
}

// spokenValue returns the name and the value of a text that opens with a phrase.
func spokenValue(s, language string) (name, text string) {
	if s == "" || len(s) > maxPattern || !hasDigit(s) {
		return "", ""
	}
	if name, text = countBefore(s); name != "" {
		return name, text
	}
	c, _ := utf8.DecodeRuneInString(s)
	lower := strings.ToLower(s)
	for _, p := range phrasesByLetter[unicode.ToLower(c)] {
		if !strings.HasPrefix(lower, p.words) || len(lower) != len(s) {
			continue
		}
		rest := s[len(p.words):]
		if next, _ := utf8.DecodeRuneInString(rest); unicode.IsLetter(next) || rest == "" {
			continue
		}
		if rest = strings.TrimLeft(rest, " \u00A0#."); rest != "" && rest[0] == ':' && p.name != "total time" {
			return "", "" // read as a label
		}
		rest = strings.TrimLeft(rest, " \u00A0:–-")
		if isOfKind(p.kind, rest, language) {
			return p.name, rest
		}
	}
	return "", ""
}

// isOfKind reports whether a text is a value of a kind and nothing more.
func isOfKind(kind phraseKind, s, language string) bool {
	switch kind {
	case aDate:
		_, ok := value.ParseMoment(s, language)
		return ok || dateText.MatchString(s) && len(s) < maxMoney || endsOf(s, language).start != ""
	case aCode:
		return len(s) >= 4 && len(s) <= maxCode && hasDigit(s) && !strings.ContainsAny(s, " $€£%@:") && !isDate(s)
	case aTradeNumber:
		return isTradeNumber(s)
	case aBookNumber:
		return isBookNumber(s)
	case aLength:
		_, ok := value.Duration(s)
		return ok && len(s) < maxMoney
	case aPay:
		return payText.MatchString(s)
	}
	return len(s) <= 30 && s[0] >= '1' && s[0] <= '9'
}

// isTradeNumber reports whether a text is a GTIN of 8, 12, 13 or 14 digits,
// whose last one checks the others (GS1 General Specifications, 7.9).
func isTradeNumber(s string) bool {
	if !isDigits(s) || !slices.Contains([]int{8, 12, 13, 14}, len(s)) {
		return false
	}
	sum := 0
	for i, c := range s {
		n := int(c - '0')
		if (len(s)-i)%2 == 0 {
			n *= 3
		}
		sum += n
	}
	return sum%10 == 0
}

// isBookNumber reports whether a text is an ISBN of 10 or 13 digits, with or
// without hyphens, whose last one checks the others (ISO 2108).
func isBookNumber(s string) bool {
	s = strings.NewReplacer("-", "", " ", "", "‐", "", "–", "").Replace(s)
	if len(s) == 13 {
		return (strings.HasPrefix(s, "978") || strings.HasPrefix(s, "979")) && isTradeNumber(s)
	}
	if len(s) != 10 || !isDigits(s[:9]) || s[9] != 'X' && s[9] != 'x' && !isDigits(s[9:]) {
		return false
	}
	sum := 0
	for i := range 10 {
		n := int(s[i] - '0')
		if s[i]|0x20 == 'x' {
			n = 10
		}
		sum += n * (10 - i)
	}
	return sum%11 == 0
}

// countBefore reads for how many something is where the number stands before the
// word: "4 servings", "für 4 Personen".
func countBefore(s string) (name, text string) {
	if len(s) > maxMoney {
		return "", ""
	}
	if m := servingsText.FindStringSubmatch(s); m != nil {
		return "yield", m[1]
	}
	return "", ""
}

var servingsText = regexp.MustCompile(`(?i)^(?:(?:für|pour|para|per|voor|for)\s+)?(\d{1,3}(?:\s?[-–]\s?\d{1,3})?\s+(?:servings?|portions?|portionen|personen|personnes?|persone|personas|pessoas|porciones|raciones|porzioni|porções|porties|people))$`)

// phrasesByLetter are the phrases by their first letter, the longest first.
var phrasesByLetter = func() map[rune][]phrase {
	m := map[rune][]phrase{}
	for _, list := range phraseLists {
		for words := range strings.SplitSeq(list.words, "|") {
			words = strings.Join(strings.Fields(words), " ")
			c, _ := utf8.DecodeRuneInString(words)
			m[c] = append(m[c], phrase{words, list.name, list.kind})
		}
	}
	for _, list := range m {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.words) - len(a.words) })
	}
	return m
}()

var phraseLists = []phrase{
	{`apply by|apply before|apply until|applications close|applications close on|application deadline|closing date|closes|closes on|closing|deadline|last day to apply|bewerben bis|bewerben sie sich bis|bewerbungsschluss|bewerbungsfrist
|bewerbung bis|date limite|postulez avant le|candidature avant le|plazo|plazo hasta|fecha límite|inscripciones hasta|scadenza|candidati entro il|candidature entro il|solliciteer voor|sluitingsdatum|candidate-se até|prazo`, "deadline", aDate},
	{`starts|starts on|start|begins|begins on|starting|beginn|beginnt am|beginnt|début|commence le|comienza el|comienza|empieza el|inicio|inizia il|inizio|begint op|begint|aanvang|começa em|início`, "start date", aDate},
	{`ends|ends on|end|until|endet am|endet|ende|fin|se termine le|termina el|termina|finaliza el|finisce il|fine|eindigt op|eindigt|einde|termina em|fim`, "end date", aDate},
	{`posted on|posted|job posted|listed on|veröffentlicht am|eingestellt am|publiée le|publié le|publicado el|pubblicato il|geplaatst op|publicado em`, "date posted", aDate},
	{`ean|ean code|ean-code|gtin|gtin-13|gtin-14|gtin-12|gtin-8|upc|barcode|bar code|code-barres|código de barras|codice a barre|streepjescode`, "gtin", aTradeNumber},
	{`isbn|isbn-13|isbn-10|isbn 13|isbn 10|isbn13|isbn10`, "isbn", aBookNumber},
	{`mpn|mfr part no|mfr part number|mfg part number|manufacturer part number|manufacturer part no|part no|part number|part #|herstellernummer|hersteller-nr|herstellernr`, "mpn", aCode},
	{`sku|item no|item number|item code|item #|item|product code|product no|product number|article no|article number|art.-nr|art.nr|art. nr|art-nr|artikelnummer|artikelnr|artikel-nr|bestellnummer|bestell-nr|réf|référence|ref|ref.|referencia|riferimento|cod. articolo|artikelcode|referência`, "sku", aCode},
	{`prep|prep time|preparation|preparation time|active|active time|hands-on time|hands on time|vorbereitung|vorbereitungszeit|arbeitszeit|zubereitung|zubereitungszeit|préparation|temps de préparation|preparación|tiempo de preparación|preparazione|tempo di preparazione|bereidingstijd|voorbereiding|preparo|tempo de preparo`, "prep time", aLength},
	{`cook|cook time|cooking|cooking time|bake|bake time|baking|baking time|kochzeit|backzeit|garzeit|kochen|backen|cuisson|temps de cuisson|cocción|tiempo de cocción|cottura|tempo di cottura|kooktijd|baktijd|oventijd|cozimento|tempo de cozimento`, "cook time", aLength},
	{`ready in|total|total time|takes|time|gesamtzeit|gesamt|fertig in|prêt en|temps total|tiempo total|listo en|tempo totale|pronto in|totale tijd|klaar in|tempo total|pronto em`, "total time", aLength},
	{`serves|servings|feeds|portionen|personen|pour|para|per|voor|portions|porciones|raciones|porzioni|dosi per|porties|porções|rendimento|rendement`, "yield", aCount},
	{`salary|pay|wage|salary range|pay range|compensation|gehalt|vergütung|stundenlohn|jahresgehalt|salaire|rémunération|salario|retribución|stipendio|retribuzione|ral|salaris|salário`, "salary", aPay},
}
