package extract

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/visible"
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
	submittedBy  = lexicon.Pattern(`(?i)^(?:submitted|posted|published|written|added) by .{3,60}? on\s+`)
)

// datesIn returns the dates that a line tells: when something was published, and
// when it was changed. ok is false where there is none.
func datesIn(text, language string) (published, modified string, ok bool) {
	if len(text) > maxOpeningText || !strings.ContainsAny(text, "0123456789") {
		return "", "", false
	}
	text = beforeUpdate().ReplaceAllString(text, " | $1")
	text = submittedBy().ReplaceAllString(text, "")
	text = shortMonth().ReplaceAllString(text, "$1 $2")
	updated := false
	for clause := range strings.SplitSeq(text, "|") {
		updated = isUpdated(clause)
		at := dateIn(clause, language)
		switch {
		case at == "" || !updated && isOtherDate(clause, at, language):
		case updated && modified == "":
			modified = at
		case !updated && published == "":
			published = at
		}
	}
	return published, modified, published+modified != ""
}

// dateIn returns the first date of a text without others, as it can be read.
func dateIn(text, language string) string {
	text = strings.TrimSpace(postedBy().ReplaceAllString(text, ""))
	text = opensDate().ReplaceAllString(text, "")
	for at := 0; at < 4 && text != ""; at++ {
		if s := withoutZone(text); s != "" {
			if _, ok := mention.ParseMoment(s, language); ok {
				return s
			}
		}
		// of the pieces, the longest run that is a date
		places := betweenDates().FindAllStringIndex(text, 8)
		for k := len(places) - 1; k >= 0; k-- {
			if s := withoutZone(strings.TrimSpace(text[:places[k][0]])); s != "" {
				if _, ok := mention.ParseMoment(s, language); ok {
					return s
				}
			}
		}
		if len(places) == 0 {
			return ""
		}
		text = strings.TrimSpace(text[places[0][1]:])
	}
	return ""
}

func withoutZone(s string) string {
	s = zoneLetters().ReplaceAllString(s, "")
	if label, rest, ok := strings.Cut(s, ":"); ok && len(label) < 40 && !strings.ContainsAny(label, "0123456789") {
		s = strings.TrimSpace(rest)
	}
	s = strings.Trim(s, " .,")
	if strings.HasSuffix(s, "a.m") || strings.HasSuffix(s, "p.m") {
		s += "."
	}
	return s
}

// isOtherDate reports whether a date in a text is that of something else than
// the page: the words before it say so, a label that says nothing of a page does,
// or it begins a stretch of time, or has one behind it.
func isOtherDate(text, date, language string) bool {
	before, behind, ok := strings.Cut(text, date)
	if !ok {
		return false
	}
	if first := strings.IndexAny(date, "0123456789"); first > 0 {
		before += date[:first]
	}
	if isOtherLabel(before) || hours().MatchString(behind) {
		return true
	}
	m := toDate().FindString(behind)
	return m != "" && dateIn(behind[len(m):], language) != ""
}

// hours are those from when to when something takes place.
var hours = lexicon.Pattern(`(?i)^[^\d]{0,12}\d{1,2}(?:[:.h]\d{2})?\s*(?:am|pm|uhr|h)?\s*(?:[–—-]|to|until|bis|à|a)\s*\d{1,2}(?:[:.h]\d{2}|\s*(?:am|pm|uhr|h)\b)`)

// toDate stands between the first and the last day of a stretch of time.
var toDate = lexicon.Pattern(`(?i)^\s*(?:[–—-]|to|until|through|bis|au|al|a|tot|t/m|até)\s+`)

// isOtherLabel reports whether the words before a date are those for one of
// something else, or a label that is not one of a date of the page.
func isOtherLabel(before string) bool {
	if visible.OtherDate(before) {
		return true
	}
	label, isLabel := strings.CutSuffix(strings.TrimSpace(before), ":")
	if !isLabel || visible.PublishedDate(label) || isUpdated(label) {
		return false
	}
	label = strings.ToLower(mention.AfterLast(label, "|·•."))
	for word := range strings.FieldsSeq(label) {
		if dateLabels[word] {
			return false
		}
	}
	return true
}

// dateLabels are labels of dates that may be the page's.
var dateLabels = setOf("date datum fecha data dato dated on added news article post blog artikel article artículo articolo online stand by von par por")
