package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// special are the characters that mean something to a reader of markdown, in
// some place at least.
var special = func() (t [256]bool) {
	for _, c := range []byte("\\`*_~[]<>&!#+-=.)|:$") {
		t[c] = true
	}
	return t
}()

// text writes a text so that it is read as what it says. A character is
// escaped only where it would be taken for markup: by what stands beside it in
// this text, and with the worst assumed of what stands before and after it.
func (e *engine) text(w converter.Writer, n *html.Node) {
	s := n.Data
	e.Read(len(s))
	plain := 0 // where the characters not yet written begin
	t := escaper{work: e.work, s: s, inLink: e.inLink, inStrike: e.inStrike, node: n, engine: e}
	for i := 0; i < len(s); i++ {
		if !special[s[i]] || !t.needsEscape(i) {
			continue
		}
		_, _ = w.WriteString(s[plain:i])
		_ = w.WriteByte('\\')
		plain = i
	}
	_, _ = w.WriteString(s[plain:])
}

type escaper struct {
	*work
	s                string
	inLink, inStrike bool
	node             *html.Node
	engine           *engine
	// The run of underscores at hand begins and ends here.
	runStart, runEnd int
	// dollars says that those side by side at hand are escaped.
	dollars bool
	// lastTilde is where the last one is that could end a passage that is struck
	// out, plus 1; -1 for none, 0 until asked.
	lastTilde int
	// balanced is 1 if the brackets of s pair up, -1 if not, 0 until asked.
	balanced int
}

func (t *escaper) needsEscape(i int) bool {
	switch t.s[i] {
	case '\\':
		return i+1 == len(t.s) || isPunct(t.s[i+1]) || strings.TrimLeft(t.s[i+1:], " ") == ""
	case '`':
		return true
	case '*':
		return !t.betweenSpaces(i)
	case '_':
		return !t.betweenSpaces(i) && !t.insideWord(i)
	case '~':
		return t.inStrike || t.closesStrike(i) || t.opensStrike(i)
	case '[', ']':
		return t.bracket(i)
	case '<':
		return i+1 == len(t.s) || isLetter(t.s[i+1]) || strings.IndexByte("/!?", t.s[i+1]) >= 0
	case '&':
		return isEntity(t.s[i:]) || isOpenEntity(t.s[i:]) && t.joins()
	case '$':
		return t.isFormulaMark(i)
	case '!':
		next, _ := t.adjacent(t.node, forward)
		return i+1 == len(t.s) && named(next, "a")
	}
	return t.atLineStart(i) && t.startsBlock(i)
}

// isFormulaMark reports whether the dollar at i would begin or end a formula: any
// on a page that has formulas, and one that could end what another before it
// began, as several side by side could. A dollar ends nothing after a space or before a
// digit, as in "$5 and $10" (pandoc, tex_math_dollars; GitHub does the same).
func (t *escaper) isFormulaMark(i int) bool {
	first, last := i == 0, i+1 == len(t.s)
	switch {
	case t.engine.formulas > 0:
		return true
	case !first && t.s[i-1] == '$':
		return t.dollars
	case !last && t.s[i+1] == '$':
		t.dollars, t.engine.dollar = t.engine.dollar, true
		return t.dollars
	}
	if t.engine.dollar && (first || !isSpaceByte(t.s[i-1])) && (last || t.s[i+1] < '0' || t.s[i+1] > '9') {
		return true
	}
	t.engine.dollar = t.engine.dollar || last || !isSpaceByte(t.s[i+1])
	return false
}

// betweenSpaces reports whether the character at i stands by itself. The end
// of a block is as good as a space; its start is not, there it may begin a list.
// A space at the edge of an element does not count, for it is written outside.
func (t *escaper) betweenSpaces(i int) bool {
	before, after := t.s[:i], t.s[i+1:]
	if before == "" || !isSpaceByte(before[i-1]) || i == 1 && t.node.PrevSibling == nil {
		return false
	}
	if after == "" || after == " " && t.node.NextSibling == nil {
		next, end := t.adjacent(t.node, forward)
		return next == nil && end
	}
	return isSpaceByte(after[0])
}

// insideWord reports whether the underscores around i stand between letters or
// digits: no emphasis begins or ends there.
func (t *escaper) insideWord(i int) bool {
	if i >= t.runEnd {
		t.runStart, t.runEnd = i, len(t.s)-len(strings.TrimLeft(t.s[i:], "_"))
	}
	l, _ := utf8.DecodeLastRuneInString(t.s[:t.runStart])
	r, _ := utf8.DecodeRuneInString(t.s[t.runEnd:])
	return isWordRune(l) && isWordRune(r)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// bracket reports whether a bracket could be one of a link. Within a link,
// brackets stay as they are if they pair up. Elsewhere they matter only where
// they look like a check box or the beginning of a definition, and before what
// may be an address.
func (t *escaper) bracket(i int) bool {
	rest := t.s[i+1:]
	switch {
	case t.inLink:
		return !t.isBalanced()
	case t.s[i] == '[':
		return i > 0 && t.s[i-1] == '!' || t.atLineStart(i) && (isCheckBox(rest) || !closesAlone(rest))
	case rest == "":
		return t.joins()
	}
	return strings.IndexByte("([:", rest[0]) >= 0
}

// closesAlone reports whether the first bracket that closes in s has nothing to
// do with a link.
func closesAlone(s string) bool {
	i := strings.IndexByte(s, ']')
	return i >= 0 && (i+1 == len(s) || strings.IndexByte("([:", s[i+1]) < 0)
}

// isCheckBox reports whether s is what comes after the bracket of a check box.
func isCheckBox(s string) bool {
	return len(s) > 1 && s[1] == ']' && strings.IndexByte(" xX", s[0]) >= 0
}

// isBalanced reports whether the brackets of the text pair up and no pair looks
// like a link.
func (t *escaper) isBalanced() bool {
	if t.balanced == 0 {
		t.balanced = 1
		if !bracketsPair(t.s) || strings.HasSuffix(t.s, "]") && t.joins() {
			t.balanced = -1
		}
	}
	return t.balanced > 0
}

func bracketsPair(s string) bool {
	open := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			if i > 0 && s[i-1] == '!' {
				return false
			}
			open++
		case ']':
			open--
			if i+1 < len(s) && strings.IndexByte("([:", s[i+1]) >= 0 {
				return false
			}
		}
		if open < 0 {
			return false
		}
	}
	return open == 0
}

