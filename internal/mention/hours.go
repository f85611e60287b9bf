package mention

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
)

// Days of the week, as hours of opening name them, and the hours.
const (
	dayWord   = `(?:mon(?:day)?s?|tues?(?:day)?s?|wed(?:nesday)?s?|thu(?:rs?|rsday)?s?|fri(?:day)?s?|sat(?:urday)?s?|sun(?:day)?s?|weekdays?|weekends?|daily|every day|public holidays?|mo(?:ntag)?|di(?:enstag)?|mi(?:ttwoch)?|do(?:nnerstag)?|fr(?:eitag)?|sa(?:mstag)?|so(?:nntag)?|feiertags?|täglich|werktags|lun(?:di|es|edì)?|mar(?:di|tes|tedì)?|mer(?:credi|coledì)?|mié(?:rcoles)?|jeu(?:di)?|jue(?:ves)?|ven(?:dredi|erdì)?|vie(?:rnes)?|sam(?:edi)?|sáb(?:ado)?|sab(?:ato)?|dim(?:anche)?|dom(?:ingo|enica)?|gio(?:vedì)?|ma(?:andag)?|di(?:nsdag)?|wo(?:ensdag)?|donderdag|vrijdag|zaterdag|zondag|segunda|terça|quarta|quinta|sexta|diariamente)(?:-feira)?\.?`
	dayRange  = dayWord + `(?:\s?(?:-|–|—|to|bis|&|and|und|,|/|au|à|a|al|t/m|tot|et|y|e|até)\s?` + dayWord + `){0,3}`
	hourRange = `(?:(?:from |von |de )?\d{1,2}(?:[:.h]\d{0,2})?\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h)?\s?(?:-|–|—|to|till|until|bis|à|a|al|tot|às)\s?\d{1,2}(?:[:.h]\d{0,2})?\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h)?(?:\s?(?:,|/|&|and|und|et|y|e|en)\s?\d.{3,30})?|closed|geschlossen|ruhetag|fermé|cerrado|chiuso|gesloten|fechado|open 24 hours|24 hours|24h|by appointment|nach vereinbarung|sur rendez-vous)`
)

var (
	onlyDays  = lexicon.Pattern(`(?i)^` + dayRange + `\s*:?$`)
	daysHours = lexicon.Pattern(`(?i)^` + dayRange + `\s*:?\s+` + hourRange + `$`)
	firstDay  = lexicon.Pattern(`(?i)^(?:every|public|` + dayWord + `)$`)
	dayStarts = "mo tu we th fr sa su da di mi do so fe tä lu ma me je ju ve vi sá gi wo vr za zo se te qu ev pu"
)

// maxHours is the length of a text of days and hours at most, in bytes, and
// maxDays that of the names of days.
const (
	maxHours = 120
	maxDays  = 60
)

// OpensDay reports whether the first word of a text may be a day of the week:
// most are not, and patterns take their time.
func OpensDay(s string) bool {
	if len(s) < 2 || len(s) > maxHours {
		return false
	}
	_, first := utf8.DecodeRuneInString(s[1:])
	if !strings.Contains(dayStarts, strings.ToLower(s[:1+first])) {
		return false
	}
	end := strings.IndexFunc(s, func(c rune) bool { return !unicode.IsLetter(c) })
	if end < 0 {
		end = len(s)
	}
	return end < 16 && firstDay().MatchString(s[:end])
}

// IsDays reports whether a text names days of the week and nothing more.
func IsDays(s string) bool { return len(s) <= maxDays && onlyDays().MatchString(s) }

// IsOpening reports whether a text says when something is open: days and hours.
func IsOpening(s string) bool { return len(s) <= maxHours+maxDays && daysHours().MatchString(s) }
