package visible

import (
	"strings"
	"unicode"
)

// mixed reads a line that opens with a price and goes on with other facts:
// "$15.00 In stock SKU: AB-1", "€12 | In stock | 12 reviews".
func (r *reader) mixed(s string, i int) {
	if !hasDigit(s) || !mayBeAmounts(s) || amountsIn(s) != nil {
		return
	}
	if parts := bylineMarks.Replace(s); strings.Contains(parts, " | ") {
		first, rest, _ := strings.Cut(parts, " | ")
		if amountsIn(first) == nil || !saysState(rest) {
			return
		}
		r.looksLike(first, i)
		for part := range strings.SplitSeq(rest, " | ") {
			r.looksLike(strings.TrimSpace(part), i)
		}
		return
	}
	price, state, label := factsBehind(s)
	if price == "" || r.priceName(i) != "price" {
		return
	}
	r.addAmount(i, "price", price)
	if said := availability(state); said != "" {
		r.addAvailability(i, said, state)
	}
	if name, value := splitLabel(label); name != "" {
		r.addLabelled(i, name, value)
	}
}

// saysState reports whether one of the parts says whether the thing can be had.
func saysState(parts string) bool {
	for part := range strings.SplitSeq(parts, " | ") {
		if availability(strings.TrimSpace(part)) != "" {
			return true
		}
	}
	return false
}

// factsBehind cuts a line into a price, the words for whether the thing can be
// had, and a value with its label. The price is "" where there is more.
func factsBehind(s string) (price, state, label string) {
	at := numberText().FindStringIndex(s)
	if at == nil {
		return "", "", ""
	}
	from, to := withCurrency(s, 0, at, len(s))
	if from < 0 || kindSaid(strings.ToLower(strings.Trim(s[:from], " :")), "") != anyAmount {
		return "", "", ""
	}
	rest := strings.TrimLeft(s[to:], " ,;–—-")
	if colon := strings.Index(rest, ": "); colon > 0 {
		begin := strings.LastIndexByte(rest[:colon], ' ') + 1
		rest, label = strings.TrimSpace(rest[:begin]), rest[begin:]
	}
	if name, _ := splitLabel(label); rest == "" && (name == "" || !hasDigit(label)) || rest != "" && availability(rest) == "" {
		return "", "", ""
	}
	return s[from:to], rest, label
}

// labelledParts yields the parts of a text with a label, where a comma stands
// before the next label: "Weight: 3 kg, Colour: red".
func labelledParts(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		from := 0
		for at := 0; ; {
			comma := strings.Index(s[at:], ", ")
			if comma < 0 {
				break
			}
			comma += at
			at = comma + 2
			if strings.IndexByte(s[from:comma], ':') > 0 && opensLabel(s[at:]) {
				if !yield(s[from:comma]) {
					return
				}
				from = at
			}
		}
		yield(s[from:])
	}
}

// opensLabel reports whether a text begins with up to three words, the first of
// them in a capital letter, and a colon.
func opensLabel(s string) bool {
	colon := strings.Index(cut(s, 30), ": ")
	if colon <= 0 || !startsUpper(s) || countWords(s[:colon]) > 3 {
		return false
	}
	return !strings.ContainsFunc(s[:colon], func(c rune) bool { return !unicode.IsLetter(c) && c != ' ' && c != '-' })
}
