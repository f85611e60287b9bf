package visible

import (
	"strings"

	"github.com/drover-go/drover/internal/mention"
)

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
	before := strings.TrimRight(r.text[r.lines[n.line].from:n.from], " .,")
	if next := r.textBeside(i, 1); next >= 0 {
		if !hasDigit(before[max(0, len(before)-1):]) && mention.IsMoney(r.text[n.from:r.nodes[next].to]) {
			return r.text[n.from:r.nodes[next].to]
		}
		if hasDigit(r.text[r.nodes[next].from : r.nodes[next].from+1]) {
			return ""
		}
	}
	if last := r.textBeside(i, -1); last >= 0 && mention.IsMoney(r.text[r.nodes[last].from:n.to]) {
		return r.text[r.nodes[last].from:n.to]
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
