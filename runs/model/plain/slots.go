package plain

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/drover-go/drover/internal/lexicon"
)

// readPart reads one part of a form into a step; why says why it is none.
func (p *clauseParser) readPart(part string, s *step, tokens []token) (why string) {
	switch part {
	case "ADDRESS":
		return readAddress(s, tokens)
	case "TARGET":
		what := "what to " + p.first
		if s.verb == pressVerb {
			what = "where to press it"
		}
		return readElement(&s.target, tokens, what)
	case "END":
		return readElement(&s.to, tokens, "where to drag it")
	case "DRAG":
		return readDrag(s, tokens)
	case "FIELD":
		if s.target, why = parseTarget(skip(tokens, "into")); why == "" && s.target.name == "" && (len(tokens) == 0 || s.target.role != "field") {
			why = "it does not say where to " + p.first
		}
		s.target.role = "field"
	case "BOX":
		return readBox(s, tokens, p.first)
	case "VALUE":
		s.text, why = p.valueIn(tokens)
	case "QUERY":
		if s.text, why = p.valueIn(tokens); why != "" {
			why = "it does not say in quotes what to search for"
		}
	case "SEARCHED":
		if hasValue(tokens) {
			s.target, why = parseTarget(tokens)
		} else {
			why = leftOver(tokens, "searchPlaces")
		}
		setters["search"](s)
	case "OPTION":
		return readOption(s, tokens)
	case "KEY":
		return readKey(s, tokens)
	case "WAY":
		return readWay(s, tokens)
	case "TIME":
		m := timeForm().FindStringSubmatch(original(tokens))
		s.seconds, why = duration(strings.ToLower(m[1]), m[2])
	case "TEXT":
		return readText(s, tokens)
	case "PART":
		return p.readDialog(s, tokens)
	case "ANSWER":
		if s.text, why = p.valueIn(tokens); why != "" {
			why = "it does not say in quotes what to answer"
		} else if !p.accept {
			why = "nothing is written into a dialog that is dismissed"
		}
	}
	return why
}

// readElement reads an element that has to be said.
func readElement(t *target, tokens []token, what string) (why string) {
	if *t, why = parseTarget(tokens); why == "" && !t.named() {
		return "it does not say " + what
	}
	return why
}

// readAddress takes the one address out of the tokens. There must be nothing
// else in them.
func readAddress(s *step, tokens []token) string {
	var rest []token
	for _, t := range tokens {
		switch {
		case !t.isAddress():
			rest = append(rest, t)
		case s.url != "":
			return "it names two addresses"
		default:
			s.url = t.text
		}
	}
	return leftOver(rest, "besideAddress")
}

func readBox(s *step, tokens []token, first string) (why string) {
	t, why := parseTarget(tokens)
	words := strings.Fields(strings.ToLower(t.name))
	switch {
	case why != "":
	case len(words) == 0:
		why = "it does not say what to " + first
	case !t.exact && (len(words) > 4 || is(words[0], "facts")):
		why = "checking facts is a judgement"
	}
	s.target = t
	s.target.role = "checkbox"
	return why
}

// readOption reads an option, or "A" and "B" of a list from which several can be
// chosen.
func readOption(s *step, tokens []token) (why string) {
	var rest []token
	for _, t := range tokens {
		if t.isValue() {
			s.several = append(s.several, t.text)
		} else {
			rest = append(rest, t)
		}
	}
	if len(s.several) > 1 {
		s.text = strings.Join(s.several, ", ")
		return leftOver(rest, "options")
	}
	s.several = nil
	t, why := parseTarget(tokens)
	if why == "" && (t.name == "" || t.nth != 0 || t.role != "" && t.role != "option") {
		why = "it does not say which option to select"
	}
	s.text = t.name
	return why
}

// readDialog reads what stands behind "the dialog".
func (p *clauseParser) readDialog(s *step, tokens []token) (why string) {
	s.accept = p.accept
	if p.first == "answer" && indexOf(p.tokens, "with", "by") < 0 {
		return "it does not say what to answer"
	}
	return leftOver(tokens, "dialogParts")
}

// directions are in pixels.
var directions = map[string][2]float64{"right": {1, 0}, "left": {-1, 0}, "up": {0, -1}, "down": {0, 1}}

// readDrag reads "A" 50 pixels to the right.
func readDrag(s *step, tokens []token) (why string) {
	at := pixelsAt(tokens)
	what := tokens[:at]
	if what[at-1].lower() == "by" {
		what = what[:at-1]
	}
	if why := readElement(&s.target, what, "what to drag"); why != "" {
		return why
	}
	pixels, _ := strconv.ParseFloat(pixelForm().FindStringSubmatch(tokens[at].text)[1], 64)
	var rest []token
	for _, t := range tokens[at+1:] {
		if way, ok := directions[wayWords()[t.lower()]]; ok && s.by == [2]float64{} {
			s.by = [2]float64{way[0] * pixels, way[1] * pixels}
		} else {
			rest = append(rest, t)
		}
	}
	if s.by == [2]float64{} {
		return "it does not say in which direction to drag it"
	}
	return leftOver(rest, "dragWords")
}

