package plain

import (
	"slices"
	"strings"
)

// reading reads what a task wants to know.
func (p *clauseParser) reading() ([]step, string) {
	w := want{}
	var phrase []string
	flush := func() {
		if len(phrase) > 0 {
			w.add(strings.Join(phrase, " "))
		}
		phrase = nil
	}
	for i, t := range p.tokens {
		word := t.lower()
		switch {
		case t.isValue() && p.namesRow(i, w):
			w.row = t.text
		case t.isValue():
			w.labels = append(w.labels, t.text)
		case t.kind == commaToken, isOneOf(word, []string{"and", "with", "for", "of", "from", "in", "as", "including", "plus", "on"}):
			flush()
		case t.kind == urlToken:
			return nil, "it has an address in it; go there first"
		case !isOneOf(word, unsaid):
			phrase = append(phrase, t.text)
		}
	}
	flush()
	return []step{{verb: p.verb, want: w}}, ""
}

// unsaid are words that add nothing to what is wanted.
var unsaid = []string{
	"the", "a", "an", "me", "its", "their", "it", "them", "json", "object", "array", "format", "form", "back", "to", "this", "that",
	"current", "shown", "displayed", "visible", "following", "values", "value", "fields", "field", "columns", "column", "result",
	"your", "answer", "these", "those", "what", "is", "are", "exactly", "page", "page's", "site", "site's", "valid", "of", "by", "you", "find", "found", "see", "all", "each", "every",
}

// namesRow reports whether a text in quotes says which row is meant: it comes
// behind another and one of "of", "for" and "in the row".
func (p *clauseParser) namesRow(i int, w want) bool {
	if i == 0 {
		return false
	}
	before := i - 1
	for before > 0 && isOneOf(p.tokens[before].lower(), []string{"the", "product", "item", "entry", "row"}) {
		before--
	}
	return !w.empty() && isOneOf(p.tokens[before].lower(), []string{"of", "for"}) ||
		slices.ContainsFunc(p.tokens[before:i], func(t token) bool { return t.lower() == "row" })
}

// add files a phrase under what it means.
func (w *want) add(phrase string) {
	switch strings.ToLower(phrase) {
	case "title":
		w.title = true
	case "url", "address", "link", "location":
		w.url = true
	case "heading", "headline", "main heading":
		w.heading = true
	case "text", "content", "whole text", "full text":
		w.text = true
	default:
		words := strings.Fields(strings.ToLower(phrase))
		if !slices.ContainsFunc(words, func(s string) bool { return !isOneOf(s, tableWords) }) {
			w.table = true
			return
		}
		w.phrases = append(w.phrases, phrase)
	}
}
