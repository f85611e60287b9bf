package shape

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/names"
	"github.com/drover-go/drover/fetch/extract/internal/value"
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

// clocks returns the time of day of a value; none of one that is only a day.
func (sh *shaper) clocks(val graph.Value) []string {
	if m, ok := sh.moment(val); ok {
		return textIf(m.Time(), m.Clock != "")
	}
	return both(val, value.ParseClock)
}
