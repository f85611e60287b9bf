package plain

import (
	"slices"
	"strings"
)

// reading reads what a task wants to know, and where it is if it says that:
// return the price from https://shop.example/kettle.
func (p *clauseParser) reading() (steps []step, why string) {
	tokens, address, why := p.cutAddress()
	if address != "" {
		steps = append(steps, step{verb: openVerb, input: inputs{"url": address}})
	}
	r, with, from := wantReader{}, false, 0
	for i := range len(tokens) + 1 {
		if i < len(tokens) && tokens[i].kind != commaToken && !is(tokens[i].lower(), "between", "with") {
			continue
		}
		if part := tokens[from:i]; len(part) > 0 && why == "" {
			why = r.read(part, with)
		}
		from, with = i+1, with || i < len(tokens) && is(tokens[i].lower(), "with")
	}
	return append(steps, step{verb: p.verb, want: r.done()}), why
}

// cutAddress takes "from https://…" off the end.
func (p *clauseParser) cutAddress() (tokens []token, address, why string) {
	isURL := func(t token) bool { return t.kind == urlToken }
	at := slices.IndexFunc(p.tokens, isURL)
	if at < 0 {
		return p.tokens, "", ""
	}
	whole, after := p.tokens[:at], p.tokens[at+1:]
	before := skipBack(whole, "beforeAddress")
	switch {
	case slices.ContainsFunc(after, isURL):
		why = "it names two addresses"
	case leftOver(after, "beforeFormat") != "":
		why = leftOver(after, "beforeFormat")
	case len(before) == len(whole) && leftOver(before, "determiners", "whole") != "":
		why = "it has an address in it; go there first"
	}
	return before, p.tokens[at].text, why
}

// wantReader puts the parts together.
type wantReader struct {
	want want
	// scoped says that it is said what the names are of.
	scoped bool
	// ofPage are the names of which the task says that they are the page's.
	ofPage []string
}

// read reads one part: a name, or a name and what it is of; with says that it
// follows "with": the things before it are what it is of.
func (r *wantReader) read(part []token, with bool) (why string) {
	if with {
		r.turnIntoScope()
	}
	tokens, why := cutFormat(part)
	what, scope := cutAt(tokens, lists()["scope"]...)
	ofPage := leftOver(scope, "besideWhole") == "" && slices.ContainsFunc(scope, func(t token) bool { return is(t.lower(), "ofPage") })
	switch {
	case why != "":
		return why
	case scope == nil || ofPage:
	case leftOver(skipUnsaid(what), "tableWords") == "": // the value of "Price", a list of products
		what = scope
	default:
		if why := r.readScope(scope); why != "" {
			return why
		}
	}
	return r.readWhat(what, ofPage)
}

// turnIntoScope makes what has been named that which the names behind "with"
// are of: the products with name and price.
func (r *wantReader) turnIntoScope() {
	if w := &r.want; len(w.names) == 1 && !w.quoted && w.scope == "" && w.row == "" {
		w.scope, w.names = "each "+w.names[0], nil
		r.scoped = true
	}
	r.want.table = false
}

// cutFormat takes "as JSON" off the end.
func cutFormat(tokens []token) (rest []token, why string) {
	for i, t := range tokens {
		if why := leftOver(tokens[i+1:], "formats"); t.lower() == "as" || t.lower() == "in" && why == "" {
			return tokens[:i], why
		}
	}
	return tokens, ""
}

const severalThings = "it asks about several things; ask for each in a step of its own"

// readScope reads what the names are of.
func (r *wantReader) readScope(tokens []token) (why string) {
	w := &r.want
	if r.scoped {
		return severalThings
	}
	r.scoped = true
	var words []string
	for i, t := range tokens {
		switch {
		case t.isValue() && w.row != "":
			return severalThings
		case t.isValue():
			w.row = t.text
		case t.kind != wordToken:
			return leftOver(tokens)
		case !is(t.lower(), "determiners") || i == len(tokens)-1: // a thing may be called A
			words = append(words, t.text)
		}
	}
	switch {
	case w.row == "":
		w.scope = strings.Join(words, " ")
	case slices.ContainsFunc(words, func(s string) bool { return is(strings.ToLower(s), "tables") }):
		w.row, w.scope = "", w.row+" table"
	default:
		return tooManyWords(words)
	}
	return ""
}

// tooManyWords passes words for a row beside a text in quotes, and at most one
// other noun: the order "1003".
func tooManyWords(words []string) string {
	words = slices.DeleteFunc(words, func(s string) bool { return is(strings.ToLower(s), "rowNouns") || strings.EqualFold(s, "in") })
	if len(words) > 1 {
		return "it says more than can be followed: " + strings.Join(words, " ")
	}
	return ""
}

// skipUnsaid leaves out the words at the beginning and the end that say
// nothing; nothing is left where there are no others.
func skipUnsaid(tokens []token) []token { return skipBack(skip(tokens, "unsaid"), "trailing") }

// readWhat reads the name of what is wanted.
func (r *wantReader) readWhat(tokens []token, ofPage bool) (why string) {
	said := skipUnsaid(tokens)
	switch {
	case is(strings.ToLower(original(tokens)), "everything"):
		r.want.all = true
	case hasValue(said):
		return r.readQuoted(said)
	case slices.ContainsFunc(said, func(t token) bool { return t.kind != wordToken }):
		return leftOver(said)
	case len(said) > 0:
		r.add(original(said), ofPage)
	}
	return ""
}

// readQuoted reads names in quotes and the words beside them.
func (r *wantReader) readQuoted(tokens []token) (why string) {
	var words []string
	var values []token
	for _, t := range tokens {
		if t.isValue() {
			values = append(values, t)
		} else if t.kind == wordToken && !is(t.lower(), "unsaid") {
			words = append(words, t.lower())
		}
	}
	switch w := &r.want; {
	case len(words) == 0:
		for _, t := range values {
			w.names, w.quoted = append(w.names, t.text), true
		}
		return ""
	case len(words) == 1 && words[0] == "table" && w.scope == "":
		text, _ := takeValue(values)
		w.scope, w.table, r.scoped = text+" table", true, true
		return ""
	}
	if why := tooManyWords(words); why != "" {
		return why
	}
	return r.readScope(values) // the order "1003"
}

// add files a phrase under what it means.
func (r *wantReader) add(phrase string, ofPage bool) {
	w, name := &r.want, strings.ToLower(phrase)
	switch own := ownWords()[entry(phrase)]; {
	case own != "":
		w.own = append(w.own, own)
		if ofPage {
			r.ofPage = append(r.ofPage, own)
		}
	case is(name, "tableWords") && len(w.names) == 0:
		w.table = true
	default:
		w.names = append(w.names, phrase)
	}
}

// done returns what is wanted. The title of a row is not that of the page.
func (r *wantReader) done() want {
	w := r.want
	if w.row == "" && w.scope == "" {
		return w
	}
	w.own = slices.DeleteFunc(w.own, func(own string) bool {
		if slices.Contains(r.ofPage, own) {
			return false
		}
		w.names = append(w.names, own)
		return true
	})
	return w
}
