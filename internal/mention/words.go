package mention

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/drover-go/drover/internal/lexicon"
)

var (
	// terms are the names of other lists, by what pages say for them.
	terms      = lexicon.ByWord(files, "terms")
	answers    = lexicon.ByWord(files, "answers")
	currencies = lexicon.ByWord(files, "currencies")
	decimals   = lexicon.ByWord(files, "decimals")
)

// keyIn looks a text up by its key.
func keyIn(list func() map[string]string, text string) string {
	if len(text) > maxText {
		return ""
	}
	return list()[Key(CutVocabulary(strings.TrimSpace(text)))]
}

// Bool reads yes and no in several languages, and whether a thing can be had.
func Bool(text string) (value, ok bool) {
	said := answerOf(text)
	return said == "yes", said == "yes" || said == "no"
}

// CanBeHad reads whether a thing can be ordered, be it only for later.
func CanBeHad(text string) (value, ok bool) {
	said := answerOf(text)
	if said == "" {
		said = answers()[StockNow(text)]
	}
	return said != "no", said == "yes" || said == "no" || said == "orderable"
}

// answerOf returns the list of answers that a text stands in, or the state that it
// opens with.
func answerOf(text string) string {
	text = strings.TrimSpace(text)
	said := cmp.Or(answers()[strings.TrimSuffix(text, "\ufe0f")], keyIn(answers, text))
	if said != "yes" && said != "no" && len(text) <= maxText {
		state, rest, _ := strings.Cut(strings.Replace(text, "(", ",", 1), ",") // "In stock (12)"
		if strings.TrimSpace(rest) == "" || !isOpen("", rest) {
			said = answers()[keyIn(wholeStates, state)]
		}
		if plain := keyIn(answers, state); said == "" && !HasDigit(text) && (plain == "yes" || plain == "no") { // "No (splashes only)"
			said = plain
		}
	}
	return said
}

// Remote reads whether work is done away from the place of the employer. What is
// both is neither.
func Remote(text string) (value, ok bool) {
	said := keyIn(answers, text)
	return said == "remote", said == "remote" || said == "onsite"
}

// SaysFree reports whether a text says that one pays nothing, and nothing else:
// "Free", "Eintritt frei".
func SaysFree(text string) bool { return keyIn(answers, text) == "free" }

// Member returns which of the members of an enum a text stands for, -1 for none:
// the same word in another case or spelling, or a known word for the same.
func Member(text string, members []string) int {
	text = strings.TrimSpace(text)
	if i := slices.Index(members, text); i >= 0 || len(text) > maxText {
		return i
	}
	for _, keyOf := range []func(string) string{func(s string) string { return Key(CutVocabulary(s)) }, meaning} {
		if key := keyOf(text); key != "" {
			if i := slices.IndexFunc(members, func(m string) bool { return keyOf(m) == key }); i >= 0 {
				return i
			}
		}
	}
	if code, ok := Currency(text); ok {
		return slices.Index(members, code)
	}
	return memberWithin(text, members)
}

// memberWithin returns the only member that the parts of a text stand for by a known word:
// that of "Permanent, full time" or "Full time (40 h)".
func memberWithin(text string, members []string) int {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;|/()", r) })
	found := -1
	if len(parts) == 1 || len(parts) > maxWords {
		return found
	}
	for _, part := range parts {
		if known := keyIn(terms, part); known != "" {
			i := slices.IndexFunc(members, func(m string) bool { return keyIn(terms, m) == known })
			if found >= 0 && i != found {
				return -1
			}
			found = i
		}
	}
	return found
}

// StockNow is [Stock] of a text that says no day on which a thing comes: "In stock from 12 May".
func StockNow(text string) string {
	state := Stock(text)
	if state == "InStock" && HasDigit(text) && stockCounted(strings.Trim(text, " .!:*✓✔●•-–()")) == "" {
		return ""
	}
	return state
}

// meaning returns what a word of a known list stands for, or "".
func meaning(text string) string {
	if a := cmp.Or(keyIn(wholeStates, text), StockNow(text)); a == "SoldOut" {
		return "OutOfStock"
	} else if a != "" {
		return a
	}
	return keyIn(terms, text)
}

// Language returns a language tag as BCP 47 writes it: "en_us" is en-US.
func Language(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if tag, err := language.Parse(text[:min(len(text), maxText)]); err == nil && len(text) > 1 {
		return tag.String(), true
	}
	return "", false
}

// signs are tried in order: longer signs first.
var signs = lexicon.Entries(files, "signs")

// Currency returns the ISO 4217 code of the currency that a text names, by its
// sign or its code; the text may be a price. A plain dollar sign is taken for
// that of the United States, as a plain ¥ for that of Japan.
func Currency(text string) (found string, ok bool) {
	if len(text) > maxText {
		return "", false
	}
	for _, sign := range signs() {
		if slices.ContainsFunc(sign.Words, func(s string) bool { return strings.Contains(text, s) }) {
			return sign.Name, true
		}
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < 'A' || r > 'Z' && r < 'a' || r > 'z' && r < 0x80 }) {
		code := cmp.Or(currencies()[word], currencies()[strings.ToLower(word)])
		if code == "others" {
			code = word
		}
		if code != "" && found != "" && code != found {
			return "", false
		}
		found = max(found, code)
	}
	return found, found != ""
}

// CurrencyIn is [Currency] for a page in a language, a tag such as zh-CN: a plain
// ¥ is the currency of China on a Chinese page.
func CurrencyIn(text, lang string) (string, bool) {
	code, ok := Currency(text)
	if main, _ := regionOf(lang); code == "JPY" && main == "zh" && strings.ContainsAny(text, "¥￥") {
		code = "CNY"
	}
	return code, ok
}

// Minor returns an amount of money, a JSON number, in the smaller unit of its
// currency: 12.99 of euros is 1299. The code may be "".
func Minor(number, currency string) (string, bool) { return shifted(number, "1e", currency) }

// Major is the other way round: 1299 cents are 12.99.
func Major(number, currency string) (string, bool) { return shifted(number, "1e-", currency) }

func shifted(number, factor, currency string) (string, bool) {
	r, ok := plainRat(number)
	if !ok {
		return "", false
	}
	return decimal(r.Mul(r, rat(factor+cmp.Or(decimals()[currency], "2")))), true
}

// plainRat reads a number without an exponent.
func plainRat(number string) (*big.Rat, bool) {
	if len(number) > maxDigits || strings.ContainsAny(number, "eE/") {
		return nil, false
	}
	return new(big.Rat).SetString(number)
}

// unfilled is a place in a template that nothing was put into, or what a program writes for
// what it does not have.
var unfilled = lexicon.Pattern(`^(?:\{\{[^{}]*\}\}|\$\{[^{}]*\}|\[\[[^\[\]]*\]\]|<%.*%>|(?i:null|undefined|nan|n/a|\[object object\]))$`)

// IsUnfilled reports whether a text says no more than that a program had nothing to say:
// "{{ price | currency }}", "undefined", "N/A".
func IsUnfilled(text string) bool {
	return len(text) <= maxText && unfilled().MatchString(strings.TrimSpace(text))
}
