package plain

import (
	"slices"
	"strings"
)

// reading reads what a task wants to know, and where it is if it says that:
// return the price from https://shop.example/kettle.
func (p *clauseParser) reading() (steps []step, why string) {
	tokens, address, why := p.cutAddress()
	if why != "" {
		return nil, why
	}
	if address != "" {
		steps = append(steps, step{verb: openVerb, url: address})
	}
	r := wantReader{}
	for _, part := range partsOf(tokens) {
		if why := r.read(part); why != "" {
			return nil, why
		}
	}
	return append(steps, step{verb: p.verb, want: r.done()}), ""
}

// cutAddress takes "from https://…" off the end.
func (p *clauseParser) cutAddress() (tokens []token, address, why string) {
	at := slices.IndexFunc(p.tokens, func(t token) bool { return t.kind == urlToken })
	if at < 0 {
		return p.tokens, "", ""
	}
	before, after := p.tokens[:at], p.tokens[at+1:]
	if slices.ContainsFunc(after, func(t token) bool { return t.kind == urlToken }) {
		return nil, "", "it names two addresses"
	}
	if why := leftOver(after, formats, []string{"as", "in"}); why != "" {
		return nil, "", why
	}
	cut := len(before)
	for cut > 0 && isOneOf(before[cut-1].lower(), append([]string{"from", "of", "at", "on", "in", "for"}, append(whole, determiners...)...)) {
		cut--
	}
	if leftOver(before, determiners, whole) != "" && leftOver(before[cut:], determiners, whole) == "" {
		return nil, "", "it has an address in it; go there first"
	}
	return before[:cut], p.tokens[at].text, ""
}

// wanted is one thing of a list of things to return.
type wanted struct {
	tokens []token
	// with says that it follows "with": the things before it are what it is of.
	with bool
}

// partsOf cuts at commas, "and" and "with".
func partsOf(tokens []token) (all []wanted) {
	now := wanted{}
	flush := func(with bool) {
		if len(now.tokens) > 0 {
			all = append(all, now)
		}
		now = wanted{with: with}
	}
	for _, t := range tokens {
		switch w := t.lower(); {
		case t.kind == commaToken, w == "and", w == "plus":
			flush(now.with)
		case w == "with", w == "including":
			flush(true)
		default:
			now.tokens = append(now.tokens, t)
		}
	}
	flush(false)
	return all
}

// formats are words for how the result is written, which is always JSON.
var formats = []string{"json", "a", "an", "object", "array", "format", "valid", "the", "list", "list of", "of", "objects"}

// wantReader puts the parts together.
type wantReader struct {
	want want
	// scoped says that it is said what the names are of.
	scoped bool
	// ofPage are the names of which the task says that they are the page's.
	ofPage []string
}

var scopeWords = []string{"of", "for", "from", "in", "on"}

// read reads one part: a name, or a name and what it is of.
func (r *wantReader) read(part wanted) (why string) {
	if part.with {
		r.turnIntoScope()
	}
	tokens, why := cutFormat(part.tokens)
	if why != "" {
		return why
	}
	what, scope := cutAt(tokens, scopeWords...)
	ofPage := isPage(scope)
	if scope != nil && !ofPage {
		if leftOver(skipUnsaid(what), tableWords) == "" { // the value of "Price", a list of products
			what = scope
		} else if why := r.readScope(scope); why != "" {
			return why
		}
	}
	return r.readWhat(what, ofPage)
}

// isPage reports whether a scope is no more than the page or its table.
func isPage(scope []token) bool {
	places := append([]string{"table", "list"}, whole...)
	return slices.ContainsFunc(scope, func(t token) bool { return isOneOf(t.lower(), places) }) && leftOver(scope, determiners, places, []string{"current"}) == ""
}

// turnIntoScope makes what has been named that which the names behind "with"
// are of: the products with name and price.
func (r *wantReader) turnIntoScope() {
	if w := &r.want; len(w.phrases) == 1 && len(w.labels) == 0 && w.scope == "" && w.row == "" {
		w.scope, w.phrases = "each "+w.phrases[0], nil
		r.scoped = true
	}
	r.want.table = false
}

// cutFormat takes "as JSON" off the end.
func cutFormat(tokens []token) (rest []token, why string) {
	for i, t := range tokens {
		if w := t.lower(); w == "as" || w == "in" && leftOver(tokens[i+1:], formats) == "" {
			return tokens[:i], leftOver(tokens[i+1:], formats)
		}
	}
	return tokens, ""
}

// readScope reads what the names are of.
func (r *wantReader) readScope(tokens []token) (why string) {
	w := &r.want
	if r.scoped {
		return "it asks about several things; ask for each in a step of its own"
	}
	r.scoped = true
	var words []string
	for i, t := range tokens {
		switch {
		case t.isValue() && w.row != "":
			return "it asks about several things; ask for each in a step of its own"
		case t.isValue():
			w.row = t.text
		case t.kind != wordToken:
			return leftOver(tokens)
		case !isOneOf(t.lower(), determiners) || i == len(tokens)-1: // a thing may be called A
			words = append(words, t.text)
		}
	}
	if w.row == "" {
		w.scope = strings.Join(words, " ")
		return ""
	}
	if slices.ContainsFunc(words, func(s string) bool { return isOneOf(strings.ToLower(s), []string{"table", "list"}) }) {
		w.row, w.scope = "", w.row+" table"
		return ""
	}
	return tooManyWords(words)
}

