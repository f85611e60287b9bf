package names

import (
	"slices"
	"strings"
)

// Name is a name, ready to be compared.
type Name struct {
	// Key are its words together: "ratingvalue".
	Key string
	// Words are its words, stemmed, fillers left out.
	Words []string
	// Concepts are what it may mean, the likeliest first.
	Concepts []string
	// Plain is what is left without the words for kinds of things: that of
	// "productName" is "name".
	Plain string
	// Whole are all words in their order in the alphabet, of a name with some in
	// brackets, which the others are without: "Ports (USB)".
	Whole string
}

// Parse reads a name.
func Parse(text string) Name {
	text = cutPrefix(text)
	whole := text
	text, _, cut := strings.Cut(text, "(") // "Weight (kg)"
	text = cutPortions(text)
	words := spelledOut(Words(text))
	n := Name{Key: strings.Join(words, "")}
	for _, w := range words {
		if !fillers[w] || len(words) == 1 {
			n.Words = append(n.Words, stem(w))
		}
	}
	n.Concepts = conceptsOf(words, n.Words)
	n.Plain = plain(withoutMeasure(words, n.Words))
	if head := withoutShare(words); n.Plain == "" && head != "" {
		n.Plain = head
	}
	if len(n.Concepts) == 0 && n.Plain != "" {
		n.Concepts = concepts()[n.Plain]
	}
	if cut && !bracketed(whole).Known() {
		n.Whole = sorted(Words(whole))
	}
	return n
}

// withoutShare returns what is left of a name without the end that says for
// whom, or for how long, an amount is: "Price per night". The price of a
// kilogram is another thing.
func withoutShare(words []string) string {
	if n := len(words); n > 2 && shares[words[n-2]] && sharers[words[n-1]] && isMoney(words[:n-2]) {
		return joined(words[:n-2])
	}
	return ""
}

var (
	shares  = setOf("per pro par por for fur pour")
	sharers = setOf("night nacht nuit noche notte person personne persona adult erwachsener adulte adulto day tag stay ticket seat room zimmer chambre")
)

// spelledOut writes the "no." of "No. of drawers" as the word that it is.
func spelledOut(words []string) []string {
	for i, w := range words[:max(len(words)-1, 0)] {
		if numberWords[w] && words[i+1] == "of" {
			words[i] = "number"
		}
	}
	return words
}

var numberWords = setOf("no nr num")

// sorted joins the stems of words in their order in the alphabet.
func sorted(words []string) string {
	var stems []string
	for _, w := range words {
		if !fillers[w] {
			stems = append(stems, stem(w))
		}
	}
	slices.Sort(stems)
	return joined(stems)
}

// withoutMeasure returns the stems of a name without those of the unit that its
// values are in.
func withoutMeasure(words, stems []string) []string {
	rest, m := cutMeasure(words)
	if !m.Known() {
		return stems
	}
	kept := []string{""} // that something is gone
	for _, w := range rest {
		if !fillers[w] {
			kept = append(kept, stem(w))
		}
	}
	return kept
}

func conceptsOf(words, stems []string) []string {
	for _, key := range []string{strings.Join(words, ""), strings.Join(stems, "")} {
		if found := concepts()[key]; found != nil {
			return found
		}
	}
	if key := strings.Join(words, ""); strings.Contains(key, "ae") || strings.Contains(key, "oe") || strings.Contains(key, "ue") {
		return concepts()[withUmlauts.Replace(key)]
	}
	return nil
}

// withUmlauts writes the vowels of German that are written as two as accents
// are left out: "verfuegbar".
var withUmlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")

// plain drops the words for kinds of things, unless nothing is left, and what
// is empty.
func plain(stems []string) string {
	var kept []string
	for _, w := range stems {
		if !kinds[w] && w != "" {
			kept = append(kept, w)
		}
	}
	if len(kept) == len(stems) {
		return ""
	}
	return strings.Join(kept, "")
}

// kinds are words, stemmed, that only say what a thing is, that it is the one
// meant, or what it is measured in.
var kinds = setOf(`product produkt produit producto prodotto produto item article artikel recipe rezept recette receta ricetta receita recept
	job event veranstaltung evenement evento book buch livre libro livro movie film course kurs cours curso corso video main primary full
	offer angebot post blog page current display listing property artigo articulo articolo stelle
	minute minuten minuto minuti second sekunden segundo secondi hour stunden heure hora ore kg cm mm eur usd gbp euro`)
