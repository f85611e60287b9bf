package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// betweenDates is where one date of a line ends and another begins, and
// zoneLetters the letters of a zone, of which there are several of a name: the
// time of day before them says nothing to someone elsewhere.
var (
	betweenDates = lexicon.Pattern(`\.\s+|\s*[|·•;]\s*|\s+[–—-]\s+|\s*\(|\)|,?\s+(?:and|und|et|y|e)\s+|,\s+`)
	beforeUpdate = lexicon.Pattern(`(?i)\s+((?:last )?(?:updated|modified|edited|revised|aktualisiert|geändert|mise? à jour|actualizado|aggiornato|bijgewerkt|atualizado)\b)`)
	zoneLetters  = lexicon.Pattern(`\s*\(?\b(?:[A-Z]{1,4}S?T|[A-Z]{1,3}DT|MEZ|MESZ)\)?\.?$`)
	postedBy     = lexicon.Pattern(`(?i)\s+(?:by|von|par|por|door)\s+\p{Lu}.*$`)
	shortMonth   = lexicon.Pattern(`(?i)\b(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|janv|févr?|juil|déc|okt|dez|ene|abr|ago|dic)\.\s+(\d)`)
	opensDate    = lexicon.Pattern(`(?i)^(?:(?:last |first )?(?:updated|modified|edited|revised|published|posted|reviewed)|(?:zuletzt )?(?:aktualisiert|geändert|bearbeitet)|mise? à jour|dernière (?:mise à jour|modification)|última (?:actualización|modificación|atualização)|ultim[oa] (?:aggiornamento|modifica)|laatst (?:bijgewerkt|gewijzigd))\s*(?:on|at|am|le|el|il|op|em)?\s*:?\s+`)
)

// updateIn returns the date on which something was changed, as a line tells it, or "".
func updateIn(text, language string) string {
	if len(text) > maxOpeningText || !hasYear(text) {
		return ""
	}
	text = beforeUpdate().ReplaceAllString(text, " | $1")
	text = shortMonth().ReplaceAllString(text, "$1 $2")
	for clause := range strings.SplitSeq(text, "|") {
		if at := dateIn(clause, language); at != "" && mention.SaysUpdated(clause) {
			return at
		}
	}
	return ""
}

// dateIn returns the first date of a text without others, as it can be read.
func dateIn(text, language string) string {
	text = strings.TrimSpace(postedBy().ReplaceAllString(text, ""))
	text = opensDate().ReplaceAllString(text, "")
	for range 4 { // of the pieces, the longest run that is a date
		places := append(betweenDates().FindAllStringIndex(text, 8), []int{len(text), len(text)})
		for _, place := range slices.Backward(places) {
			s := strings.Trim(zoneLetters().ReplaceAllString(strings.TrimSpace(text[:place[0]]), ""), " ,:")
			if !strings.HasSuffix(s, ".m.") {
				s = strings.Trim(s, ".")
			}
			if s != "" {
				if _, ok := mention.ParseMoment(s, language); ok {
					return s
				}
			}
		}
		text = strings.TrimSpace(text[places[0][1]:])
	}
	return ""
}

// hours are those from when to when something takes place.
var hours = lexicon.Pattern(`(?i)^[^\d]{0,12}\d{1,2}(?:[:.h]\d{2})?\s*(?:am|pm|uhr|h)?\s*(?:[–—-]|to|until|bis|à|a)\s*\d{1,2}(?:[:.h]\d{2}|\s*(?:am|pm|uhr|h)\b)`)

// toDate stands between the first and the last day of a stretch of time.
var toDate = lexicon.Pattern(`(?i)^\s*(?:[–—-]|to|until|through|bis|au|al|a|tot|t/m|até)\s+`)

// isOtherLabel reports whether the words before a date are those for one of
// something else, or a label that is not one of a date of the page.
func isOtherLabel(before string) bool {
	if mention.SaysOther(before) {
		return true
	}
	label, isLabel := strings.CutSuffix(strings.TrimSpace(before), ":")
	if !isLabel || mention.SaysPublished(label) || mention.SaysUpdated(label) {
		return false
	}
	words := strings.Fields(strings.ToLower(mention.AfterLast(label, "|·•.")))
	return !slices.ContainsFunc(words, func(word string) bool { return isOf("dateLabel", word) })
}

// update notes when the page was changed, where it says so anywhere, as
// documentation does below its text: "Last updated on 4 March 2024".
func (h *head) update(n *html.Node) {
	if !tree.Is(n, atom.P, atom.Div, atom.Span, atom.Small, atom.Em, atom.I, atom.Footer, atom.Li) {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.TextNode || len(c.Data) > maxOpeningText || !mention.SaysUpdated(c.Data) {
			continue
		}
		m := lastUpdate().FindStringSubmatch(page.Collapse(c.Data))
		if m == nil || h.isBeside(n, true) {
			continue
		}
		modified := updateIn(m[1], h.page.Language)
		if at := tree.NextElement(c); modified == "" && at != nil {
			if modified = tree.AttrOr(at, "datetime"); modified == "" && at.FirstChild != nil {
				modified = tree.AttrOr(at.FirstChild, "datetime")
			}
		}
		note(h.shown, "updated", modified, n)
		return
	}
}

// lastUpdate opens what tells when a page was changed.
var lastUpdate = lexicon.Pattern(`(?i)(?:^|\. )((?:(?:this )?(?:page|article) (?:was |has been )?)?(?:last (?:updated|modified|edited)|zuletzt (?:aktualisiert|geändert)|dernière (?:mise à jour|modification)|última (?:actualización|modificación|atualização)|ultim[oa] (?:aggiornamento|modifica)|laatst (?:bijgewerkt|gewijzigd)).*)$`)

// said is what words say of a date.
type said uint8

const (
	unsaid said = iota
	saidPublished
	saidUpdated
	// saidOther is a date that is not the page's: of an event, of a birth.
	saidOther
)

// saidOf returns what a text says of the date behind it.
func saidOf(text string) said {
	switch {
	case mention.SaysPublished(text):
		return saidPublished
	case mention.SaysUpdated(text):
		return saidUpdated
	case mention.SaysOther(text) || strings.HasSuffix(strings.TrimSpace(text), ":") && isOtherLabel(text):
		return saidOther
	}
	return unsaid
}

// saidBefore returns what the words before a date say of it, or its class. The
// nearest words count.
func (h *head) saidBefore(n *html.Node) said {
	if class := tree.AttrOr(n, "class"); len(class) < maxByline && mention.SaysUpdated(class) && !mention.SaysPublished(class) {
		return saidUpdated
	}
	for a, levels := n, 0; a != nil && levels < 3; a, levels = a.Parent, levels+1 {
		h.page.Meter.Step(1)
		for s, near := a.PrevSibling, 0; s != nil && near < 3; s, near = s.PrevSibling, near+1 {
			text := s
			if s.Type == html.ElementNode {
				text = s.FirstChild
			}
			if text == nil || text.Type != html.TextNode || len(text.Data) >= maxByline {
				continue
			}
			if what := saidOf(page.Collapse(text.Data)); what != unsaid {
				return what
			}
		}
	}
	return unsaid
}
