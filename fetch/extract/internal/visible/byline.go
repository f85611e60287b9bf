package visible

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/people"
)

var byWords = []string{"by ", "written by ", "posted by ", "published by ", "reviewed by ", "submitted by ", "recipe by ", "von ", "par ", "por ", "di ", "door ", "av ", "автор "}

// bylineMarks are what stands between the parts of a byline.
var bylineMarks = strings.NewReplacer(" · ", " | ", " • ", " | ", " – ", " | ", " — ", " | ", " - ", " | ")

// byline reads who wrote something, and when: "By Jane Doe, 3 May 2024", "By
// Jane Doe and Max Roe · 3 May 2024 · updated 5 May 2024".
func (r *reader) byline(s string, i int) {
	rest := afterBy(s)
	if rest == "" {
		return
	}
	who, more, _ := strings.Cut(bylineMarks.Replace(rest), " | ")
	for clause := range strings.SplitSeq(more, " | ") {
		r.bylineDate(strings.TrimSpace(clause), i)
	}
	names := people.Split(strings.TrimSpace(who))
	if len(names) == 1 {
		names[0] = r.bylineName(who, i)
	}
	for _, name := range names {
		if hasDigit(name) || countWords(name) > 5 || !startsUpper(name) {
			return
		}
	}
	r.addAuthors(names, i)
}

// bylineName cuts off what stands behind a name, and reads the date in it.
func (r *reader) bylineName(name string, i int) string {
	for _, sep := range [...]string{", ", " on ", " am ", " le "} {
		if before, after, ok := strings.Cut(name, sep); ok && before != "" {
			name = before
			r.bylineDate(after, i)
		}
	}
	return strings.TrimSpace(name)
}

func (r *reader) bylineDate(s string, i int) {
	if len(s) >= maxMoney || !isDate(s) {
		return
	}
	v := r.textValue(s, graph.Class, r.elementOf(i))
	v.Aside = r.nodes[i].is(isAside)
	if isUpdate(s) {
		r.add(r.nodes[i].part, "updated", v)
		return
	}
	r.add(r.nodes[i].part, "date", v)
}

// addAuthors adds the names of those who wrote something as one text, and
// several of them one by one, too.
func (r *reader) addAuthors(names []string, i int) {
	part := r.nodes[i].part
	v := r.textValue(strings.Join(names, ", "), graph.Label, r.elementOf(i))
	v.Aside = r.nodes[i].is(isAside)
	r.add(part, "author", v)
	if len(names) < 2 || r.has(part, "authors") {
		return
	}
	for _, name := range names {
		v.Text = name
		r.add(part, "authors", v)
	}
}

func afterBy(s string) string {
	for _, w := range byWords {
		if len(s) > len(w)+2 && strings.EqualFold(s[:len(w)], w) {
			return s[len(w):]
		}
	}
	return ""
}
