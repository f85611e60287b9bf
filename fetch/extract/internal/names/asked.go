package names

import (
	"slices"
	"strings"
)

// questions are what a description asks for without its name: "who wrote it".
// The first word has to be there, and one that begins with one of the others.
var questions = []struct {
	first, concept string
	stems          []string
}{
	{"who", "author", []string{"wrote", "written", "writes", "authored"}},
	{"who", "organizer", []string{"organiz", "organis", "hosts"}},
	{"who", "hiringOrganization", []string{"hires", "hiring", "employ", "offers"}},
	{"who", "seller", []string{"sells", "sell", "sold", "selling"}},
	{"who", "manufacturer", []string{"makes", "made", "manufactur", "produc"}},
	{"what", "name", []string{"called", "named"}},
	{"can i", "availability", []string{"buy", "order", "get"}},
	{"can it", "availability", []string{"bought", "ordered"}},
	{"is it", "availability", []string{"available", "stock", "instock", "buyable"}},
	{"how long", "cookTime", []string{"cook", "bake", "baking"}},
	{"how long", "prepTime", []string{"prep"}},
	{"how long", "totalTime", []string{"take", "total", "whole"}},
	{"how many", "recipeYield", []string{"serv", "portion"}},
	{"how much", "price", []string{"cost"}},
	{"when", "dateModified", []string{"updat", "modif", "chang"}},
	{"when", "datePublished", []string{"publish", "written"}},
	{"when", "startDate", []string{"start", "begin"}},
	{"when", "endDate", []string{"end"}},
	{"where", "location", []string{"place", "held", "happen"}},
}

// asked returns the concept of the question that a description is, or "".
func asked(words []string) string {
	if len(words) < 2 {
		return ""
	}
	if i := slices.Index(words, "who"); i > 0 && i+1 < len(words) && (words[i-1] == "person" || words[i-1] == "people" || words[i-1] == "one" || words[i-1] == "somebody") {
		words = words[i:] // "the person who wrote it"
	}
	for _, q := range questions {
		first := words[:1]
		if strings.Contains(q.first, " ") {
			first = words[:2]
		}
		if strings.Join(first, " ") != q.first {
			continue
		}
		if slices.ContainsFunc(words, func(w string) bool {
			return slices.ContainsFunc(q.stems, func(s string) bool { return strings.HasPrefix(w, s) })
		}) {
			return q.concept
		}
	}
	return ""
}
