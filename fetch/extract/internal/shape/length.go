package shape

import (
	"strings"

	"github.com/drover-go/drover/internal/names"
)

// secondsNamed returns the seconds in the unit of time that a name on the page
// says, 0 if none is: cookTimeMinutes.
func secondsNamed(name string) float64 {
	if s := names.MeasureOf(name).Unit.Seconds(); s != 0 {
		return s
	}
	words := names.Words(name)
	if len(words) < 2 {
		return 0
	}
	return units[words[len(words)-1]]
}

// isLength reports whether a property is a length of time.
func isLength(p *prop) bool {
	return p.is("totalTime", "prepTime", "cookTime", "restTime", "duration", "deliveryTime", "courseWorkload") || unitOf(p) != 0
}

var lengthConcepts = []string{"totalTime", "prepTime", "cookTime", "restTime"}

// isShortTime reports whether a text may be a length of time in words.
func isShortTime(text string) bool {
	return len(text) < 80 && strings.ContainsAny(text, "0123456789½¼¾⅓⅔") && !strings.Contains(text, ". ")
}

// lengthUnit returns the seconds in the unit of a length of time: minutes, where
// nothing is said.
func lengthUnit(p *prop) float64 {
	if u := unitOf(p); u != 0 {
		return u
	}
	return 60
}

// unitOf returns the seconds in the unit of time that a property is said to be
// in, 0 if none is.
func unitOf(p *prop) float64 {
	if s := p.measure.Unit.Seconds(); s != 0 || p.measure.Known() {
		return s
	}
	for _, w := range names.Words(p.name) {
		if u := units[w]; u != 0 {
			return u
		}
	}
	for part := range strings.FieldsSeq(p.about) {
		for _, w := range names.Words(part) {
			if u := units[w]; u != 0 {
				return u
			}
		}
	}
	return 0
}

var units = map[string]float64{
	"seconds": 1, "second": 1, "secs": 1, "sec": 1, "sekunden": 1, "secondes": 1, "segundos": 1, "secondi": 1, "seconden": 1,
	"minutes": 60, "minute": 60, "mins": 60, "minuten": 60, "minutos": 60, "minuti": 60,
	"hours": 3600, "hour": 3600, "hrs": 3600, "stunden": 3600, "heures": 3600, "horas": 3600, "ore": 3600, "uren": 3600,
	"days": 86400, "tage": 86400, "jours": 86400, "dias": 86400, "giorni": 86400, "dagen": 86400,
}
