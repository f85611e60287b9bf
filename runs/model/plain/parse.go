package plain

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/shorten"
	"github.com/drover-go/drover/runs/model"
)

// notPlain is a sentence that is no plain step.
type notPlain struct{ sentence, why string }

func (e *notPlain) Error() string {
	return fmt.Sprintf("this task needs a language model, and none is configured: the sentence %s is not a plain step (%s). "+
		`Plain steps are: go to URL; go back; click "X"; type "t" or %%variable%% into "Label"; select "X" from "Label"; check "X"; press Enter; hover over "X"; drag "A" to "B"; scroll down; wait for "X"; accept the dialog; return …`,
		strconv.Quote(excerpt(e.sentence, 160)), e.why)
}

// excerpt is a text with its white space folded, and cut at so many characters.
var excerpt = shorten.Line

// parse reads a task written as plain steps.
func parse(task string) (steps []step, err error) {
	for _, c := range split(task) {
		more, why := parseClause(c)
		if why != "" {
			return nil, &notPlain{c.text, why}
		}
		for _, s := range more {
			s.sentence = c.text
			if n := len(steps); s.verb == submitVerb && n > 0 && steps[n-1].verb == typeVerb { // Enter in the field that was typed into
				steps[n-1].input["submit"] = true
				steps[n-1].sentence += ", " + c.text
				continue
			}
			steps = append(steps, s)
		}
	}
	if len(steps) == 0 {
		return nil, &notPlain{task, "there is nothing to do in it"}
	}
	return steps, nil
}

// clauseParser reads what follows the verb.
type clauseParser struct {
	tokens []token
	verb   verb
	first  string // the verb's first word
}

// parseClause returns the steps of a clause, or why it is none.
func parseClause(c clause) (steps []step, why string) {
	tokens := skipLeading(c.tokens)
	if rest := skip(tokens, "place"); len(rest) > 0 && rest[0].kind == urlToken { // on https://shop.example, …
		steps = append(steps, step{verb: openVerb, input: inputs{"url": rest[0].text}})
		if tokens = skipLeading(rest[1:]); len(tokens) == 0 {
			return steps, ""
		}
	}
	verb, n := verbAt(tokens)
	if n == 0 {
		return nil, "it does not begin with something that can be done"
	}
	p := &clauseParser{tokens[n:], verb, tokens[0].lower()}
	more, why := p.parse()
	return append(steps, more...), why
}

// parse returns the steps, or why the clause is not one.
func (p *clauseParser) parse() (steps []step, why string) {
	for _, t := range p.tokens {
		if is(t.lower(), "judgement") && !p.allows(t.lower()) {
			return nil, fmt.Sprintf("%q asks for a judgement", t.text)
		}
	}
	switch p.verb {
	case "login":
		return p.login()
	case readVerb, returnVerb:
		return p.reading()
	}
	return p.formed()
}

// allows lets words pass that have a plain meaning behind some verbs.
func (p *clauseParser) allows(word string) bool {
	behind := string(p.verb)
	return is(word, "fieldNames") || is(behind, "before "+word) || hasValue(p.tokens) && is(behind, "before quotes and "+word)
}

// login reads "log in with user name "ada" and password %password%": fields are
// filled and Enter is pressed in the last.
func (p *clauseParser) login() (steps []step, why string) {
	for tokens := p.tokens; len(tokens) > 0; {
		if tokens[0].kind == commaToken || is(tokens[0].lower(), "besideCredentials") {
			tokens = tokens[1:]
			continue
		}
		value := skip(tokens, "credentials")
		label := original(tokens[:len(tokens)-len(value)])
		if tokens[0].lower() == "as" {
			label, value = "username", tokens[1:]
		}
		if value = skip(value, "isOf"); label == "" || len(value) == 0 || !value[0].isValue() && value[0].kind != wordToken {
			return nil, "it does not say with what: " + original(tokens)
		}
		steps = append(steps, step{verb: typeVerb, input: inputs{"text": value[0].text}, target: target{name: label, role: "field"}})
		tokens = value[1:]
	}
	if len(steps) == 0 {
		return nil, `it does not say with what: log in with username "…" and password %…%`
	}
	steps[len(steps)-1].input["submit"] = true
	return steps, ""
}

// unknownVariable says which placeholder of the steps no variable is given for.
// It is said before anything is done: half a form filled in helps nobody.
func unknownVariable(steps []step, given []model.Variable) error {
	for _, s := range steps {
		texts := append([]string{s.target.name, s.target.near, s.end.name, s.end.near, s.want.row, s.want.scope}, s.want.names...)
		texts = slices.Concat(texts, s.input.list("text"), s.input.list("options"))
		names := placeholdersIn(s.input.text("url"), true)
		for _, text := range texts {
			names = append(names, placeholdersIn(text, false)...)
		}
		for _, name := range names {
			if !slices.ContainsFunc(given, func(v model.Variable) bool { return v.Name == name }) {
				return fmt.Errorf("there is no variable %q for the placeholder %%%s%% in the step %q", name, name, excerpt(s.sentence, 160))
			}
		}
	}
	return nil
}

var (
	escapeBefore = lexicon.Pattern(`^%[0-9A-Fa-f]{2}`)
	letter       = lexicon.Pattern(`[A-Za-z]`)
)

// placeholdersIn are the names between percent signs. In an address the signs
// may as well be those of escapes ("%20a%20"), and in a text of percentages
// ("50%-60%"), which are no names.
func placeholdersIn(text string, address bool) (names []string) {
	for m := placeholder().FindStringIndex(text); m != nil; m = placeholder().FindStringIndex(text) {
		name := text[m[0]+1 : m[1]-1]
		isEscape := address && escapeBefore().MatchString(text[m[0]:]) && escapeBefore().MatchString(text[m[1]-1:])
		if isEscape || !letter().MatchString(name) {
			text = text[m[0]+1:]
			continue
		}
		names = append(names, name)
		text = text[m[1]:]
	}
	return names
}
