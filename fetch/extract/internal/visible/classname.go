package visible

import "strings"

// nameOfWords returns those words of a class that say what something is, and
// not how it looks: "product price" of "c-product__price--large". It returns ""
// where none is left.
func nameOfWords(words []string) string {
	kept := words[:0]
	for _, word := range words {
		if !says(word) {
			continue
		}
		if kept = append(kept, word); len(kept) > 4 {
			return ""
		}
	}
	if len(kept) == 1 {
		return kept[0]
	}
	return strings.Join(kept, " ")
}

func says(word string) bool {
	if shortNames[word] {
		return true
	}
	return len(word) >= 4 && !hasDigit(word) && strings.ContainsAny(word, "aeiouy") && !looks[word]
}

// appendWords appends the words of a name in lower case: those that a sign or a
// change of case separates.
func appendWords(words []string, s string) []string {
	start := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '-' || c == '_' || c == '.':
			if i > start {
				words = append(words, strings.ToLower(s[start:i]))
			}
			start = i + 1
		case isUpperAt(s, i) && i > start && !isUpperAt(s, i-1):
			words = append(words, strings.ToLower(s[start:i]))
			start = i
		}
	}
	if start < len(s) {
		words = append(words, strings.ToLower(s[start:]))
	}
	return words
}

func isUpperAt(s string, i int) bool { return 'A' <= s[i] && s[i] <= 'Z' }

// shortNames are words that name something though they are short, or have no
// vowel.
var shortNames = setOf("old new now was sku mpn ean upc gtin isbn asin msrp rrp tag age day url job vat vin fee tax bio faq zip fax lot buy bid uvp qty pct sum kcal sqft mls mfr")

// looks are words in classes that say how something looks or where it stands.
var looks = setOf("col cols column columns row rows grid flex inline block box boxes container wrapper wrap inner outer content contents " +
	"left right center centre top bottom middle start end text txt font bold italic small large medium big tiny huge size mobile desktop tablet " +
	"hidden hide show visible active selected open close closed disabled enabled first last odd even item items list lists card cards tile " +
	"btn button buttons link links icon icons img image images ico svg media body head header footer main section sections area panel pane " +
	"module component block element widget layout style styles theme color colour primary secondary default base view views holder element " +
	"margin padding width height full half auto fixed sticky static relative absolute float clear clearfix pull push align justify wrap " +
	"dark light white black red green blue grey gray bg fade slide slider swiper carousel owl slick js css has is no not the and for with " +
	"span div para paragraph line lines sep separator divider hover focus group groups unit page site web app ui cmp elementor " +
	"field fields value values label labels form input control controls wp entry post node screen reader only sr visually accessible aria " +
	"data row field tooltip tab tabs toggle dropdown menu nav navbar modal display typography root sc css mui chakra ant bootstrap " +
	"uppercase lowercase capitalize truncate leading tracking underline attr attribute attributes spec specs solid dashed fullwidth clamp prose whitespace gradient inherit accent foreground background ring extrabold tight colors putty " +
	"words between reverse scroll scroller scrollable trigger overlay avatar minor figure ellipsis loading lazy loaded spacer undefined null true false border rounded shadow opacity cursor pointer transition overflow " +
	"space gap order basis grow shrink self place min max none normal semibold thin extra muted lead weight new-line nowrap break target")
