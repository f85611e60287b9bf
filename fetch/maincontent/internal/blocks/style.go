package blocks

import (
	"unicode"
	"unicode/utf8"
)

// A style is what the characters of a text are like.
type style struct {
	chars, upper, digits, commas, stops int32
	currency, copyright, bar            int32
	last                                rune
	shouts                              int32 // words that begin with a capital letter
}

// read adds a text and returns the words in it.
func (s *style) read(text string) (words int) {
	in, wide := false, 0
	for i := 0; i < len(text); {
		c := rune(text[i])
		size := 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(text[i:])
		}
		i += size
		kind := s.kind(c)
		switch {
		case kind == wideLetter:
			wide++
			in = false
		case kind == letter && !in:
			words++
			in = true
			if c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf && unicode.IsUpper(c) {
				s.shouts++
			}
		case kind != letter:
			in = false
		}
	}
	return words + (wide+1)/2
}

type kind int

const (
	blank kind = iota
	letter
	wideLetter
	mark
)

func (s *style) kind(c rune) kind {
	switch {
	case c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == 0xA0:
		return blank
	case c >= 'a' && c <= 'z' || c == '_':
		s.see(c)
		return letter
	case c >= 'A' && c <= 'Z':
		s.see(c)
		s.upper++
		return letter
	case c >= '0' && c <= '9':
		s.see(c)
		s.digits++
		return letter
	}
	s.see(c)
	if c >= utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c)) {
		return s.foreign(c)
	}
	s.mark(c)
	return mark
}

func (s *style) see(c rune) {
	s.chars++
	s.last = c
}

// foreign tells letters of scripts that part words from the others.
func (s *style) foreign(c rune) kind {
	switch {
	case c >= 0x2E80 && c <= 0x9FFF || c >= 0x0E00 && c <= 0x0EFF || c >= 0xF900 && c <= 0xFAFF || c >= 0x20000 && c <= 0x3FFFF:
		return wideLetter
	case unicode.IsUpper(c):
		s.upper++
	}
	return letter
}

func (s *style) mark(c rune) {
	switch c {
	case '.', '!', '?', '。', '！', '？', '।', '؟', '…':
		s.stops++
	case ',', '，', '、', '،', ';', '；':
		s.commas++
	case '$', '€', '£', '¥', '₹', '₽', '₩':
		s.currency++
	case '©':
		s.copyright++
	case '|', '·', '•', '›', '»', '/', '>', '→':
		s.bar++
	}
}

// endsSentence reports whether the text stops as a sentence does.
func (s *style) endsSentence() bool {
	switch s.last {
	case '.', '!', '?', '。', '！', '？', '।', '؟', '…', '"', '”', ':':
		return true
	}
	return false
}