// maxLineStart is how many characters before a mark are looked at to find out
// whether it may be the first of its line.
const maxLineStart = 12

// atLineStart reports whether nothing but spaces, or the number of a list item,
// comes before i.
func (t *escaper) atLineStart(i int) bool {
	if i > maxLineStart {
		return false
	}
	before := strings.TrimLeft(t.s[:i], " ")
	if c := t.s[i]; c == '.' || c == ')' {
		return isNumber(before) && t.numberStartsLine(t.node, before != "")
	}
	return before == "" && t.startsLine(t.node)
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

// numberStartsLine reports whether the number at the beginning of n, or the one
// that n continues, is the first of its line.
func (w *work) numberStartsLine(n *html.Node, begun bool) bool {
	if prev, _ := w.adjacent(n, backward); isText(prev) {
		return isNumber(strings.TrimLeft(prev.Data, " ")) && w.startsLine(prev)
	}
	return begun && w.startsLine(n)
}

// startsBlock reports whether the characters from i on begin a block, if they
// are the first of a line.
func (t *escaper) startsBlock(i int) bool {
	rest := t.s[i+1:]
	switch t.s[i] {
	case '#':
		rest = strings.TrimLeft(rest, "#")
	case '>':
		return true
	case '|', ':':
		return isTableRule(t.s)
	case '=', '-':
		if isTableRule(t.s) || strings.Trim(rest, string(t.s[i])+" ") == "" {
			return true
		}
	}
	return rest == "" || isSpaceByte(rest[0])
}

// isTableRule reports whether a line would be read as the one under the head of
// a table.
func isTableRule(s string) bool { return strings.Trim(s, "|:- ") == "" && strings.Contains(s, "-") }

// joins reports whether other text may be written right after this one.
func (t *escaper) joins() bool {
	next, _ := t.adjacent(t.node, forward)
	return next != nil && (isText(next) || isTransparent(next))
}

// opensStrike reports whether a tilde stands before one that could end what it
// begins. That one is escaped, too: some readers look for two of them first.
func (t *escaper) opensStrike(i int) bool {
	if t.lastTilde == 0 {
		t.lastTilde = -1
		for at := len(t.s) - 1; at > i && t.lastTilde < 0; at-- {
			if t.s[at] == '~' && !isSpaceByte(t.s[at-1]) {
				t.lastTilde = at + 1
			}
		}
	}
	return i+1 < t.lastTilde && !isSpaceByte(t.s[i+1])
}

// closesStrike reports whether a tilde could end a passage that is struck out,
// or be one of two. One that only could begin such a passage is harmless.
func (t *escaper) closesStrike(i int) bool {
	if i+1 < len(t.s) && t.s[i+1] == '~' {
		return true
	}
	if i == 0 {
		return t.node.PrevSibling != nil || t.node.Parent == nil || !tree.IsBlock(t.node.Parent)
	}
	return !isSpaceByte(t.s[i-1])
}

// maxEntity is the length of the longest name of a character.
const maxEntity = 33

// isEntity reports whether s begins with the name of a character.
func isEntity(s string) bool {
	end := entityEnd(s)
	return end > 1 && end < len(s) && s[end] == ';'
}

// isOpenEntity reports whether s could be the beginning of such a name.
func isOpenEntity(s string) bool { return entityEnd(s) == len(s) }

// entityEnd returns where the letters and digits after an ampersand end.
func entityEnd(s string) int {
	i := 1
	for i < len(s) && i < maxEntity && (isLetter(s[i]) || '0' <= s[i] && s[i] <= '9' || s[i] == '#' && i == 1) {
		i++
	}
	return i
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isSpaceByte(c byte) bool { return c == ' ' || c == '\n' || c == '\t' }

// isPunct reports whether c is punctuation of ASCII, which a backslash escapes.
func isPunct(c byte) bool {
	return c > ' ' && c < 0x7f && !isLetter(c) && (c < '0' || c > '9')
}

// escapeText returns s as [engine.text] writes it inside of brackets.
func (e *engine) escapeText(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < utf8.RuneSelf && special[r] }) {
		return s
	}
	var b strings.Builder
	inside := engine{work: e.work, inLink: true, inStrike: true}
	inside.text(&b, tree.Text(s))
	return b.String()
}
