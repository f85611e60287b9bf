package schema

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"
)

// pattern is a regular expression of a schema. JSON Schema wants those of
// ECMAScript. What Go's engine can express it matches, in time proportional to
// size × length. Look-around, backreferences, properties that Go does not know
// and large repetitions are for an engine that goes back, which may take for
// ever: it is stopped (see [pattern.matches]).
type pattern struct {
	text string
	size int            // steps of the compiled form, roughly
	re2  *regexp.Regexp // nil where it cannot express the pattern
	ecma *regexp2.Regexp
	// patient is ecma with more time, made when the machine is first too busy.
	patient func() *regexp2.Regexp
	// stopped is how often the engine that goes back was stopped over a name
	// that [Pattern.Match] was asked for.
	stopped atomic.Int32
}

const (
	// patternTime is when a match that goes back is stopped. It is far more than
	// honest ones take.
	patternTime = 250 * time.Millisecond
	// patternPatient is when it is stopped that is tried again, because the machine
	// was too busy to let it work.
	patternPatient = 10 * patternTime
	// patternStack is how many numbers it may remember to go back to, of 8 bytes
	// each.
	patternStack = 1_000_000
	// patternTick is how exact the engine's clock is. A goroutine of the library
	// keeps it, for little more than a second from the last match on.
	patternTick = 10 * time.Millisecond
)

// setTick sets the clock, which the engine has one of for the whole program, when
// a pattern first needs it.
var setTick = sync.OnceFunc(func() { regexp2.SetTimeoutCheckPeriod(patternTick) })

// errStopped is a match that was stopped.
var errStopped = errors.New("the match of a regular expression was stopped")

// matches reports whether some part of s matches.
func (p *pattern) matches(s string) (bool, error) {
	if p.re2 != nil {
		return p.re2.MatchString(s), nil
	}
	setTick()
	ok, held, err := matchTimed(p.ecma, s)
	if err != nil && held {
		ok, _, err = matchTimed(p.patient(), s)
	}
	if err != nil {
		return false, errStopped // after its time, or with its stack full
	}
	return ok, nil
}

// matchTimed matches. It was held up if a good part of its time passed without any
// work, where the system tells.
func matchTimed(re *regexp2.Regexp, s string) (ok, held bool, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := time.Now()
	before, tells := threadTime()
	ok, err = re.MatchString(s)
	after, _ := threadTime()
	return ok, tells && time.Since(began) >= patternTime && after-before < patternTime*3/4, err
}

// patternPatience is how often a pattern may be stopped over names before it is
// not tried any more.
const patternPatience = 4

// matchName is for names that are looked up outside of a validation, where no
// meter counts. A pattern that takes too long matches none.
func (p *pattern) matchName(name string) bool {
	if p.stopped.Load() >= patternPatience {
		return false
	}
	ok, err := p.matches(name)
	if err != nil {
		p.stopped.Add(1)
	}
	return ok
}

// compilePattern compiles text, or says why not in words that follow "the
// regular expression".
func compilePattern(text string, maxSize int) (p *pattern, why string) {
	if len(text) > maxPatternText {
		return nil, "has more than 4096 bytes"
	}
	if p := compileRE2(text, maxSize); p != nil {
		return p, ""
	}
	if why := unread(text); why != "" {
		return nil, why
	}
	ecma, err := compileECMA(text, patternTime)
	if err != nil {
		return nil, describe(err)
	}
	patient := sync.OnceValue(func() *regexp2.Regexp {
		re, _ := compileECMA(text, patternPatient) // which has compiled before
		return re
	})
	return &pattern{text: text, size: len(text), ecma: ecma, patient: patient}, ""
}

func compileECMA(text string, limit time.Duration) (*regexp2.Regexp, error) {
	re, err := regexp2.Compile(text, regexp2.ECMAScript|regexp2.Unicode, regexp2.OptionMaxBacktrackingStackSize(patternStack))
	if err != nil {
		return nil, err
	}
	re.MatchTimeout = limit
	return re, nil
}

// compileRE2 returns nil for what Go's engine cannot express, or only as
// something too large, because repetitions count as often as they may occur.
func compileRE2(text string, maxSize int) *pattern {
	translated, ok := translate(text)
	if !ok {
		return nil
	}
	size, ok := measure(translated)
	if !ok || size > maxSize {
		return nil
	}
	re, err := regexp.Compile(translated)
	if err != nil {
		return nil
	}
	return &pattern{text: text, size: size, re2: re}
}

// unread is what the engine that goes back must not be given: groups that set
// flags, because to ignore case in a wide class it looks at every character
// there is, for each class (60 ms, so that 4096 bytes are two minutes); and
// letters behind a backslash that mean nothing, which it takes for themselves.
func unread(text string) (why string) {
	class := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
			if i < len(text) && isLetter(text[i]) && !strings.Contains("bBcdDfknpPrsStuvwWx", text[i:i+1]) {
				return "is none of ECMAScript: it has no " + quote(text[i-1:i+1])
			}
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case strings.HasPrefix(text[i:], "(?") && (i+2 == len(text) || !strings.Contains(":=!<", text[i+2:i+3])):
			return "sets flags, such as (?i), beside what Go's engine cannot do"
		}
	}
	return ""
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// measure parses text and estimates the size of its compiled form, without
// compiling it: nested repetitions multiply.
func measure(text string) (size int, ok bool) {
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return 0, false
	}
	return steps(re), true
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

// describe puts an error of the engine into words.
func describe(err error) string {
	text, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "error parsing regexp: "), " in `")
	return "is none of ECMAScript: " + shorten(text, 100)
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
