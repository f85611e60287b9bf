package plain

import (
	"slices"
	"strings"
	"unicode"
)

// verb is what a sentence asks for.
type verb uint8

const (
	noVerb verb = iota
	openVerb
	clickVerb
	typeVerb
	selectVerb
	checkVerb
	uncheckVerb
	searchVerb
	submitVerb
	waitVerb
	readVerb
	returnVerb
	backVerb
	loginVerb
	scrollVerb
	doubleVerb
	rightVerb
	hoverVerb
	dragVerb
	pressVerb // of keys; its words are those of clickVerb
	dialogVerb
)

// verbs are the ways to say each of them; several words must all follow. The
// longest that fits counts.
var verbs = map[verb][]string{
	openVerb: {
		"go to", "go onto", "goto", "go", "open", "open up", "visit", "navigate", "navigate to", "browse to", "browse",
		"load", "head to", "head over to", "access", "surf to", "start at", "start on", "start from", "begin at",
	},
	clickVerb:   {"click", "click on", "press", "press on", "tap", "tap on", "hit", "push", "follow", "activate"},
	typeVerb:    {"type", "type in", "enter", "fill", "fill in", "fill out", "input", "write", "put", "key in", "set", "insert", "paste"},
	selectVerb:  {"select", "choose", "pick"},
	checkVerb:   {"check", "tick"},
	uncheckVerb: {"uncheck", "untick", "deselect"},
	searchVerb:  {"search", "search for"},
	submitVerb:  {"submit", "confirm with"},
	waitVerb:    {"wait", "wait for", "wait until", "wait till"},
	readVerb:    {"read", "look at", "note", "note down", "remember", "take note of"},
	backVerb:    {"go back", "navigate back", "back", "move back"},
	loginVerb:   {"log in", "login", "log on", "sign in", "sign on", "authenticate"},
	scrollVerb:  {"scroll"},
	doubleVerb:  {"double-click", "double-click on", "double click", "double click on", "doubleclick", "doubleclick on"},
	rightVerb:   {"right-click", "right-click on", "right click", "right click on", "rightclick", "rightclick on"},
	hoverVerb:   {"hover", "hover over", "hover on", "mouse over", "move the mouse over", "move the pointer over", "point at"},
	dragVerb:    {"drag", "drag and drop"},
	returnVerb: {
		"return", "report", "report back", "give", "give me", "give back", "output", "answer", "answer with", "reply with",
		"respond with", "tell me", "get", "get me", "extract", "list", "collect", "show me", "show", "scrape", "provide",
		"print", "produce", "fetch", "deliver", "retrieve", "write down", "copy",
	},
}

// leading are words before the verb that change nothing.
var leading = []string{
	"please", "then", "and", "first", "next", "finally", "now", "also", "afterwards", "after", "that", "lastly",
	"you", "should", "must", "to", "so", "just", "as", "a", "result", "at", "the", "end", "there", "i", "want", "need", "let's", "can",
}

// judgement are words that ask for an opinion, a condition or arithmetic:
// nothing that plain steps can do.
var judgement = []string{
	"if", "unless", "otherwise", "else", "while", "whenever", "whether", "each", "every", "any", "repeat", "until",
	"cheapest", "lowest", "highest", "best", "worst", "most", "least", "largest", "smallest", "biggest", "newest", "latest", "oldest",
	"average", "mean", "median", "sum", "total", "compare", "compared", "sorted", "sort", "ranked", "rank", "filtered",
	"summarize", "summarise", "summary", "explain", "describe", "why", "how", "decide", "suitable", "appropriate", "relevant",
	"similar", "similarly", "same", "likely", "probably", "more", "less", "fewer", "greater", "under", "over", "above", "below",
	"between", "than", "at least", "where", "whose", "which", "that", "who", "only", "except", "without", "not", "but", "or",
	"translate", "rewrite", "calculate", "compute", "count", "number", "many", "much", "convert", "guess", "about", "related",
}

// ordinals choose one of several.
var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "6th": 6, "7th": 7, "8th": 8, "9th": 9, "10th": 10, "last": -1,
}

// roleWords say what sort of element is meant.
var roleWords = map[string]string{
	"button": "button", "link": "link", "tab": "tab", "checkbox": "checkbox", "check-box": "checkbox", "radio": "radio",
	"option": "option", "menu": "", "item": "", "icon": "", "image": "", "entry": "", "switch": "switch", "toggle": "switch",
	"field": "field", "box": "field", "textbox": "field", "input": "field", "textarea": "field", "area": "field", "dropdown": "field",
	"drop-down": "field", "combobox": "field", "list": "field", "select": "field", "searchbox": "field",
}

// determiners stand before a name and say nothing.
var determiners = []string{"the", "a", "an", "your", "my", "its", "their", "our", "this"}

// noise are words around a name in quotes that change nothing.
var noise = append([]string{
	"on", "labelled", "labeled", "named", "called", "titled", "marked", "saying", "says", "that", "which", "reads",
	"with", "text", "label", "name", "of", "value", "now", "once", "there",
}, determiners...)

// rowNouns are words for the row that a text stands in.
var rowNouns = []string{"row", "product", "item", "entry", "line", "card", "record"}

// whole are words for all that there is to see.
var whole = []string{"page", "page's", "form", "site", "site's", "website", "screen", "window", "browser", "webpage"}

// purposes are the words of a remark that says what a click is for and asks
// for nothing more: click "Save" to save the form.
var purposes = []string{
	"open", "see", "show", "view", "continue", "proceed", "go", "on", "submit", "save", "it", "the", "form", "page", "log", "sign", "in",
	"next", "step", "finish", "confirm", "menu", "dialog", "details", "results", "search", "load", "more", "to",
}

func isOneOf(word string, list []string) bool { return slices.Contains(list, word) }

// saysSomething reports whether a token is more than a mark between words.
func saysSomething(t token) bool {
	if t.kind == commaToken || t.kind == stopToken || t.kind == lineToken {
		return false
	}
	return t.isValue() || strings.ContainsFunc(t.text, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("&=#+%€$£", r)
	})
}

// leftOver says which words are more than can be followed; empty for none.
func leftOver(tokens []token, allowed ...[]string) string {
	var words []string
	for _, t := range tokens {
		if saysSomething(t) && !slices.ContainsFunc(allowed, func(list []string) bool { return t.lower() != "" && isOneOf(t.lower(), list) }) {
			words = append(words, t.text)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "it says more than can be followed: " + strings.Join(words, " ")
}

// asksForJudgement returns the first word that plain steps cannot follow.
func asksForJudgement(tokens []token) (string, bool) {
	for _, t := range tokens {
		if isOneOf(t.lower(), judgement) {
			return t.text, true
		}
	}
	return "", false
}

// verbAt returns the verb that the tokens begin with and how many words it has.
func verbAt(tokens []token) (v verb, n int) {
	for candidate, phrases := range verbs {
		for _, phrase := range phrases {
			words := strings.Fields(phrase)
			if len(words) > n && startsWith(tokens, words) {
				v, n = candidate, len(words)
			}
		}
	}
	return v, n
}

func startsWith(tokens []token, words []string) bool {
	if len(tokens) < len(words) {
		return false
	}
	for i, w := range words {
		if tokens[i].lower() != w {
			return false
		}
	}
	return true
}