// tooManyWords passes words for a row beside a text in quotes, and at most one
// other noun: the order "1003".
func tooManyWords(words []string) string {
	words = slices.DeleteFunc(words, func(s string) bool { return isOneOf(strings.ToLower(s), rowNouns) || strings.EqualFold(s, "in") })
	if len(words) > 1 {
		return "it says more than can be followed: " + strings.Join(words, " ")
	}
	return ""
}

// unsaid are words that add nothing to what is wanted.
var unsaid = append([]string{
	"me", "it", "them", "back", "shown", "displayed", "visible", "following", "values", "value", "fields", "field", "columns", "column", "result",
	"answer", "these", "those", "what", "is", "are", "exactly", "you", "find", "found", "see", "all", "each", "every", "json", "object", "array", "to", "that", "label", "labelled", "named", "called",
}, append(whole, determiners...)...)

// skipUnsaid leaves out the words at the beginning and the end that say
// nothing; nothing is left where there are no others.
func skipUnsaid(tokens []token) []token {
	for len(tokens) > 0 && isOneOf(tokens[0].lower(), unsaid) {
		tokens = tokens[1:]
	}
	for n := len(tokens); n > 0 && isOneOf(tokens[n-1].lower(), []string{"value", "values", "field", "fields", "column", "columns", "shown", "displayed", "back"}); n-- {
		tokens = tokens[:n-1]
	}
	return tokens
}

// readWhat reads the name of what is wanted.
func (r *wantReader) readWhat(tokens []token, ofPage bool) (why string) {
	if w := strings.ToLower(original(tokens)); isOneOf(w, everythingWords) {
		r.want.all = true
		return ""
	}
	said := skipUnsaid(tokens)
	if hasValue(said) {
		return r.readQuoted(said)
	}
	if len(said) == 0 {
		return ""
	}
	for _, t := range said {
		if t.kind != wordToken {
			return leftOver(said)
		}
	}
	r.add(original(said), ofPage)
	return ""
}

// readQuoted reads names in quotes and the words beside them.
func (r *wantReader) readQuoted(tokens []token) (why string) {
	var words []string
	for _, t := range tokens {
		if t.kind == wordToken && !isOneOf(t.lower(), unsaid) {
			words = append(words, strings.ToLower(t.text))
		}
	}
	w := &r.want
	switch {
	case len(words) == 0 && hasValue(tokens):
		for _, t := range tokens {
			if t.isValue() {
				w.labels = append(w.labels, t.text)
			}
		}
		return ""
	case isOneOf(words[len(words)-1], []string{"table"}) && len(words) == 1 && w.scope == "":
		text, _ := takeValue(slices.DeleteFunc(slices.Clone(tokens), func(t token) bool { return !t.isValue() }))
		w.scope, w.table, r.scoped = text+" table", true, true
		return ""
	}
	if why := tooManyWords(words); why != "" {
		return why
	}
	return r.readScope(slices.DeleteFunc(slices.Clone(tokens), func(t token) bool { return !t.isValue() })) // the order "1003"
}

// tableWords are nouns for a table and its rows, whatever it is called.
var tableWords = []string{"table", "rows", "list", "items", "entries", "results", "records"}

var everythingWords = []string{
	"everything", "all", "all data", "all the data", "the data", "data", "all values", "all the values", "contents", "the contents", "everything you see", "everything you find", "all of it", "the whole page", "all the contents",
}

// add files a phrase under what it means.
func (r *wantReader) add(phrase string, ofPage bool) {
	w := &r.want
	switch name := strings.ToLower(phrase); {
	case name == "title", name == "page title":
		w.title = true
	case isOneOf(name, []string{"url", "address", "link", "location", "current url"}):
		w.url = true
	case isOneOf(name, []string{"heading", "headline", "main heading"}):
		w.heading = true
	case isOneOf(name, []string{"text", "content", "whole text", "full text"}):
		w.text = true
	case isOneOf(name, tableWords) && len(w.labels)+len(w.phrases) == 0:
		w.table = true
	default:
		w.phrases = append(w.phrases, phrase)
		return
	}
	if ofPage {
		r.ofPage = append(r.ofPage, strings.ToLower(phrase))
	}
}

// done returns what is wanted. The title of a row is not that of the page.
func (r *wantReader) done() want {
	w := r.want
	if w.row == "" && w.scope == "" {
		return w
	}
	for _, own := range []struct {
		name string
		on   *bool
	}{{"title", &w.title}, {"url", &w.url}, {"heading", &w.heading}, {"text", &w.text}} {
		if *own.on && !slices.Contains(r.ofPage, own.name) {
			*own.on = false
			w.phrases = append(w.phrases, own.name)
		}
	}
	return w
}
