package plain

import (
	"slices"
	"strings"
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

// noise are words around a name that change nothing.
var noise = []string{
	"the", "a", "an", "on", "your", "my", "its", "this", "labelled", "labeled", "named", "called", "titled", "marked", "saying", "says",
	"with", "text", "label", "name", "page", "page's", "text-field", "form", "key", "of", "value",
}

// nouns for which a table's rows are meant, whatever it is called.
var tableWords = []string{"table", "rows", "row", "list", "items", "entries", "results", "records", "all", "everything", "data", "contents"}

func isOneOf(word string, list []string) bool { return slices.Contains(list, word) }

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
