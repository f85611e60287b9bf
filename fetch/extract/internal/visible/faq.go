package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/internal/lexicon"
)

// What stands before a question and before an answer where both are lines.
var (
	questionMark = lexicon.Pattern(`^(?:Q|F|P|D|V|Question|Frage|Pregunta|Domanda|Vraag|Pergunta)\s?\d{0,3}\s?[.:)\x{FF1A}]\s*(\S.*)$`)
	answerMark   = lexicon.Pattern(`^(?:A|R|Answer|Antwort|Réponse|Respuesta|Risposta|Antwoord|Resposta)\s?\d{0,3}\s?[.:)\x{FF1A}]\s*`)
	questionNo   = lexicon.Pattern(`^\d{1,3}[.)]\s+`)
)

// plainQuestion and plainAnswer are texts without those marks; a number before
// a question goes too.
func plainQuestion(s string) string {
	if m := questionMark().FindStringSubmatch(cut(s, maxLabelled+1)); m != nil && len(s) <= maxLabelled {
		s = m[1]
	}
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") {
		s = questionNo().ReplaceAllString(s, "")
	}
	return s
}

func plainAnswer(s string) string {
	return s[len(answerMark().FindString(cut(s, maxName))):]
}

// questionLines marks the first text of lines that are questions before an
// answer, "Q: …" and "A: …", as headings of these.
func (r *reader) questionLines() {
	for at, s := range r.texts() {
		if at+1 == len(r.lines) || !questionMark().MatchString(cut(s, maxLabelled)) || !answerMark().MatchString(cut(r.lineText(at+1), maxName)) {
			continue
		}
		first := r.lines[at].first
		if n := &r.nodes[first]; !n.is(inTable) && r.around(first, 2, func(up *node) bool { return up.named(atom.Dt) }) < 0 {
			n.flags |= isQuestion
		}
	}
}

// isFold reports whether an element is a question on a button that opens what
// stands behind it.
func (r *reader) isFold(n *node) bool {
	return r.text[n.to-1] == '?' && n.to-n.from <= maxLabelled && (n.named(atom.Button) || attr(n.el, "aria-expanded") != "")
}
