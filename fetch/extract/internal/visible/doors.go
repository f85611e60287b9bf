package visible

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// clockWords is a time of day as people write it.
const clockWords = `(\d{1,2}[:.h]\d{2}\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h)?|\d{1,2}\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h))`

// doorsText is when the doors of an evening open, and when it begins.
var doorsText = lexicon.Pattern(`(?i)^(?:doors?|einlass|portes|puertas|apertura porte|deuren)(?:\s+open|\s+opens)?(?:\s+(?:at|from|ab|um|à|a las|alle|om))?\s*:?\s*` + clockWords +
	`(?:\s*(?:[,;/|·–—-]|and|und|et|y|e)\s*(?:the\s+)?(?:show|start|concert|music|performance|event|beginn|konzert|spectacle|concierto|inizio|aanvang|curtain|film)(?:s|\s+starts|\s+begins|\s+up)?(?:\s+(?:at|from|um|à|a las|alle|om))?\s*:?\s*` + clockWords + `)?\.?$`)

// doors reads a line that says when doors open, and takes the time of the show
// for that of the day above.
func (r *reader) doors(at int, s string) {
	l := &r.lines[at]
	if len(s) > maxPattern || !hasDigit(s) || strings.IndexByte("depa", s[0]|0x20) < 0 {
		return
	}
	m := doorsText().FindStringSubmatch(s)
	if m == nil {
		return
	}
	r.addLabelled(l.first, "doors", m[1])
	if m[2] == "" {
		return
	}
	part := r.nodes[l.first].part
	v := r.textValue(m[2], graph.Label, r.elementOf(l.first))
	r.clocks = append(r.clocks, toldClock{part, v})
	if before := r.lines[max(at-1, 0)]; len(r.days) == 0 && at > 0 && r.areNear(before.first, l.first) {
		text := r.text[before.from:before.to]
		if day, ok := mention.ParseMoment(cut(text, maxPattern), r.lang); ok && day.Clock == "" {
			r.days = append(r.days, told{part, day, r.textValue(text, graph.Label, r.elementOf(before.first))})
		}
	}
}
