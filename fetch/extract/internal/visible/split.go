package visible

import "strings"

// maxApart is how many nodes apart the pieces of an amount stand.
const maxApart = 4

// amountAt returns the amount of money of which a text is the number and the
// text beside it, in an element of its own, the currency; "" where it is none,
// or where more digits stand beside it: cents in smaller letters.
func (r *reader) amountAt(i int) string {
	n := &r.nodes[i]
	number := r.text[n.from:n.to]
	if len(number) > maxMoney/2 || strings.Trim(number, "0123456789.,' \u00A0") != "" || !hasDigit(number) {
		return ""
	}
	before, after := r.textBeside(i, -1), r.textBeside(i, 1)
	from, to := n.from, n.to
	if after >= 0 {
		to = r.nodes[after].to
	}
	if before >= 0 {
		from = r.nodes[before].from
	}
	switch {
	case after >= 0 && !endsInDigit(r.text[:n.from]) && isMoney(r.text[n.from:to]):
		return r.text[n.from:to]
	case before >= 0 && (after < 0 || !startsWithDigit(r.textOf(after))) && isMoney(r.text[from:n.to]):
		return r.text[from:n.to]
	}
	return ""
}

// textBeside returns the next text of the same line in a direction, or -1.
func (r *reader) textBeside(i, step int) int {
	for at, n := i+step, 0; at >= 0 && at < len(r.nodes) && n < maxApart; at, n = at+step, n+1 {
		if b := &r.nodes[at]; b.is(isText) {
			if b.line == r.nodes[i].line && b.is(isStruck) == r.nodes[i].is(isStruck) {
				return at
			}
			return -1
		}
	}
	return -1
}

func startsWithDigit(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }

func endsInDigit(s string) bool {
	s = strings.TrimRight(s, " .,")
	return s != "" && '0' <= s[len(s)-1] && s[len(s)-1] <= '9'
}
