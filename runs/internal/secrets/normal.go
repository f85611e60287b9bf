package secrets

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// normal is a text in normal form, with the way back.
type normal struct {
	norm string
	// from and to are, for each byte of norm, where in the text what it was
	// made of begins and ends.
	from, to []int32
}

// normalised brings a text into normal form: NFKC with case folded, each run
// of white space one space, without characters that nobody sees. Without fold
// case stays.
func normalised(text string, fold bool) normal {
	w := normaliser{fold: fold, out: make([]byte, 0, len(text)), from: make([]int32, 0, len(text)), to: make([]int32, 0, len(text))}
	for i := 0; i < len(text); {
		size := 1
		if text[i] >= utf8.RuneSelf || i+1 < len(text) && text[i+1] >= utf8.RuneSelf {
			size = max(1, norm.NFKC.NextBoundaryInString(text[i:], true))
			w.segment(text[i:i+size], i)
		} else {
			w.ascii(text[i], i)
		}
		i += size
	}
	return normal{norm: string(w.out), from: w.from, to: w.to}
}

type normaliser struct {
	fold     bool
	caser    *cases.Caser // made when it is first needed
	out      []byte
	from, to []int32
}

func (w *normaliser) put(c byte, from, to int) {
	w.out, w.from, w.to = append(w.out, c), append(w.from, int32(from)), append(w.to, int32(to))
}

// space folds a run of white space.
func (w *normaliser) space(from, to int) {
	if n := len(w.out); n == 0 || w.out[n-1] != ' ' {
		w.put(' ', from, to)
	}
}

func (w *normaliser) ascii(c byte, at int) {
	switch {
	case c == ' ' || '\t' <= c && c <= '\r':
		w.space(at, at+1)
	case c < ' ' || c == 0x7f: // seen by nobody
	case w.fold && 'A' <= c && c <= 'Z':
		w.put(c+'a'-'A', at, at+1)
	default:
		w.put(c, at, at+1)
	}
}

// segment takes characters that normalisation may change together.
func (w *normaliser) segment(text string, at int) {
	s := norm.NFKC.String(text)
	if w.fold {
		if w.caser == nil {
			c := cases.Fold()
			w.caser = &c
		}
		s = w.caser.String(s)
	}
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			w.space(at, at+len(text))
		case !Unseen(r):
			for _, c := range []byte(string(r)) {
				w.put(c, at, at+len(text))
			}
		}
	}
}

// Unseen are characters that a page can put between those of a value, or hide text
// in, without anybody seeing it: control and format characters, private use,
// fillers and variation selectors.
func Unseen(r rune) bool {
	switch {
	case r == 0x034f, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef:
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}

// skipped is what people put between the parts of numbers and names.
const skipped = " -./()\u2010\u2011\u2012\u2013\u2014\u00b7"

// loose is the normal form without what is skipped in a loose search, and for
// each byte its place in the normal form.
func (n normal) loose() (text string, at []int32) {
	out := make([]byte, 0, len(n.norm))
	at = make([]int32, 0, len(n.norm))
	for i, r := range n.norm {
		size := max(1, utf8.RuneLen(r))
		if strings.ContainsRune(skipped, r) {
			continue
		}
		for j := i; j < min(i+size, len(n.norm)); j++ {
			out, at = append(out, n.norm[j]), append(at, int32(j))
		}
	}
	return string(out), at
}
