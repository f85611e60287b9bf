package mention

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"sync"

	"github.com/drover-go/drover/internal/lexicon"
)

// Duration returns how many seconds a text says: ISO 8601 ("PT1H20M"), or as
// people write it ("1 h 20 min", "1 Std. 20 Min."). Years and months have no
// length and are none.
func Duration(text string) (seconds float64, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxText {
		return 0, false
	}
	iso := strings.ToUpper(strings.ReplaceAll(text, " ", ""))
	if m := isoDuration().FindStringSubmatch(iso); m != nil {
		return isoSeconds(m)
	}
	if m := looseDuration().FindStringSubmatch(iso); m != nil && (strings.Contains(iso, "T") || m[3]+m[5] != "") {
		return isoSeconds(m)
	}
	return spokenSeconds(Fold(plainNumbers(text)))
}

var (
	fraction = lexicon.Pattern(`([0-9]+)?\s*(½|¼|¾|⅓|⅔|\b(?:1/2|1/4|3/4|1/3|2/3)\b)`)
	timeSpan = lexicon.Pattern(`(?i)^([0-9]+(?:[.,][0-9]+)?)\s*(?:-|–|—|to|bis|à|a|tot)\s*[0-9]+(?:[.,][0-9]+)?\s*(\p{L}.*)$`)
	roughly  = lexicon.Pattern(`(?i)^(?:about|around|approx\.?|approximately|ca\.?|circa|etwa|env\.?|environ|unos|~)\s*([0-9])`)
)

var fractions = map[string]float64{"½": 0.5, "1/2": 0.5, "¼": 0.25, "1/4": 0.25, "¾": 0.75, "3/4": 0.75, "⅓": 1.0 / 3, "1/3": 1.0 / 3, "⅔": 2.0 / 3, "2/3": 2.0 / 3}

// plainNumbers writes "1 ½ hours" as 1.5, and leaves of a span of time its
// lower end, as of any range, and what stands in brackets behind out.
func plainNumbers(text string) string {
	if head, note, ok := strings.Cut(text, " ("); ok && strings.HasSuffix(note, ")") {
		text = head
	}
	text = roughly().ReplaceAllString(text, "$1")
	if strings.ContainsAny(text, "/½¼¾⅓⅔") {
		text = fraction().ReplaceAllStringFunc(text, func(s string) string {
			m := fraction().FindStringSubmatch(s)
			whole, _ := strconv.ParseFloat(m[1], 64)
			return strconv.FormatFloat(whole+fractions[m[2]], 'f', 9, 64)
		})
	}
	return timeSpan().ReplaceAllString(text, "$1 $2")
}

var isoDuration = lexicon.Pattern(`^P(?:0+Y)?(?:0+M)?(?:([0-9.,]+)W)?(?:([0-9.,]+)D)?(?:T(?:([0-9.,]+)H)?(?:([0-9.,]+)M)?(?:([0-9.,]+)S)?)?$`)

// looseDuration is what templates make of that form: "PT20 Mins", "P1H", "PT0D4H45M", "PTH30MS". Where
// it has no T, it is minutes only beside hours or seconds: "P30M" is months.
var looseDuration = lexicon.Pattern(`^P(?:0*Y)?(?:0*M)?(?:([0-9.,]*)W(?:EEKS?)?)?T?(?:([0-9.,]*)D(?:AYS?)?)?T?(?:([0-9.,]*)H(?:R|RS|OURS?)?)?(?:([0-9.,]*)M(?:IN|INS|INUTES?)?)?(?:([0-9.,]*)S(?:EC|ECS|ECONDS?)?)?$`)

var isoUnits = [...]float64{7 * 86400, 86400, 3600, 60, 1}

func isoSeconds(m []string) (float64, bool) {
	total, any := 0.0, false
	for i, unit := range isoUnits {
		if m[i+1] == "" {
			continue
		}
		n, err := strconv.ParseFloat(strings.ReplaceAll(m[i+1], ",", "."), 64)
		if err != nil || n > maxSeconds {
			return 0, false
		}
		total, any = total+n*unit, true
	}
	return total, any && total <= maxSeconds
}

// maxSeconds is the longest duration that is believed: a hundred years.
const maxSeconds = 100 * 366 * 86400

var durationPart = lexicon.Pattern(`^([0-9]+(?:[.,][0-9]+)?)\s*([a-z]+)\.?[\s,]*(?:(?:and|und|et|y|e|en)\s+)?`)

// spokenSeconds reads numbers with units, each smaller than the one before. A
// number without unit behind hours is minutes: "1 h 20".
func spokenSeconds(text string) (float64, bool) {
	total, last := 0.0, math.Inf(1)
	for text != "" {
		m := durationPart().FindStringSubmatch(text)
		if m == nil {
			return bareMinutes(text, total, last)
		}
		n, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", "."), 64)
		unit := spokenUnits()[m[2]]
		if err != nil || unit == 0 || unit >= last || n*unit > maxSeconds {
			return 0, false
		}
		total, last, text = total+n*unit, unit, text[len(m[0]):]
	}
	return total, !math.IsInf(last, 1)
}

func bareMinutes(text string, total, last float64) (float64, bool) {
	n, err := strconv.Atoi(text)
	if err != nil || last != 3600 || n < 0 || n > 59 {
		return 0, false
	}
	return total + float64(n)*60, true
}

var spokenUnits = sync.OnceValue(func() map[string]float64 {
	m := map[string]float64{}
	for _, e := range lexicon.Read(files, "durations") {
		for _, w := range e.Words {
			m[w], _ = strconv.ParseFloat(e.Name, 64)
		}
	}
	return m
})

// ISODuration writes seconds as ISO 8601 does: "PT1H20M", to the millisecond.
func ISODuration(seconds float64) string {
	seconds = math.Round(seconds*1000) / 1000
	if seconds <= 0 {
		return "PT0S"
	}
	days := math.Floor(seconds / 86400)
	rest := seconds - days*86400
	hours, rest := math.Floor(rest/3600), math.Mod(rest, 3600)
	minutes, rest := math.Floor(rest/60), math.Mod(rest, 60)
	text := "P" + part(days, "D")
	if hours+minutes+rest > 0 {
		text += "T" + part(hours, "H") + part(minutes, "M") + part(rest, "S")
	}
	return text
}

func part(n float64, unit string) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatFloat(math.Round(n*1000)/1000, 'f', -1, 64) + unit
}

// In returns seconds as a JSON number of a unit that has so many of them, with
// six digits that count where it has no end.
func In(seconds, unit float64) (string, bool) {
	if unit <= 0 || seconds < 0 || seconds > maxSeconds {
		return "", false
	}
	thousandths := new(big.Rat).SetInt64(int64(math.Round(seconds * 1000)))
	return decimal(thousandths.Quo(thousandths, new(big.Rat).SetInt64(int64(math.Round(unit*1000))))), true
}
