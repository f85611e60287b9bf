package visible

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/value"
)

// How people and firms write where they can be reached: "Tel. 020 7946 0000",
// "E: ann@example.com".
var (
	phoneText = regexp.MustCompile(`(?i)^(?:tel(?:ephone|efon|éphone|éfono|efono|efoon|efone)?|t|p|m|ph|phone|mob(?:ile|il)?|handy|call|call us|fon)\b\s*[.:]*\s*(\+?\(?\d[\d ()./\x{A0}–-]{5,24}\d)(?:\s*(?:ext|x|durchwahl)\.?\s*\d{1,5})?$`)
	mailText  = regexp.MustCompile(`(?i)^(?:(?:e|e-?mail|mail|correo|courriel)\s*[.:]?\s*)?([a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,100}\.[a-z]{2,20})$`)
)

// contacts reads telephone numbers and addresses of mail that stand as they are.
func (r *reader) contacts() {
	for i := range r.lines {
		r.Meter.Step(1)
		l := &r.lines[i]
		if l.to-l.from > 2*maxPattern || r.nodes[l.first].is(inTable) {
			continue
		}
		for s := range segments(r.text[l.from:l.to]) {
			if len(s) > maxPattern {
				continue
			}
			if digits := countDigits(s); digits >= 7 && digits <= 20 && phoneText.MatchString(s) {
				m := phoneText.FindStringSubmatch(s)
				r.addLabelled(l.first, "telephone", m[1])
			} else if !strings.Contains(s, "@") {
				continue
			} else if m := mailText.FindStringSubmatch(s); m != nil {
				if mail, ok := value.Email(m[1]); ok {
					r.addLabelled(l.first, "email", mail)
				}
			}
		}
	}
}

func countDigits(s string) (n int) {
	for _, c := range s {
		if '0' <= c && c <= '9' {
			n++
		}
	}
	return n
}

// Days of the week, as hours of opening name them.
const dayWord = `(?:mon(?:day)?s?|tues?(?:day)?s?|wed(?:nesday)?s?|thu(?:rs?|rsday)?s?|fri(?:day)?s?|sat(?:urday)?s?|sun(?:day)?s?|weekdays?|weekends?|daily|every day|public holidays?|mo(?:ntag)?|di(?:enstag)?|mi(?:ttwoch)?|do(?:nnerstag)?|fr(?:eitag)?|sa(?:mstag)?|so(?:nntag)?|feiertags?|täglich|werktags|lun(?:di|es|edì)?|mar(?:di|tes|tedì)?|mer(?:credi|coledì)?|mié(?:rcoles)?|jeu(?:di)?|jue(?:ves)?|ven(?:dredi|erdì)?|vie(?:rnes)?|sam(?:edi)?|sáb(?:ado)?|sab(?:ato)?|dim(?:anche)?|dom(?:ingo|enica)?|gio(?:vedì)?|ma(?:andag)?|di(?:nsdag)?|wo(?:ensdag)?|donderdag|vrijdag|zaterdag|zondag|segunda|terça|quarta|quinta|sexta|diariamente)`

var (
	daysText  = regexp.MustCompile(`(?i)^` + dayWord + `(?:-feira)?\.?(?:\s?(?:-|–|—|to|bis|&|and|und|,|/|au|à|a|al|t/m|tot|et|y|e|até)\s?` + dayWord + `(?:-feira)?\.?){0,3}\s*:?$`)
	hoursText = regexp.MustCompile(`(?i)^(?:from |von |de )?\d{1,2}(?:[:.h]\d{0,2})?\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h)?\s?(?:-|–|—|to|till|until|bis|à|a|al|tot|às)\s?\d{1,2}(?:[:.h]\d{0,2})?\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h)?(?:\s?(?:,|/|&|and|und|et|y|e|en)\s?\d.{3,30})?$|^(?:closed|geschlossen|ruhetag|fermé|cerrado|chiuso|gesloten|fechado|open 24 hours|24 hours|24h|by appointment|nach vereinbarung|sur rendez-vous)$`)
	dayHours  = regexp.MustCompile(`(?i)^(` + dayWord + `[^0-9:]{0,40}?)\s*:?\s+(\d.*|closed|geschlossen|ruhetag|fermé|cerrado|chiuso|gesloten|fechado|by appointment)$`)
)

// opening reads the hours of a shop: at least two lines, or rows, each of days
// and of hours.
func (r *reader) opening() {
	var found []toldHours
	for i := 0; i < len(r.lines); i++ {
		r.Meter.Step(1)
		l := &r.lines[i]
		s := r.text[l.from:l.to]
		if len(s) > maxPattern || r.nodes[l.first].is(isStruck) || !opensDay(s) {
			continue
		}
		if m := dayHours.FindStringSubmatch(s); m != nil && daysText.MatchString(strings.TrimSpace(m[1])) && hoursText.MatchString(m[2]) {
			found = append(found, toldHours{l.first, s})
		} else if i+1 < len(r.lines) && daysText.MatchString(s) {
			if next := &r.lines[i+1]; next.to-next.from <= maxMoney && hoursText.MatchString(r.text[next.from:next.to]) {
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

// opensDay reports whether the first word of a text may be a day of the week:
// most are not, and patterns take their time.
func opensDay(s string) bool {
	end := strings.IndexFunc(s, func(c rune) bool { return !unicode.IsLetter(c) })
	if end < 0 {
		end = len(s)
	}
	return end > 1 && end < 16 && firstDay.MatchString(s[:end])
}

var firstDay = regexp.MustCompile(`(?i)^(?:every|public|` + dayWord + `)$`)

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

// makers reads who makes what a page sells where that stands beside its title:
// "by Acme". On other pages that is who wrote it.
func (r *reader) makers() {
	if r.titleNode < 0 || r.has(0, "brand") || !r.has(0, "price") || !r.sells() {
		return
	}
	at := r.nodes[r.titleNode].lineEnd
	for i := max(0, at-3); i < min(len(r.lines), at+3); i++ {
		l := &r.lines[i]
		n := &r.nodes[l.first]
		if l.to-l.from > maxMoney || n.part != 0 || n.is(isAside|inTable) || r.nodes[r.titleNode].line <= i && i < at {
			continue
		}
		name := afterBy(r.text[l.from:l.to])
		if name == "" || hasDigit(name) || countWords(name) > 3 || !startsUpper(name) {
			continue
		}
		r.addLabelled(l.first, "brand", name)
		return
	}
}

// sells reports whether the page has a button that buys.
func (r *reader) sells() bool {
	for _, v := range r.parts[0].entity.Get("availability") {
		if v.Text == "InStock" && v.Element != nil && (isButton(v.Element) || v.Element.DataAtom == atom.Input) {
			return true
		}
	}
	return false
}
