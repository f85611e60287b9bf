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

// maxAnswer is how many lines an answer has at most.
const maxAnswer = 40

// questionLines reads questions and answers that are lines: "Q: …", "A: …". An
// answer ends at the next question or heading, or at what stands elsewhere.
func (r *reader) questionLines() {
	isQuestion := func(at int) bool {
		l := &r.lines[at]
		return questionMark().MatchString(cut(r.text[l.from:l.to], maxLabelled))
	}
	for at := 0; at+1 < len(r.lines); at++ {
		r.Meter.Step(1)
		next := &r.lines[at+1]
		first := r.lines[at].first
		if !isQuestion(at) || !answerMark().MatchString(cut(r.text[next.from:next.to], maxName)) || r.nodes[first].is(inTable) || r.isTakenAt(first) || r.inHeading(first) {
			continue
		}
		question, end := r.lines[at], at+2
		for ; end < len(r.lines) && end < at+maxAnswer; end++ {
			r.Meter.Step(1)
			l := &r.lines[end]
			if isQuestion(end) || r.inHeading(l.first) || !r.areNear(next.first, l.first) || r.nodes[next.first].part != r.nodes[l.first].part {
				break
			}
		}
		r.addQuestion(first, r.text[question.from:question.to], r.text[next.from:r.lines[end-1].to])
		at = end - 1
	}
}

// inHeading reports whether a text is, or stands in, a heading: these are
// read as sections.
func (r *reader) inHeading(i int) bool {
	for n := 0; i >= 0 && n < nearHeading; i, n = r.nodes[i].up, n+1 {
		if r.headingLevel(i) > 0 {
			return true
		}
	}
	return false
}

func (r *reader) addQuestion(i int, question, answer string) {
	question, answer = plainQuestion(oneLine(question)), plainAnswer(strings.TrimSpace(answer))
	if r.entities >= r.o.MaxEntities || question == "" || answer == "" {
		return
	}
	in, v := r.newThing(i, 0)
	v.Shown = question
	r.add(0, "questions", v)
	for k, name := range [...]string{"title", "text", "question", "answer"} {
		r.add(in, name, r.textValue([...]string{question, answer}[k%2], 0, v.Element))
	}
}

// folds reads questions on buttons that open what stands behind them.
func (r *reader) folds() {
	for i := range r.nodes {
		r.pass(i)
		n := &r.nodes[i]
		if n.part != 0 || n.to-n.from > maxLabelled || !strings.HasSuffix(r.text[n.from:n.to], "?") || !n.named(atom.Button) && (n.is(isText) || attr(n.el, "aria-expanded") == "") || r.inHeading(i) {
			continue
		}
		if next := n.end; next < len(r.nodes) && r.nodes[next].up == n.up && !r.nodes[next].named(atom.Button) && r.nodes[next].from < r.nodes[next].to {
			r.addQuestion(i, r.textOf(i), r.text[r.nodes[next].from:r.nodes[next].to])
		}
	}
}
