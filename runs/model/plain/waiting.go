package plain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// maxWait is how long a step may wait, in seconds.
const maxWait = 60

var (
	timeForm = lexicon.Pattern(`(?i)^(?:for |about |up to |at most )*(\d+(?:\.\d+)?|a|an|one|two|three|five|ten)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)?$`)
	timeOf   = lexicon.Pattern(`(?i)^(?:for |about |up to |at most )*(\d+(?:\.\d+)?)\s*(s|secs?|seconds?)? (?:for|until|till) `)
	numerals = map[string]float64{"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "five": 5, "ten": 10}
)

// comesUp are the words that say that a text comes up.
var comesUp = []string{
	"", "appears", "to appear", "is shown", "to be shown", "shows up", "to show up", "shows", "is visible", "to be visible", "comes up", "to come up",
	"is there", "to be there", "is on the page", "to be on the page", "is displayed", "to be displayed", "has appeared", "has loaded", "loads", "to load", "is present",
}

// wait reads how long to wait or what for.
func (p *clauseParser) wait() ([]step, string) {
	words := strings.ToLower(original(p.tokens))
	switch words {
	case "a moment", "briefly", "", "for a moment":
		return []step{{verb: waitVerb, seconds: 1}}, ""
	case "the page", "the page to load", "the page has loaded", "the page is loaded", "the page loads", "it loads", "it to load", "page load", "for the page to load", "the load":
		return []step{{verb: waitVerb, seconds: 0.5}}, ""
	}
	if m := timeForm().FindStringSubmatch(words); m != nil {
		n, why := duration(m[1], m[2])
		return []step{{verb: waitVerb, seconds: n}}, why
	}
	return p.waitForText()
}

// duration reads a time in seconds.
func duration(number, unit string) (seconds float64, why string) {
	n, ok := numerals[strings.ToLower(number)]
	if !ok {
		var err error
		if n, err = strconv.ParseFloat(number, 64); err != nil {
			return 0, "it does not say how long to wait"
		}
	} else if unit == "" {
		return 0, "it does not say how long to wait"
	}
	switch {
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

// waitForText reads: for "Results", until "Results" appears, up to 30 seconds
// for "Results".
func (p *clauseParser) waitForText() ([]step, string) {
	s := step{verb: waitVerb}
	tokens := p.tokens
	if m := timeOf().FindStringSubmatch(original(tokens)); m != nil {
		var why string
		if s.seconds, why = duration(m[1], "s"); why != "" {
			return nil, why
		}
		for len(strings.Fields(m[0])) > 0 && len(tokens) > 0 && !isOneOf(tokens[0].lower(), []string{"until", "till"}) && (tokens[0].lower() != "for" || indexOf(tokens[1:], "for") >= 0) {
			tokens = tokens[1:]
		}
	}
	value, rest := takeValue(tokens, "for", "until", "till", "text", "word", "words", "link", "button", "heading")
	if value == "" {
		value, rest = unquotedText(tokens)
	}
	s.text = value
	switch {
	case value == "":
		return nil, "it does not say in quotes which text to wait for"
	case !isOneOf(strings.ToLower(original(rest)), comesUp):
		return nil, "it does not say in plain words what to wait for: " + original(rest)
	}
	return []step{s}, ""
}

// unquotedText takes a name in capital letters: wait until Results appears.
func unquotedText(tokens []token) (text string, rest []token) {
	for len(tokens) > 0 && isOneOf(tokens[0].lower(), []string{"for", "until", "till"}) {
		tokens = tokens[1:]
	}
	n := 0
	for n < len(tokens) && tokens[n].kind == wordToken && strings.ToUpper(tokens[n].text[:1]) == tokens[n].text[:1] && strings.ToLower(tokens[n].text) != tokens[n].text {
		n++
	}
	return original(tokens[:n]), tokens[n:]
}
