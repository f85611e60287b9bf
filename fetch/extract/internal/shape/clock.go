package shape

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// saysTimeOnly reports whether a property of an event asks by its name for a time
// of day, and not for the day: startTime.
func saysTimeOnly(p *prop) bool {
	if !p.is("startDate", "endDate") {
		return false
	}
	words := names.Words(p.name)
	if len(words) == 0 {
		return false
	}
	if last := words[len(words)-1]; last != "time" && last != "starttime" && last != "endtime" {
		return false
	}
	about := strings.ToLower(p.about)
	return !strings.Contains(about, "date") && !strings.Contains(about, "8601") && (len(words) < 2 || words[len(words)-2] != "date")
}

// clocks returns the time of day of a value, of a length of time that end of it
// which is asked for; none of one that is only a day. What looks like a time and
// cannot be read stays as it is.
func (sh *shaper) clocks(p *prop, val graph.Value) []string {
	if m, ok := sh.moment(val); ok {
		return textIf(m.Time(), m.Clock != "")
	}
	if found := both(val, mention.ParseClock); found != nil {
		return found
	}
	text := strings.TrimSpace(val.Text)
	if len(text) > maxSaid || !likeClock().MatchString(text) {
		return nil
	}
	if ends := betweenClocks().Split(text, 3); len(ends) == 2 {
		end := ends[0]
		if p.is("endDate") {
			end = ends[1]
		}
		if clock, ok := mention.ParseClock(end); ok {
			return []string{clock}
		}
	}
	return plainTexts(val)
}

var (
	likeClock     = lexicon.Pattern(`(?i)\d[:.h]\d\d|\d\s?[ap]\.?m\b`)
	betweenClocks = lexicon.Pattern(`\s*[-–—]\s*|\s(?:to|bis|until|à|a|tot)\s`)
)
