package visible

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
)

var servingsText = lexicon.Pattern(`(?i)^(?:(?:für|pour|para|per|voor|for|till|til|pro|dla|za|serves|feeds)\s+)?((?:ca\.?\s+|env\.?\s+|about\s+)?\d{1,3}(?:\s?[-–]\s?\d{1,3})?\s+(?:servings?|portions?|portionen|portioner|porsjoner|personen|personer|personnes?|persone|personas|pessoas|porciones|raciones|porzioni|porções|porties|people|porce|porcí|porcje|porcji|porcie|porcií|osoby|osób|osob|osôb|porții|adag|kişilik|annosta|порции|порций|порції|порцій))\s*:?$`)

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
	{`serves|servings|makes|yields|ergibt|feeds|portionen|personen|pour|para|per|voor|portions|porciones|raciones|porzioni|dosi per|porties|porções|rendimento|rendement`, "yield", aCount},
	{`salary|pay|wage|salary range|pay range|compensation|gehalt|vergütung|stundenlohn|jahresgehalt|salaire|rémunération|salario|retribución|stipendio|retribuzione|ral|salaris|salário`, "salary", aPay},
}
