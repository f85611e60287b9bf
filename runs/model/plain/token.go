package plain

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
)

// tokenKind is what a piece of a task is.
type tokenKind uint8

const (
	wordToken     tokenKind = iota
	quoteToken              // text in quotes, without them
	variableToken           // %name%
	urlToken                // an address
	stopToken               // the end of a sentence: a full stop, semicolon, exclamation mark
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

// lexer cuts a task into tokens.
type lexer struct {
	text string
	at   int
	out  []token
}

func lex(text string) []token {
	l := &lexer{text: text}
	for l.at < len(l.text) {
		l.next()
	}
	return l.out
}

func (l *lexer) next() {
	r, size := utf8.DecodeRuneInString(l.text[l.at:])
	switch {
	case r == '\n' || r == '\r':
		l.add(lineToken, "", l.at, l.at+size)
	case unicode.IsSpace(r):
		l.at += size
	case closing[r] != "" && l.quoted(r, size):
	case r == ',' || r == ':':
		l.add(commaToken, string(r), l.at, l.at+size)
	case r == ';' || r == '.' || r == '!' || r == '?' || r == '→' || r == '>' || r == '…':
		l.add(stopToken, string(r), l.at, l.at+size)
	case strings.ContainsRune("()[]{}<\"“”„«»‘’‚`'", r):
		l.at += size
	default:
		l.word()
	}
}

func (l *lexer) add(kind tokenKind, text string, from, to int) {
	l.out = append(l.out, token{kind, text, from, to})
	l.at = to
}

// maxQuote is the longest text in quotes, in bytes.
const maxQuote = 8 << 10

// quoted takes a text in quotes. A single quote is one only where a word
// begins; inside of words it is an apostrophe.
func (l *lexer) quoted(open rune, size int) bool {
	from := l.at
	text := l.text[:min(len(l.text), from+maxQuote)]
	if open == '\'' && from > 0 && isWordByte(l.text[from-1]) {
		return false
	}
	for i := from + size; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == '\n' && open != '"' && open != '“' {
			return false
		}
		apostrophe := (r == '\'' || r == '’') && i+n < len(l.text) && isWordByte(l.text[i+n])
		if strings.ContainsRune(closing[open], r) && !apostrophe {
			l.add(quoteToken, l.text[from+size:i], from, i+n)
			return true
		}
		i += n
	}
	return false
}

func isWordByte(c byte) bool {
	return c >= 0x80 || c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

var (
	variableForm = lexicon.Pattern(`^%[A-Za-z0-9_-]{1,64}%`)
	addressForm  = lexicon.Pattern(`(?i)^(https?://|(localhost|[\pL\d_-]+(\.[\pL\d_-]+)*\.([\pL]{2,}|xn--[a-z\d-]+)|\d+\.\d+\.\d+\.\d+|\[[\da-f:.]+\])(:\d+)?([/?#]|$))`)
	endOfWord    = ".,;:!?)]}>'\"’”»…"
)

// word takes everything up to white space or a quote and decides what it is.
func (l *lexer) word() {
	from := l.at
	rest := l.text[from:]
	if m := variableForm().FindString(rest); m != "" && (m == rest || strings.ContainsAny(rest[len(m):len(m)+1], " \t\r\n.,;:!?)\"'”’»")) { // or it begins an address
		l.add(variableToken, m, from, from+len(m))
		return
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"“”„«»‘`<>", r) })
	if end < 0 {
		end = len(rest)
	}
	word := strings.TrimRight(rest[:end], endOfWord)
	if word == "" {
		word = rest[:end]
	}
	if addressForm().MatchString(word) || variableForm().MatchString(word) {
		l.add(urlToken, word, from, from+len(word))
		return
	}
	if i := strings.IndexAny(word, ",;→"); i > 0 { // "click,type"
		word = word[:i]
	}
	l.add(wordToken, word, from, from+len(word))
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
