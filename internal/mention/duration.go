package mention

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// Duration returns how many seconds a text says: ISO 8601 ("PT1H20M"), or as
// people write it ("1 h 20 min", "1 Std. 20 Min.", "1:20:05"). Years and months have no
// length and are none.
func Duration(text string) (seconds float64, ok bool) {
	if text = strings.TrimSpace(text); text == "" || len(text) > maxText {
		return 0, false
	}
	iso := strings.ToUpper(strings.ReplaceAll(text, " ", ""))
	if m := isoDuration().FindStringSubmatch(iso); m != nil && (strings.Contains(iso, "T") || m[1]+m[2]+m[3]+m[5] != "") {
		text = ""
		for i, n := range m[1:] {
			if n != "" {
				text += n + "wdhms"[i:i+1]
			}
		}
		return spokenSeconds(text)
	}
	if m := clockDuration().FindStringSubmatch(text); m != nil {
		text = m[1] + "h" + m[2] + "m" + m[3] + "s"
	}
	return spokenSeconds(Fold(lowerEnd(text)))
}

// clockDuration is hours, minutes and seconds. Of two numbers it is not said which they are.
var clockDuration = lexicon.Pattern(`^(\d{1,3}):([0-5]\d):([0-5]\d)$`)

// isoDuration is ISO 8601, and what templates make of it: "PT20 Mins", "P1H", "PT0D4H45M", "PTH30MS". Where
// it has no T, it is minutes only beside others: "P30M" is months.
var isoDuration = lexicon.Pattern(`^P(?:0*Y)?(?:0*M)?(?:([0-9.,]*)W(?:EEKS?)?)?T?(?:([0-9.,]*)D(?:AYS?)?)?T?(?:([0-9.,]*)H(?:R|RS|OURS?)?)?(?:([0-9.,]*)M(?:IN|INS|INUTES?)?)?(?:([0-9.,]*)S(?:EC|ECS|ECONDS?)?)?$`)

// maxSeconds is the longest duration that is believed: a hundred years.
const maxSeconds = 100 * 366 * 86400

// fewest is a span of time, of which the lower end counts, with what makes it
// less than exact around it.
var fewest = lexicon.Pattern(`(?i)^\s*(?:(?:about|around|approx\.?|approximately|ca\.?|circa|etwa|env\.?|environ|unos|~)\s*)?([0-9]+(?:[.,][0-9]+)?)\s*(?:(?:-|–|—|to|bis|à|a|tot)\s*[0-9]+(?:[.,][0-9]+)?\s*)?(\p{L}.*?)(?: \(.*\))?$`)

// lowerEnd writes "1 ½-2 hours (or more)" as "1.5 hours".
func lowerEnd(text string) string { return fewest().ReplaceAllString(plainFractions(text), "$1 $2") }

var durationPart = lexicon.Pattern(`^([0-9]+(?:[.,][0-9]+)?)\s*(['′]|\pL*)\.?[\s,]*(?:(?:and|und|et|y|e|en|och|og|i|a|ja|ve|и)\s+)?`)

// spokenSeconds reads numbers with units, each smaller than the one before. A
// number without unit behind hours is minutes: "1 h 20".
func spokenSeconds(text string) (float64, bool) {
	total, last := 0.0, math.Inf(1)
	for text != "" {
		m := durationPart().FindStringSubmatch(text)
		if m == nil {
			return 0, false
		}
		n, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", "."), 64)
		unit, _ := strconv.ParseFloat(spokenUnits()[m[2]], 64)
		unit = cmp.Or(unit, NamedUnit(m[2]).Seconds())
		if m[0] == text && m[0] == m[1] && last == 3600 && n < 60 {
			unit = 60
		}
		if err != nil || unit == 0 || unit >= last || n*unit > maxSeconds {
			return 0, false
		}
		total, last, text = total+n*unit, unit, text[len(m[0]):]
	}
	return total, !math.IsInf(last, 1)
}

// spokenUnits are the seconds of units by words that only mean them behind numbers
// of a length of time: "m" is also a metre.
var spokenUnits = lexicon.ByWord(files, "durations")

// ISODuration writes seconds as ISO 8601 does: "PT1H20M", to the millisecond.
func ISODuration(seconds float64) string {
	text, left := "P", math.Round(seconds*1000)
	for i, unit := range []float64{86400e3, 3600e3, 60e3, 1e3} {
		n := left / unit
		if unit > 1e3 {
			n = math.Floor(n)
		}
		if left -= n * unit; n == 0 {
			continue
		}
		if i > 0 && !strings.Contains(text, "T") {
			text += "T"
		}
		text += strconv.FormatFloat(n, 'f', -1, 64) + "DHMS"[i:i+1]
	}
	if text == "P" {
		return "PT0S"
	}
	return text
}

// In returns seconds as a JSON number of a unit that has so many of them, with
// six digits that count where it has no end.
func In(seconds, unit float64) (string, bool) {
	if unit <= 0 || seconds < 0 || seconds > maxSeconds {
		return "", false
	}
	return decimal(big.NewRat(int64(math.Round(seconds*1000)), int64(math.Round(unit*1000)))), true
}
