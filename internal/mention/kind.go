package mention

import (
	"regexp"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// amountRange is an amount of money or a range of two, as pay is written, and
// perPeriod the time that it is paid for.
const (
	amountRange = `(?:up to |from |ab |bis zu |bis |de |à partir de |desde |hasta |da |fino a |vanaf |tot )?(?:[A-Z]{3}\s?)?[$€£¥₹]?\s?\d[\d.,'’ \x{A0}]*k?\s?(?:[$€£]|[A-Z]{3}|euros?)?(?:\s?(?:-|–|—|to|bis|à|a|al|and|y|tot)\s?(?:[A-Z]{3}\s?)?[$€£¥₹]?\s?\d[\d.,'’ \x{A0}]*k?\s?(?:[$€£]|[A-Z]{3}|euros?)?)?`
	perPeriod   = `\s*(?:(?:per|a|an|/|p\.|pro|im|par|por|al|el|à l'|all'|de l')\s?(?:annum|year|yr|hour|hr|h|a\.?|hora|heure|ora|uur|stunde|std\.?|jahr|an|année|año|anno|jaar|ano)|p\.?\s?a\.?|annually|hourly|yearly|jährlich|brutto/jahr|brut/an|brut annuel|brutos/año|lordi annui|l'heure)\b\.?(?:\s*(?:gross|brutto|brut|bruto|brutos|lordi|plus .{1,30}|\+ .{1,30}|dependent on .{1,30}|doe|pro rata|\([^)]{1,40}\)))?`
)

var (
	payText = lexicon.Pattern(`(?i)^` + amountRange + `(?:` + perPeriod + `|\s*(?:per|a|/|pro|par|por|al)\s?(?:month|week|day|monat|woche|tag|mois|semaine|jour|mes|día|mese|maand|mês)\b)?\.?$`)
	payEnds = lexicon.Pattern(`(?i)^\D{0,8}(\d[\d.,'’ \x{A0}]*k?)\s?(?:[$€£]|[A-Z]{3}|euros?)?\s?(?:-|–|—|to|bis|à|a|al|tot)\s?\D{0,5}?(\d[\d.,'’ \x{A0}]*k?)(?:\D|$)`)
)

// IsPay reports whether a text is what somebody is paid: an amount or a range of
// two, perhaps with the time that it is paid for.
func IsPay(text string) bool { return len(text) <= maxKind && payText().MatchString(text) }

// PayRange returns the ends of a range of pay, or "".
func PayRange(text string) (least, most string) {
	if m := payEnds().FindStringSubmatch(text); m != nil && len(text) <= maxKind {
		return strings.TrimSpace(m[1]), strings.TrimSpace(m[2])
	}
	return "", ""
}

// eaters are what the yield of a recipe is counted in, in many languages.
const eaters = `servings?|portions?|portionen|portioner|porsjoner|personen|personer|personnes?|persone|personas|pessoas|porciones|raciones|porzioni|porções|porties|people|porce|porcí|porcje|porcji|porcie|porcií|osoby|osób|osob|osôb|porții|adag|kişilik|annosta|порции|порций|порції|порцій`

// recognizers know texts that need no label, for they say themselves what they
// are: by one of some signs in them, and a pattern whose first group is the value.
var recognizers = []struct {
	name    string
	signs   string // of which it has one, if there are any
	pattern func() *regexp.Regexp
}{
	{"yield", "人", lexicon.Pattern(`^(?:\p{Han}{1,4}\s*)?[(（]?\s*(\d{1,2}(?:\s?[-~〜～]\s?\d{1,2})?\s*人[分份])\s*[)）]?$`)},
	{"yield", "", lexicon.Pattern(`(?i)^\pL[\pL ]{2,24}[ :,(–-]+(?:für|pour|para|per|voor|for|för|till|til|pro|dla|na|za|pentru|serves|makes|feeds)\s+(\d{1,3}(?:\s?[-–]\s?\d{1,3})?(?:\s+(?:` + eaters + `)))\s*\)?\s*:?$`)},
	{"yield", "", lexicon.Pattern(`(?i)^\pL[\pL ]{2,24}[ :,(–-]+(?:serves|feeds|makes|yields|ergibt)\s+(\d{1,3}(?:\s?[-–]\s?\d{1,3})?(?:\s+\pL+)?)\s*\)?\s*:?$`)},
	{"yield", "(", lexicon.Pattern(`(?i)^\pL[\pL ]{2,24} \(\s*(\d{1,3}(?:\s?[-–]\s?\d{1,3})?\s+(?:` + eaters + `))\s*\)\s*:?$`)},
	{"yield", "", lexicon.Pattern(`(?i)^(?:(?:für|pour|para|per|voor|for|för|till|til|pro|dla|na|za|pentru|serves|feeds)\s+)?((?:ca\.?\s+|env\.?\s+|about\s+)?\d{1,3}(?:\s?[-–]\s?\d{1,3})?\s+(?:` + eaters + `))\s*:?$`)},
	{"salary", "$€£¥₹", lexicon.Pattern(`(?i)^(` + amountRange + perPeriod + `)$`)},
	{"salary", "$€£", lexicon.Pattern(`^([$€£]?\s?\d{2,3}(?:[.,]?\d{3}|k)\s?€?\s?(?:-|–|—|to|bis)\s?[$€£]?\s?\d{2,3}(?:[.,]?\d{3}|k)\s?€?)$`)},
	{"telephone", "", lexicon.Pattern(`(?i)^(?:tel(?:ephone|efon|éphone|éfono|efono|efoon|efone)?|t|p|m|ph|phone|mob(?:ile|il)?|handy|call|call us|fon)\b\s*[.:]*\s*(\+?\(?\d[\d ()./\x{A0}–-]{5,24}\d)(?:\s*(?:ext|x|durchwahl)\.?\s*\d{1,5})?$`)},
	{"email", "@", lexicon.Pattern(`(?i)^(?:.{0,80}[?!.]\s+)?(?:(?:e|e-?mail|mail|correo|courriel)\s*[.:]?\s*)?([a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,100}\.[a-z]{2,20})$`)},
}

// maxKind is the length of a text that says itself what it is, in bytes, and
// maxTerm that of one that is in a list.
const (
	maxKind = 120
	maxTerm = 24
)

// Kind returns what a text says itself to be, and its value: "yield", "salary",
// "telephone", "email", and of an offer of work "employment type" and "workplace
// type"; or "".
func Kind(text string) (name, value string) {
	if len(text) > maxKind {
		return "", ""
	}
	if len(text) <= maxTerm {
		if name = kinds()[strings.ReplaceAll(strings.ToLower(text), " ", "_")]; name != "" {
			return name, text
		}
	}
	if !strings.ContainsAny(text, "0123456789@") {
		return "", ""
	}
	for _, p := range recognizers {
		if p.signs == "" || strings.ContainsAny(text, p.signs) {
			if m := p.pattern().FindStringSubmatch(text); m != nil {
				return p.name, m[1]
			}
		}
	}
	return "", ""
}

// kinds are those of texts that are one of a list.
var kinds = lexicon.ByWord(files, "kinds")
