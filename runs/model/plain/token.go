package plain

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
)

// tokenKind is what a piece of a task is.
type tokenKind uint8

const (
	noToken tokenKind = iota
	wordToken
	quoteToken    // text in quotes, without them
	variableToken // %name%
	urlToken      // an address
	stopToken     // the end of a sentence: a full stop, semicolon, exclamation mark
	commaToken
	lineToken // the end of a line
)

// token is a piece of a task.
type token struct {
	kind tokenKind
	text string
	// from and to are its place in the task, quotes included.
	from, to int
}

// lower is the word in lower case; empty for what is no word.
func (t token) lower() string {
	if t.kind != wordToken {
		return ""
	}
	return strings.ToLower(t.text)
}

// isValue reports whether the caller wrote the token to be taken as it is.
func (t token) isValue() bool { return t.kind == quoteToken || t.kind == variableToken }

// isAddress reports whether the token may be where to go: an address, in quotes
// or not, or a variable.
func (t token) isAddress() bool {
	return t.kind == urlToken || t.kind == variableToken ||
		t.kind == quoteToken && !strings.ContainsAny(t.text, " \t\n") && addressForm().MatchString(t.text)
}

// isMark reports whether the token is no more than a mark between words.
func (t token) isMark() bool { return t.kind >= stopToken }

// separates reports whether the token may stand between two things.
func (t token) separates() bool { return t.kind == commaToken || t.lower() == "and" }

func hasValue(tokens []token) bool { return slices.ContainsFunc(tokens, token.isValue) }

func indexOf(tokens []token, words ...string) int {
	return slices.IndexFunc(tokens, func(t token) bool { return t.lower() != "" && slices.Contains(words, t.lower()) })
}

// cutAt cuts at the first of the words; after is nil without one.
func cutAt(tokens []token, words ...string) (before, after []token) {
	if i := indexOf(tokens, words...); i >= 0 {
		return tokens[:i], tokens[i+1:]
	}
	return tokens, nil
}

// original is what the caller wrote, white space folded.
func original(tokens []token) string {
	var words []string
	for _, t := range tokens {
		if t.kind != commaToken {
			words = append(words, t.text)
		}
	}
	return strings.Join(words, " ")
}

// closing maps opening quotes to closing ones.
var closing = map[rune]string{
	'"': `"`, '“': "”“\"", '„': "“”\"", '«': "»", '»': "«", '‘': "’", '‚': "‘’", '`': "`", '\'': "'",
}

// lex cuts a task into tokens.
func lex(text string) (all []token) {
	for at := 0; at < len(text); {
		t := tokenAt(text, at)
		if at = t.to; t.kind != noToken {
			all = append(all, t)
		}
	}
	return all
}

func tokenAt(text string, at int) token {
	r, size := utf8.DecodeRuneInString(text[at:])
	kind := noToken
	switch {
	case r == '\n' || r == '\r':
		kind = lineToken
	case unicode.IsSpace(r):
	case r == ',' || r == ':':
		kind = commaToken
	case strings.ContainsRune(";.!?→>…", r):
		kind = stopToken
	case closing[r] != "":
		if end, next := endOfQuote(text, at, r, size); next > 0 {
			return token{quoteToken, text[at+size : end], at, next}
		}
		fallthrough
	case strings.ContainsRune("()[]{}<\"“”„«»‘’‚`'", r):
	default:
		return wordAt(text, at)
	}
	return token{kind, text[at : at+size], at, at + size}
}

// maxQuote is the longest text in quotes, in bytes.
const maxQuote = 8 << 10

// endOfQuote is where a text in quotes ends, and where it goes on behind the
// closing one; both are 0 where there is none. A single quote is one only where a
// word begins; inside of words it is an apostrophe.
func endOfQuote(text string, at int, open rune, size int) (end, next int) {
	if open == '\'' && at > 0 && isWordByte(text[at-1]) {
		return 0, 0
	}
	for i, r := range text[at+size : min(len(text), at+maxQuote)] {
		end, next = at+size+i, at+size+i+utf8.RuneLen(r)
		isApostrophe := (r == '\'' || r == '’') && next < len(text) && isWordByte(text[next])
		switch {
		case r == '\n' && open != '"' && open != '“':
			return 0, 0
		case strings.ContainsRune(closing[open], r) && !isApostrophe:
			return end, next
		}
	}
	return 0, 0
}

func isWordByte(c byte) bool {
	return c >= 0x80 || c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

var (
	variableForm = lexicon.Pattern(`^%[A-Za-z0-9_-]{1,64}%`)
	addressForm  = lexicon.Pattern(`(?i)^(https?://|(localhost|[\pL\d_-]+(\.[\pL\d_-]+)*\.([\pL]{2,}|xn--[a-z\d-]+)|\d+\.\d+\.\d+\.\d+|\[[\da-f:.]+\])(:\d+)?([/?#]|$))`)
	longWord     = lexicon.Pattern("^[^\\s\\v\\x{85}\\p{Z}\"“”„«»‘`<>]*")
	endOfWord    = ".,;:!?)]}>'\"’”»…"
)

// wordAt takes everything up to white space or a quote and decides what it is.
func wordAt(text string, at int) token {
	rest := text[at:]
	variable := variableForm().FindString(rest)
	if after := rest[len(variable):]; variable != "" && (after == "" || strings.ContainsAny(after[:1], " \t\r\n.,;:!?)\"'”’»")) { // or it begins an address
		return token{variableToken, variable, at, at + len(variable)}
	}
	whole := longWord().FindString(rest)
	word := cmp.Or(strings.TrimRight(whole, endOfWord), whole)
	kind := wordToken
	if variable != "" || addressForm().MatchString(word) {
		kind = urlToken
	} else if i := strings.IndexAny(word, ",;→"); i > 0 { // "click,type"
		word = word[:i]
	}
	return token{kind, word, at, at + len(word)}
}

// partition splits tokens into those for which something holds and the rest.
func partition(tokens []token, holds func(token) bool) (those, rest []token) {
	for _, t := range tokens {
		if holds(t) {
			those = append(those, t)
		} else {
			rest = append(rest, t)
		}
	}
	return those, rest
}
