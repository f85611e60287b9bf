package extract

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	vocabulary "github.com/drover-go/drover/fetch/extract/internal/names"
	"github.com/drover-go/drover/fetch/extract/internal/value"
)

// betweenNames is what stands between the names of several people.
var betweenNames = regexp.MustCompile(`\s*;\s*|\s*[,،、]\s*(?:(?:and|und|et|y|e|en|&)\s+)?|\s+(?:and|und|et|y|e|en|with|&|\+)\s+`)

// peopleIn returns the names in a text: "A and B" has two where each side is a
// name of its own. "Roe, Jane" is one, and so is "Smith and Sons".
func peopleIn(text string) []string {
	parts := betweenNames.Split(text, maxAuthors)
	if len(parts) < 2 {
		return []string{text}
	}
	kept := parts[:0:0]
	for i, part := range parts {
		part = strings.TrimSpace(part)
		switch {
		case isFullName(part):
			kept = append(kept, part)
		case i > 0 && len(kept) == i && isPosition(part):
			return kept // "Jane Roe, Staff Writer"
		default:
			return []string{text}
		}
	}
	return kept
}

// isFullName reports whether a text is like the name of one person: two to five
// words, the first and the last in capital letters, no word of a position or a
// firm among them.
func isFullName(s string) bool {
	words := strings.Fields(s)
	if len(words) < 2 || len(words) > 5 || !isName(s) || isPosition(s) {
		return false
	}
	for _, w := range []string{words[0], words[len(words)-1]} {
		if c, _ := utf8.DecodeRuneInString(w); !unicode.IsLetter(c) || unicode.IsLower(c) {
			return false
		}
	}
	return true
}

// isPosition reports whether a text says what somebody does, or is a firm.
func isPosition(s string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(s)) {
		if positions[strings.Trim(w, ".,()")] {
			return true
		}
	}
	return false
}

var positions = setOf(`writer editor reporter correspondent staff journalist contributor columnist producer director manager professor lecturer phd md rd rdn ceo cto founder author analyst critic
	redakteur redakteurin redaktion autorin autor korrespondent journaliste rédaction redactor redactora periodista corresponsal giornalista redazione redacteur redactie
	department ministry university institute council committee office services association society foundation bureau center centre group
	inc ltd llc gmbh ag company co team news media press agency magazine times post sons jr sr`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// isNobody reports whether a name is the one that a program gives who writes, or
// no name at all.
func isNobody(name string) bool {
	return nobody[value.Key(name)] || strings.Contains(name, "@") && !strings.ContainsAny(name, " (") || addressLike.MatchString(name)
}

var (
	nobody = setOf(`admin administrator adminuser siteadmin webadmin webmaster superadmin superuser root user username guest gast invite invitado author authors autor auteur autore editor staff unknown unbekannt inconnu
		anonymous anonym anonyme anonimo none null undefined na nan default test demo wordpress wpadmin wpengine joomla drupal moderator system noreply info name yourname postedby writtenby by`)
	addressLike = regexp.MustCompile(`^(?:https?:)?(?://)?(?:www\.\S+|(?:[a-z0-9-]+\.)+[a-z]{2,12}/\S*)$`)
)

// withoutMail returns the name in "jane@example.com (Jane Roe)" and in "Jane Roe
// <jane@example.com>".
func withoutMail(name string) string {
	if !strings.Contains(name, "@") {
		return name
	}
	if m := mailAndName.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	if m := nameAndMail.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}

var (
	mailAndName = regexp.MustCompile(`^\S+@\S+\s+\(([^()]+)\)$`)
	nameAndMail = regexp.MustCompile(`^([^<>@()]+?)\s*[<(]\S+@\S+[>)]$`)
)

// bylinePeople returns the names behind "by" in a text, or none.
func bylinePeople(text string) []string {
	rest := vocabulary.WithoutBy(text)
	if rest == text {
		return nil
	}
	rest = cutMarks(rest)
	names := peopleIn(rest)
	if len(names) == 1 {
		names[0] = cutByline(names[0])
	}
	for _, name := range names {
		if !isPersonal(name) || isNobody(name) {
			return nil
		}
	}
	return names
}

// cutMarks cuts what stands behind names in their line, but for the commas
// between these.
func cutMarks(s string) string {
	for _, mark := range [...]string{" | ", " · ", " • ", " – ", " — ", " - ", " on ", " am ", " / "} {
		s, _, _ = strings.Cut(s, mark)
	}
	return strings.Trim(s, " ,|·•–—-")
}
