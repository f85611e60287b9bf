package extract

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	vocabulary "github.com/drover-go/drover/internal/names"
)

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
	return nobody[mention.Key(name)] || strings.Contains(name, "@") && !strings.ContainsAny(name, " (") || addressLike().MatchString(name)
}

var (
	nobody = setOf(`admin administrator adminuser siteadmin webadmin webmaster superadmin superuser root user username guest gast invite invitado author authors autor auteur autore editor staff unknown unbekannt inconnu
		anonymous anonym anonyme anonimo none null undefined na nan default test demo wordpress wpadmin wpengine joomla drupal moderator system noreply info name yourname postedby writtenby by`)
	addressLike = lexicon.Pattern(`^(?:https?:)?(?://)?(?:www\.\S+|(?:[a-z0-9-]+\.)+[a-z]{2,12}/\S*)$`)
)

// withoutMail returns the name in "jane@example.com (Jane Roe)" and in "Jane Roe
// <jane@example.com>".
func withoutMail(name string) string {
	if !strings.Contains(name, "@") {
		return name
	}
	if m := mailAndName().FindStringSubmatch(name); m != nil {
		return m[1]
	}
	if m := nameAndMail().FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}

var (
	mailAndName = lexicon.Pattern(`^\S+@\S+\s+\(([^()]+)\)$`)
	nameAndMail = lexicon.Pattern(`^([^<>@()]+?)\s*[<(]\S+@\S+[>)]$`)
)

// bylinePeople returns the names behind "by" in a text, or none.
func bylinePeople(text string) []string {
	rest := vocabulary.WithoutBy(text)
	if rest == text {
		return nil
	}
	rest = cutMarks(rest)
	names := people.Split(rest)
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
