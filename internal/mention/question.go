package mention

import (
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// What stands before a question and before an answer where both are lines.
var (
	questionMark = lexicon.Pattern(`^(?:Q|F|P|D|V|Question|Frage|Pregunta|Domanda|Vraag|Pergunta)\s?\d{0,3}\s?[.:)\x{FF1A}]\s*(\S.*)$`)
	answerMark   = lexicon.Pattern(`^(?:A|R|Answer|Antwort|Réponse|Respuesta|Risposta|Antwoord|Resposta)\s?\d{0,3}\s?[.:)\x{FF1A}]\s*`)
	questionNo   = lexicon.Pattern(`^\d{1,3}[.)]\s+`)
)

// maxQuestion is how long a question is at most, in bytes, and maxMark what
// stands before an answer.
const (
	maxQuestion = 600
	maxMark     = 40
)

// Question returns a question without the mark before it, such as "Q:", or its
// number.
func Question(s string) string {
	if len(s) > maxQuestion {
		return s
	}
	if m := questionMark().FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	if IsQuestion(s) {
		s = questionNo().ReplaceAllString(s, "")
	}
	return s
}

// Answer returns an answer without the mark before it.
func Answer(s string) string { return s[len(answerMark().FindString(s[:min(len(s), maxMark)])):] }

// AsksAndAnswers reports whether two texts have the marks of a question and its
// answer before them.
func AsksAndAnswers(question, answer string) bool {
	return len(question) <= maxQuestion && questionMark().MatchString(question) && answerMark().MatchString(answer[:min(len(answer), maxMark)])
}

// IsQuestion reports whether a text ends as a question does.
func IsQuestion(s string) bool { return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") }