// readWay reads down, to the end, and to "text".
func readWay(s *step, tokens []token) string {
	var rest []token
	for _, t := range tokens {
		switch way := wayWords()[t.lower()]; {
		case t.isValue() && s.text == "":
			s.text = t.text
		case way != "" && (s.way == "" || s.way == "down" || s.way == "up"): // down to the end
			s.way = way
		default:
			rest = append(rest, t)
		}
	}
	switch {
	case s.text != "" && (s.way == "bottom" || s.way == "top"), s.text == "" && s.way == "":
		return "it does not say where to scroll"
	case s.text != "":
		s.way = ""
	}
	return leftOver(rest, "scrollWords")
}

var (
	functionKey = lexicon.Pattern(`^[fF]([1-9]|1[0-2])$`)
	heldKeys    = lexicon.Pattern(`(?i)^((ctrl|control|shift|alt|meta|cmd|command)\+)+([a-z0-9]|[a-z]{2,10}|f\d\d?)$`)
)

// readKey reads a key.
func readKey(s *step, tokens []token) (why string) {
	said := indexOf(tokens, "key", "keys") >= 0
	var names []string
	for _, t := range tokens {
		if t.isValue() || t.kind == wordToken && !is(t.lower(), "besideKeys") {
			names = append(names, t.text)
		}
	}
	s.text = keyNamed(strings.Join(names, " "), said)
	switch {
	case s.text != "":
	case !said && len(names) > 1:
		return "it says more than can be followed: " + strings.Join(names[1:], " ")
	default:
		return "there is no such key"
	}
	return ""
}

// keyNamed is the key as the tool calls it; empty for none. said is whether the
// word "key" stands there: buttons are called like some keys.
func keyNamed(name string, said bool) string {
	switch key, common := keyWords()[entry(name)], keyWords()["+"+entry(name)]; {
	case key != "":
		return key
	case functionKey().MatchString(name):
		return strings.ToUpper(name)
	case heldKeys().MatchString(name):
		return name
	case said && common != "":
		return common
	case said && len(name) == 1:
		return name
	}
	return ""
}

// maxWait is how long a step may wait, in seconds.
const maxWait = 60

// duration reads a time in seconds.
func duration(number, unit string) (seconds float64, why string) {
	word, isWord := numerals()[number]
	if isWord {
		number = word
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || unit == "" && !isWord {
		return 0, "it does not say how long to wait"
	}
	switch unit = strings.ToLower(unit); {
	case strings.HasPrefix(unit, "ms") || strings.HasPrefix(unit, "milli"):
		n /= 1000
	case strings.HasPrefix(unit, "m"):
		n *= 60
	case strings.HasPrefix(unit, "h"):
		n *= 3600
	}
	if n > maxWait {
		return 0, fmt.Sprintf("it waits for more than %d seconds, the most that a step may wait", maxWait)
	}
	return max(n, 0.001), ""
}

// readText reads the text that a page comes to show: "Results" appears.
func readText(s *step, tokens []token) string {
	value, rest := takeValue(skip(tokens, "beforeText"))
	if value == "" {
		value, rest = unquotedText(skip(tokens, "until"))
	}
	s.text = value
	switch words := strings.ToLower(original(rest)); {
	case value == "":
		return "it does not say in quotes which text to wait for"
	case words != "" && !is(words, "comesUp"):
		return "it does not say in plain words what to wait for: " + original(rest)
	}
	return ""
}

// unquotedText takes a name in capital letters: wait until Results appears.
func unquotedText(tokens []token) (text string, rest []token) {
	n := 0
	for n < len(tokens) && tokens[n].kind == wordToken && strings.ContainsFunc(tokens[n].text[:1], unicode.IsUpper) {
		n++
	}
	return original(tokens[:n]), tokens[n:]
}

// takeValue returns the values at the beginning, joined, and what is left.
func takeValue(tokens []token) (value string, rest []token) {
	var parts []string
	for rest = tokens; len(rest) > 0 && rest[0].isValue(); rest = rest[1:] {
		parts = append(parts, rest[0].text)
	}
	return strings.Join(parts, " "), rest
}

// maxUnquoted is how many words a value without quotes has at most: what is
// longer may be more than a value.
const maxUnquoted = 3

// valueIn reads a value that fills all of the tokens, in quotes or as a few
// plain words.
func (p *clauseParser) valueIn(tokens []token) (text, why string) {
	if text, rest := takeValue(skip(tokens, "beforeValues")); text != "" {
		return text, leftOver(rest)
	}
	if len(tokens) == 0 || len(tokens) > maxUnquoted || is(tokens[0].lower(), "vague") {
		return "", "it does not say in quotes what to type"
	}
	for _, t := range tokens {
		if t.kind != wordToken && t.kind != urlToken || t.lower() == "and" {
			return "", "it does not say in quotes what to type"
		}
	}
	return strings.Join(strings.Fields(p.task[tokens[0].from:tokens[len(tokens)-1].to]), " "), ""
}
