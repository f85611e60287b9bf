package mention

import "strings"

func isGroupSpace(r rune) bool {
	return r == ' ' || r == '\u00a0' || r == '\u202f' || r == '\u2009'
}

// isGroup reports whether text begins with just three digits.
func isGroup(text string) bool {
	return len(text) >= 3 && isDigit(text[0]) && isDigit(text[1]) && isDigit(text[2]) && (len(text) == 3 || !isDigit(text[3]))
}

// plainDigits takes the separators out of a number.
func plainDigits(text, lang string, money bool) (string, bool) {
	text = strings.Map(func(r rune) rune {
		if isGroupSpace(r) || r == '\'' || r == '’' {
			return -1
		}
		return r
	}, text)
	point := decimalMark(text, lang, money)
	whole, fraction := text, ""
	if point >= 0 {
		whole, fraction = text[:point], text[point+1:]
	}
	if !areGroups(whole) || strings.ContainsAny(fraction, ".,") {
		return "", false
	}
	whole = strings.NewReplacer(".", "", ",", "").Replace(whole)
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return whole, true
}

// decimalMark returns where the decimals of a number begin, -1 if it has none.
func decimalMark(text, lang string, money bool) int {
	last := strings.LastIndexAny(text, ".,")
	switch {
	case last < 0:
		return -1
	case strings.IndexAny(text, ".,") < last:
		if strings.Count(text, text[last:last+1]) > 1 {
			return -1 // 1.234.567
		}
		return last
	case len(text)-last-1 != 3 || last > 3 || text[0] == '0':
		return last
	case money || (text[last] == ',') != usesComma(lang):
		return -1
	}
	return last
}

// areGroups reports whether every separator in a whole number is followed by
// three digits, or by two as in India.
func areGroups(whole string) bool {
	parts := strings.FieldsFunc(whole, func(r rune) bool { return r == '.' || r == ',' })
	for i, p := range parts {
		last := i == len(parts)-1
		if i > 0 && len(p) != 3 && (last || len(p) != 2) {
			return false
		}
	}
	return true
}

// usesComma reports whether decimals are set off by a comma in a language.
func usesComma(lang string) bool {
	main, region, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(lang, "_", "-")), "-")
	if region == "ch" || region == "mx" && main == "es" {
		return false
	}
	return commaLanguages[main]
}

var commaLanguages = setOf("de", "fr", "es", "it", "pt", "nl", "da", "sv", "no", "nb", "nn", "fi", "pl", "cs", "sk", "hu", "ro",
	"bg", "hr", "sl", "sr", "el", "tr", "ru", "uk", "id", "vi", "et", "lv", "lt", "is", "ca", "eu", "gl")
