package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
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
	if m := questionMark().FindStringSubmatch(cut(s, maxLabelled)); m != nil && len(s) <= maxLabelled {
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

// questionLines reads questions and answers that are lines: "Q: …", "A: …".
func (r *reader) questionLines() {
	for at := 0; at+1 < len(r.lines); at++ {
		r.Meter.Step(1)
		l, next := &r.lines[at], &r.lines[at+1]
		m := questionMark().FindStringSubmatch(cut(r.text[l.from:l.to], maxLabelled))
		if m == nil || !answerMark().MatchString(cut(r.text[next.from:next.to], maxName)) || r.nodes[l.first].is(inTable|isTerm) || r.underHeading(l.first) {
			continue
		}
		end := r.answerEnd(at + 1)
		answer := plainAnswer(strings.TrimSpace(r.text[next.from:r.lines[end-1].to]))
		r.addQuestion(l.first, m[1], answer)
		at = end - 1
	}
}

// underHeading reports whether a text is, or stands in, a heading: these are
// read as sections.
func (r *reader) underHeading(i int) bool {
	for n := 0; i >= 0 && n < nearHeading; i, n = r.nodes[i].up, n+1 {
		if !r.nodes[i].is(isText) && r.headingLevel(i) > 0 {
			return true
		}
	}
	return false
}

// answerEnd returns the line after an answer: that of the next question or
// heading, or of what stands elsewhere.
func (r *reader) answerEnd(at int) int {
	first := r.lines[at].first
	end := at + 1
	for end < len(r.lines) && end < at+maxAnswer {
		r.Meter.Step(1)
		l := &r.lines[end]
		if questionMark().MatchString(cut(r.text[l.from:l.to], maxLabelled)) || r.underHeading(l.first) || !r.areNear(first, l.first) || r.nodes[first].part != r.nodes[l.first].part {
			break
		}
		end++
	}
	return end
}

func (r *reader) addQuestion(i int, question, answer string) {
	if r.entities >= r.o.MaxEntities || question == "" || answer == "" {
		return
	}
	el := r.elementOf(i)
	e := &graph.Entity{Source: graph.Item, Element: el}
	r.add(0, "questions", graph.Value{Kind: graph.Thing, Entity: e, Element: el, Shown: question, Aside: r.nodes[i].is(isAside)})
	in := r.newPart(e, i, 0)
	q := r.textValue(question, 0, el)
	a := r.textValue(answer, 0, el)
	r.add(in, "title", q)
	r.add(in, "text", a)
	r.add(in, "question", q)
	r.add(in, "answer", a)
}

// folds reads questions on buttons that open what stands behind them.
func (r *reader) folds() {
	for i := range r.nodes {
		r.pass(i)
		n := &r.nodes[i]
		if n.is(isText|hasItems) || n.part != 0 || n.to-n.from > maxLabelled || !strings.HasSuffix(r.text[n.from:n.to], "?") || !isFold(n) || r.underHeading(i) {
			continue
		}
		if next := n.end; next < len(r.nodes) && r.nodes[next].up == n.up && !isFold(&r.nodes[next]) && r.nodes[next].from < r.nodes[next].to {
			r.addQuestion(i, plainQuestion(r.textOf(i)), plainAnswer(strings.TrimSpace(r.text[r.nodes[next].from:r.nodes[next].to])))
		}
	}
}

// isFold reports whether an element opens and closes another one.
func isFold(n *node) bool {
	if n.is(isText) {
		return false
	}
	if n.named(atom.Button) {
		return true
	}
	if _, ok := lookup(n.el, "aria-expanded"); ok {
		return true
	}
	class := attr(n.el, "class")
	return n.named(atom.Div, atom.A, atom.Span, atom.P) && len(class) < 4*maxToken && (containsFold(class, "accordion") || containsFold(class, "question")) && n.lineEnd-n.line <= 1
}
