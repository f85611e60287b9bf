package visible

import (
	"strings"
	"unicode"

	"github.com/drover-go/drover/internal/lexicon"
)

// Days of the week, as hours of opening name them.
const dayWord = `(?:mon(?:day)?s?|tues?(?:day)?s?|wed(?:nesday)?s?|thu(?:rs?|rsday)?s?|fri(?:day)?s?|sat(?:urday)?s?|sun(?:day)?s?|weekdays?|weekends?|daily|every day|public holidays?|mo(?:ntag)?|di(?:enstag)?|mi(?:ttwoch)?|do(?:nnerstag)?|fr(?:eitag)?|sa(?:mstag)?|so(?:nntag)?|feiertags?|täglich|werktags|lun(?:di|es|edì)?|mar(?:di|tes|tedì)?|mer(?:credi|coledì)?|mié(?:rcoles)?|jeu(?:di)?|jue(?:ves)?|ven(?:dredi|erdì)?|vie(?:rnes)?|sam(?:edi)?|sáb(?:ado)?|sab(?:ato)?|dim(?:anche)?|dom(?:ingo|enica)?|gio(?:vedì)?|ma(?:andag)?|di(?:nsdag)?|wo(?:ensdag)?|donderdag|vrijdag|zaterdag|zondag|segunda|terça|quarta|quinta|sexta|diariamente)`

var (
	daysText  = lexicon.Pattern(`(?i)^` + dayWord + `(?:-feira)?\.?(?:\s?(?:-|–|—|to|bis|&|and|und|,|/|au|à|a|al|t/m|tot|et|y|e|até)\s?` + dayWord + `(?:-feira)?\.?){0,3}\s*:?$`)
	hoursText = lexicon.Pattern(`(?i)^(?:from |von |de )?\d{1,2}(?:[:.h]\d{0,2})?\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h)?\s?(?:-|–|—|to|till|until|bis|à|a|al|tot|às)\s?\d{1,2}(?:[:.h]\d{0,2})?\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h)?(?:\s?(?:,|/|&|and|und|et|y|e|en)\s?\d.{3,30})?$|^(?:closed|geschlossen|ruhetag|fermé|cerrado|chiuso|gesloten|fechado|open 24 hours|24 hours|24h|by appointment|nach vereinbarung|sur rendez-vous)$`)
	dayHours  = lexicon.Pattern(`(?i)^(` + dayWord + `[^0-9:]{0,40}?)\s*:?\s+(\d.*|closed|geschlossen|ruhetag|fermé|cerrado|chiuso|gesloten|fechado|by appointment)$`)
)

// opening reads the hours of a shop: at least two lines, or rows, each of days
// and of hours.
func (r *reader) opening() {
	var found []toldHours
	for i := 0; i < len(r.lines); i++ {
		r.pass(i)
		l := &r.lines[i]
		s := r.text[l.from:l.to]
		if len(s) > maxPattern || r.nodes[l.first].is(isStruck) || !opensDay(s) {
			continue
		}
		if m := hoursOfDay(s); m != nil && daysText().MatchString(strings.TrimSpace(m[1])) && hoursText().MatchString(m[2]) {
			found = append(found, toldHours{l.first, s})
		} else if i+1 < len(r.lines) && !hasDigit(s) && daysText().MatchString(s) {
			if next := &r.lines[i+1]; next.to-next.from <= maxMoney && hoursText().MatchString(r.text[next.from:next.to]) {
				found = append(found, toldHours{l.first, strings.TrimRight(s, " :") + " " + r.text[next.from:next.to]})
				i++
			}
		}
		if len(found) > maxOfAKind {
			break
		}
	}
	if len(found) < 2 || r.has(0, "opening hours") {
		return
	}
	for _, h := range found {
		r.addHours(h)
	}
}

// hoursOfDay returns what the parts of [dayHours] match. The hours begin with
// the first digit, and that these are none is soon seen.
func hoursOfDay(s string) []string {
	if at := strings.IndexAny(s, "0123456789"); at >= 0 && !hoursText().MatchString(s[at:]) {
		return nil
	}
	return dayHours().FindStringSubmatch(s)
}

// opensDay reports whether the first word of a text may be a day of the week:
// most are not, and patterns take their time.
func opensDay(s string) bool {
	end := strings.IndexFunc(s, func(c rune) bool { return !unicode.IsLetter(c) })
	if end < 0 {
		end = len(s)
	}
	return end > 1 && end < 16 && dayLetters[[2]byte{s[0] | 0x20, s[1] | 0x20}] && firstDay().MatchString(s[:end])
}

// dayLetters are the first two bytes of those words, in lower case.
var dayLetters = func() map[[2]byte]bool {
	m := map[[2]byte]bool{}
	for word := range strings.FieldsSeq("every public mo tu we th fr sa su da di mi do so fe tä lu ma me je ju ve vi sá gi wo vr za zo se te qu") {
		m[[2]byte{word[0] | 0x20, word[1] | 0x20}] = true
	}
	return m
}()

var firstDay = lexicon.Pattern(`(?i)^(?:every|public|` + dayWord + `)$`)

// toldHours are days with their hours.
type toldHours struct {
	node int
	text string
}

func (r *reader) addHours(h toldHours) {
	v := r.textValue(h.text, 0, r.elementOf(h.node))
	v.Of = 0
	r.add(0, "opening hours", v)
}
