package schema

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// pattern is a regular expression of a schema. JSON Schema wants those of
// ECMAScript, which can take exponential time; Go's take time proportional to
// size × length, and lack what makes the difference: look-around and
// backreferences. One common use of look-ahead is no loss, at the very start
// ("^(?!.*\.\.)…", "^(?=.*[0-9])…"): there it is a second expression.
type pattern struct {
	text  string
	size  int // steps of the compiled form, roughly
	ahead []lookahead
	rest  *regexp.Regexp
}

type lookahead struct {
	re     *regexp.Regexp
	forbid bool
}

func (p *pattern) match(s string) bool {
	for _, a := range p.ahead {
		if a.re.MatchString(s) == a.forbid {
			return false
		}
	}
	return p.rest.MatchString(s)
}

// compilePattern compiles text, or says why not in words that follow "the
// regular expression".
func compilePattern(text string, maxSize int) (p *pattern, why string) {
	if len(text) > maxPatternText {
		return nil, "has more than 4096 bytes"
	}
	p = &pattern{text: text}
	if text, why = translate(text); why != "" {
		return nil, why
	}
	parts, rest := splitLookaheads(text)
	for _, part := range append(parts, lookaheadText{text: rest}) {
		size, why := measure(part.text)
		if why != "" {
			return nil, why
		}
		if p.size += size; p.size > maxSize {
			return nil, "is too large: repetitions count as often as they may occur"
		}
	}
	for _, part := range parts {
		re, err := regexp.Compile(part.text)
		if err != nil {
			return nil, describe(err)
		}
		p.ahead = append(p.ahead, lookahead{re, part.forbid})
	}
	re, err := regexp.Compile(rest)
	if err != nil {
		return nil, describe(err)
	}
	p.rest = re
	return p, ""
}

// measure parses text and estimates the size of its compiled form, without
// compiling it: nested repetitions multiply.
func measure(text string) (size int, why string) {
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return 0, describe(err)
	}
	return steps(re), ""
}

func steps(re *syntax.Regexp) int {
	const saturated = 1 << 20
	sum := 2
	for _, sub := range re.Sub {
		sum = min(sum+steps(sub), saturated)
	}
	switch re.Op {
	case syntax.OpLiteral:
		sum += len(re.Rune)
	case syntax.OpCharClass:
		sum += len(re.Rune) / 64
	case syntax.OpRepeat:
		sum *= max(re.Max, 1)
		if re.Max < 0 { // {n,}
			sum *= re.Min + 1
		}
	}
	return min(sum, saturated) // so that no product overflows
}

// describe puts an error of regexp/syntax into words for those who write for
// another engine.
func describe(err error) string {
	e, ok := err.(*syntax.Error)
	switch {
	case !ok:
		return "cannot be compiled"
	case strings.HasPrefix(e.Expr, "(?=") || strings.HasPrefix(e.Expr, "(?!"):
		return "has a look-ahead, which RE2 does not support (except directly behind a leading ^): " + quote(e.Expr)
	case strings.HasPrefix(e.Expr, "(?<=") || strings.HasPrefix(e.Expr, "(?<!"):
		return "has a look-behind, which RE2 does not support: " + quote(e.Expr)
	case e.Code == syntax.ErrInvalidEscape && len(e.Expr) == 2 && '1' <= e.Expr[1] && e.Expr[1] <= '9':
		return "has a backreference, which RE2 does not support: " + quote(e.Expr)
	}
	return "RE2 does not accept (" + string(e.Code) + ": " + quote(e.Expr) + ")"
}

type lookaheadText struct {
	text   string
	forbid bool
}

// splitLookaheads takes the look-aheads from behind a leading ^. There, and if
// no | at the top level makes them belong to one side only, they say of the
// same text that something else matches it too, or does not.
func splitLookaheads(text string) (parts []lookaheadText, rest string) {
	rest, anchored := strings.CutPrefix(text, "^")
	for anchored && !strings.Contains(text, `\Q`) {
		positive := strings.HasPrefix(rest, "(?=")
		if !positive && !strings.HasPrefix(rest, "(?!") {
			break
		}
		end, _ := scanGroup(rest[1:])
		if end < 0 {
			return nil, text
		}
		parts = append(parts, lookaheadText{"^(?:" + rest[3:1+end] + ")", !positive})
		rest = rest[1+end+1:]
	}
	if _, alternatives := scanGroup(rest); alternatives || parts == nil {
		return nil, text
	}
	return parts, "^(?:" + rest + ")"
}

// scanGroup finds the parenthesis that closes the group which text begins
// inside of, -1 if none, and whether a | stands before it, not nested.
func scanGroup(text string) (end int, alternatives bool) {
	depth, class := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
			i += leadingBracket(text[i+1:])
		case c == '(':
			depth++
		case c == ')' && depth == 0:
			return i, alternatives
		case c == ')':
			depth--
		case c == '|' && depth == 0:
			alternatives = true
		}
	}
	return -1, alternatives
}

// leadingBracket returns how much of a character class to skip so that a "]"
// which is its first member does not end it.
func leadingBracket(class string) int {
	n := 0
	if strings.HasPrefix(class, "^") {
		n++
	}
	if strings.HasPrefix(class[n:], "]") {
		n++
	}
	return n
}

// readingCost estimates what it takes to parse text, in microseconds: a
// Unicode class is a table of hundreds of ranges, and to ignore case in a wide
// range means to look at every letter of it.
func readingCost(text string) int {
	classes := strings.Count(text, `\p`) + strings.Count(text, `\P`)
	cost := len(text) + 80*classes
	wide := classes > 0 || strings.Contains(text, `\x{`) || strings.Contains(text, `\u`) || strings.Contains(text, `\S`) || strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
	if wide && ignoresCase(text) {
		cost *= 300
	}
	return cost
}

// ignoresCase reports whether text has a group that sets flag i.
func ignoresCase(text string) bool {
	for {
		_, after, found := strings.Cut(text, "(?")
		if !found {
			return false
		}
		flags := after[:len(after)-len(strings.TrimLeft(after, "imsU-"))]
		if strings.Contains(flags, "i") {
			return true
		}
		text = after
	}
}
