package visible

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
)

// countedText is how many of something a list has, at the beginning of a line:
// "124 offres d'emploi", "1-20 of 1,286 results", "36 Produkte gefunden".
var countedText = lexicon.Pattern(`(?i)^(?:(?:showing|zeige|affichage de)\s+)?(?:\d{1,4}\s?[-–]\s?\d{1,4}\s+(?:of|von|sur|de|di|van)\s+)?(?:(?:about|over|rund|environ|circa)\s+)?(\d{1,3}(?:[.,\x{A0}\x{202F} ]\d{3})+|\d{1,6})\s+(?:open |new |offene |neue )?(\p{L}[\p{L}'’]*(?:\s+\p{L}[\p{L}'’]*)?)`)

// countedThings are what lists have so many of, with the name of one.
var countedThings = func() map[string]string {
	m := map[string]string{}
	for one, words := range map[string]string{
		"result":  "results|result|hits|matches|ergebnisse|treffer|résultats|résultat|resultados|risultati|resultaten",
		"job":     "jobs|job|vacancies|positions|job offers|stellenangebote|stellen|offres d'emploi|offres d’emploi|offres|ofertas de|ofertas|offerte di|offerte|vacatures|vagas",
		"product": "products|produkte|produits|productos|prodotti|producten|produtos|items|artikel|articles trouvés",
		"comment": "comments|comment|kommentare|commentaires|comentarios|commenti|reacties|comentários",
		"answer":  "answers|antworten|réponses|respuestas|risposte|antwoorden|respostas",
		"post":    "posts|beiträge|messages",
		"listing": "listings|properties|homes|immobilien|annonces|anuncios|annunci|objekte",
	} {
		for w := range strings.SplitSeq(words, "|") {
			m[w] = one
		}
	}
	return m
}()

// maxCounted is the length of such a line, in bytes.
const maxCounted = 80

// counts reads how many of something the page lists.
func (r *reader) counts() {
	for i := range r.lines {
		r.Meter.Step(1)
		l := &r.lines[i]
		first := &r.nodes[l.first]
		if l.to-l.from > maxCounted || first.part != 0 || first.is(inTable|isStruck) || !hasDigit(r.text[l.from:l.to]) {
			continue
		}
		if one, number := countedIn(r.text[l.from:l.to]); one != "" {
			r.addCount(l.first, one, number)
		}
	}
}

func (r *reader) addCount(i int, one, number string) {
	v := r.textValue(number, graph.Label, r.elementOf(i))
	v.Aside = r.nodes[i].is(isAside)
	r.add(0, one+" count", v)
	if one == "job" || one == "product" || one == "listing" {
		r.add(0, "result count", v)
	}
}

// mayCount is a quick look at whether a text can count something: one of its
// first words is the first of what lists have.
func mayCount(s string) bool {
	words := 0
	for word := range strings.FieldsSeq(s) {
		if words++; words > maxBeforeCounted {
			return false
		}
		if c := word[0]; words == 1 && (c >= 0x80 || c >= '0' && c <= '9' && len(word) > 12) {
			return false
		}
		if countedFirst[strings.ToLower(word)] {
			return words > 1
		}
	}
	return false
}

// maxBeforeCounted is the place at most of that word: "showing 1 - 20 of about 1
// 286 new results".
const maxBeforeCounted = 10

// countedFirst are the first words of countedThings.
var countedFirst = func() map[string]bool {
	set := map[string]bool{}
	for words := range countedThings {
		word, _, _ := strings.Cut(words, " ")
		set[word] = true
	}
	return set
}()

// countedIn returns what a line counts, and the number.
func countedIn(s string) (one, number string) {
	if !mayCount(s) {
		return "", ""
	}
	m := countedText().FindStringSubmatch(s)
	if m == nil {
		return "", ""
	}
	words := strings.ToLower(m[2])
	if one = countedThings[words]; one == "" {
		word, _, _ := strings.Cut(words, " ")
		one = countedThings[word]
	}
	return one, strings.Map(func(c rune) rune {
		if c < '0' || c > '9' {
			return -1
		}
		return c
	}, m[1])
}
