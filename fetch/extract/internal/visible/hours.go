package visible

import (
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// Days of the week, as hours of opening name them, and the hours.
const (
	dayWord   = `(?:mon(?:day)?s?|tues?(?:day)?s?|wed(?:nesday)?s?|thu(?:rs?|rsday)?s?|fri(?:day)?s?|sat(?:urday)?s?|sun(?:day)?s?|weekdays?|weekends?|daily|every day|public holidays?|mo(?:ntag)?|di(?:enstag)?|mi(?:ttwoch)?|do(?:nnerstag)?|fr(?:eitag)?|sa(?:mstag)?|so(?:nntag)?|feiertags?|täglich|werktags|lun(?:di|es|edì)?|mar(?:di|tes|tedì)?|mer(?:credi|coledì)?|mié(?:rcoles)?|jeu(?:di)?|jue(?:ves)?|ven(?:dredi|erdì)?|vie(?:rnes)?|sam(?:edi)?|sáb(?:ado)?|sab(?:ato)?|dim(?:anche)?|dom(?:ingo|enica)?|gio(?:vedì)?|ma(?:andag)?|di(?:nsdag)?|wo(?:ensdag)?|donderdag|vrijdag|zaterdag|zondag|segunda|terça|quarta|quinta|sexta|diariamente)(?:-feira)?\.?`
	dayRange  = dayWord + `(?:\s?(?:-|–|—|to|bis|&|and|und|,|/|au|à|a|al|t/m|tot|et|y|e|até)\s?` + dayWord + `){0,3}`
	hourRange = `(?:(?:from |von |de )?\d{1,2}(?:[:.h]\d{0,2})?\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h)?\s?(?:-|–|—|to|till|until|bis|à|a|al|tot|às)\s?\d{1,2}(?:[:.h]\d{0,2})?\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h)?(?:\s?(?:,|/|&|and|und|et|y|e|en)\s?\d.{3,30})?|closed|geschlossen|ruhetag|fermé|cerrado|chiuso|gesloten|fechado|open 24 hours|24 hours|24h|by appointment|nach vereinbarung|sur rendez-vous)`
)

var (
	dayText   = lexicon.Pattern(`(?i)^` + dayRange + `\s*:?$`)
	dayHours  = lexicon.Pattern(`(?i)^` + dayRange + `\s*:?\s+` + hourRange + `$`)
	dayStarts = "mo tu we th fr sa su da di mi do so fe tä lu ma me je ju ve vi sá gi wo vr za zo se te qu ev pu"
)

// opening reads the hours of a shop: at least two lines, or rows, each of days
// and of hours.
func (r *reader) opening() {
	var nodes []int
	var found []string
	for i := 0; i < len(r.lines) && len(found) <= maxOfAKind; i++ {
		r.pass(i)
		l := &r.lines[i]
		s := r.text[l.from:l.to]
		if len(s) < 2 || len(s) > maxPattern || r.nodes[l.first].is(isStruck) || !strings.Contains(dayStarts, strings.ToLower(cut(s, 2+int(s[1]>>7)))) {
			continue
		}
		if i+1 < len(r.lines) && !hasDigit(s) && dayText().MatchString(s) { // the hours are on the next line
			if next := &r.lines[i+1]; next.to-next.from <= maxMoney {
				s = strings.TrimRight(s, " :") + " " + r.text[next.from:next.to]
			}
		}
		if dayHours().MatchString(s) {
			nodes, found = append(nodes, l.first), append(found, s)
		}
	}
	if len(found) < 2 || r.has(0, "opening hours") {
		return
	}
	for k, s := range found {
		r.add(0, "opening hours", r.textValue(s, 0, r.elementOf(nodes[k])))
	}
}
