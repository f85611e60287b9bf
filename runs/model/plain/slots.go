package plain

import (
	"cmp"
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
		if s.verb == pressVerb {
			return readElement(&s.target, tokens, "where to press it")
		}
		return readElement(&s.target, tokens, "what to "+p.first)
	case "END":
		return readElement(&s.end, tokens, "where to drag it")
	case "DISTANCE":
		return readDistance(s, tokens)
	case "FIELD":
		if s.target, why = parseTarget(skip(tokens, "into")); why == "" && s.target.name == "" && (len(tokens) == 0 || s.target.role != "field") {
			why = "it does not say where to " + p.first
		}
		s.target.role = "field"
	case "BOX":
		return readBox(s, tokens, p.first)
	case "VALUE", "QUERY", "ANSWER":
		s.input["text"], why = p.valueIn(tokens, map[string]string{"VALUE": "type", "QUERY": "search for", "ANSWER": "answer"}[part])
	case "SEARCHED":
		if !hasValue(tokens) {
			return leftOver(tokens, "searchPlaces")
		}
		s.target, why = parseTarget(tokens)
	case "OPTION":
		return readOption(s, tokens)
	case "KEY":
		return readKey(s, tokens)
	case "WAY":
		return readWay(s, tokens)
	case "TIME":
		m := timeForm().FindStringSubmatch(strings.ToLower(original(tokens)))
		s.input["seconds"], why = duration(m[1], m[2])
	case "TEXT":
		return readText(s, tokens)
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

// readAddress reads the one address. There must be nothing else.
func readAddress(s *step, tokens []token) string {
	addresses, rest := partition(tokens, token.isAddress)
	if len(addresses) > 1 {
		return "it names two addresses"
	}
	s.input["url"] = addresses[0].text
	return leftOver(rest, "besideAddress")
}

func readBox(s *step, tokens []token, first string) (why string) {
	s.target, why = parseTarget(tokens)
	words := strings.Fields(strings.ToLower(s.target.name))
	switch {
	case why != "":
	case len(words) == 0:
		why = "it does not say what to " + first
	case !s.target.exact && (len(words) > 4 || is(words[0], "facts")):
		why = "checking facts is a judgement"
	}
	s.target.role = "checkbox"
	return why
}

// readOption reads an option, or "A" and "B" of a list from which several can be
// chosen.
func readOption(s *step, tokens []token) (why string) {
	if values, rest := partition(tokens, token.isValue); len(values) > 1 {
		var options []string
		for _, v := range values {
			options = append(options, v.text)
		}
		s.input["options"] = options
		return leftOver(rest, "options")
	}
	t, why := parseTarget(tokens)
	s.input["text"] = t.name
	if why == "" && (t.name == "" || t.nth != 0 || t.role != "" && t.role != "option") {
		why = "it does not say which option to select"
	}
	return why
}

// readDistance reads 50 pixels to the right.
func readDistance(s *step, tokens []token) (why string) {
	pixels, _ := strconv.ParseFloat(pixelForm().FindStringSubmatch(tokens[0].text)[1], 64)
	var way string
	_, rest := partition(tokens[1:], func(t token) bool {
		word := wayWords()[t.lower()]
		isFirst := way == "" && is(word, "directions")
		if isFirst {
			way = word
		}
		return isFirst
	})
	s.input["dx"] = map[string]float64{"right": pixels, "left": -pixels}[way]
	s.input["dy"] = map[string]float64{"down": pixels, "up": -pixels}[way]
	if way == "" || pixels == 0 {
		return "it does not say in which direction to drag it"
	}
	return leftOver(rest, "dragWords")
}

// readWay reads down, to the end, and to "text".
func readWay(s *step, tokens []token) string {
	var text, way string
	_, rest := partition(tokens, func(t token) bool {
		word := wayWords()[t.lower()]
		switch {
		case t.isValue() && text == "":
			text = t.text
		case word != "" && (way == "" || way == "down" || way == "up"): // down to the end
			way = word
		default:
			return false
		}
		return true
	})
	switch {
	case text != "" && (way == "bottom" || way == "top"), text == "" && way == "":
		return "it does not say where to scroll"
	case text != "":
		s.input["text"] = text
	default:
		s.input["direction"] = way
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
	key := keyNamed(strings.Join(names, " "), said)
	s.input["keys"] = key
	switch {
	case key != "":
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
	case heldKeys().MatchString(name), said && common == "" && len(name) == 1:
		return name
	case said:
		return common
	}
	return ""
}

// maxWait is how long a step may wait, in seconds.
const maxWait = 60

// duration reads a time in seconds.
func duration(number, unit string) (seconds float64, why string) {
	word, isWord := numerals()[number]
	n, err := strconv.ParseFloat(cmp.Or(word, number), 64)
	if err != nil || unit == "" && !isWord {
		return 0, "it does not say how long to wait"
	}
	switch {
	case strings.HasPrefix(unit, "ms"), strings.HasPrefix(unit, "milli"):
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
	text, rest := takeValue(skip(tokens, "beforeText"))
	if text == "" {
		rest = skip(tokens, "until")
		for len(rest) > 0 && rest[0].kind == wordToken && strings.ContainsFunc(rest[0].text[:1], unicode.IsUpper) { // a name
			text, rest = strings.TrimLeft(text+" "+rest[0].text, " "), rest[1:]
		}
	}
	s.input["text"] = text
	switch words := strings.ToLower(original(rest)); {
	case text == "":
		return "it does not say in quotes which text to wait for"
	case words != "" && !is(words, "comesUp"):
		return "it does not say in plain words what to wait for: " + original(rest)
	}
	return ""
}

// takeValue returns the values at the beginning, joined, and what is left.
func takeValue(tokens []token) (value string, rest []token) {
	for rest = tokens; len(rest) > 0 && rest[0].isValue(); rest = rest[1:] {
		value = strings.TrimPrefix(value+" "+rest[0].text, " ")
	}
	return value, rest
}

// maxUnquoted is how many words a value without quotes has at most: what is
// longer may be more than a value.
const maxUnquoted = 3

// valueIn reads a value that fills all of the tokens, in quotes or as a few
// plain words.
func (p *clauseParser) valueIn(tokens []token, what string) (text, why string) {
	if text, rest := takeValue(skip(tokens, "beforeValues")); text != "" {
		return text, leftOver(rest)
	}
	isPlain := func(t token) bool { return (t.kind == wordToken || t.kind == urlToken) && t.lower() != "and" }
	if words, _ := partition(tokens, isPlain); len(words) == 0 || len(words) != len(tokens) || len(words) > maxUnquoted || is(words[0].lower(), "vague") {
		return "", "it does not say in quotes what to " + what
	}
	return strings.Join(strings.Fields(p.task[tokens[0].from:tokens[len(tokens)-1].to]), " "), ""
}
