package rawjson

import "fmt"

func (r *reader) value(depth int) error {
	switch c := r.space(); c {
	case '{', '[':
		if depth >= MaxDepth {
			return &textError{fmt.Sprintf("arrays and objects are nested more than %d deep", MaxDepth), r.pos, ErrDepth}
		}
		return r.composite(c, depth+1)
	case '"':
		return r.text()
	case 't':
		return r.literal("true")
	case 'f':
		return r.literal("false")
	case 'n':
		return r.literal("null")
	default:
		return r.number()
	}
}

// composite reads an object or an array.
func (r *reader) composite(open byte, depth int) error {
	closing := open + 2 // both brackets stand two before their partners
	r.take()
	if r.space() == closing {
		r.take()
		return nil
	}
	for {
		if open == '{' {
			if err := r.name(); err != nil {
				return err
			}
		}
		if err := r.value(depth); err != nil {
			return err
		}
		switch r.space() {
		case ',':
			r.take()
		case closing:
			r.take()
			return nil
		default:
			return r.wrong("a comma or a closing bracket is missing")
		}
	}
}

func (r *reader) name() error {
	if r.space() != '"' {
		return r.wrong("a name in quotes is missing")
	}
	if err := r.text(); err != nil {
		return err
	}
	if r.space() != ':' {
		return r.wrong("a colon is missing")
	}
	r.take()
	return nil
}

// take copies one byte.
func (r *reader) take() {
	r.dst = append(r.dst, r.src[r.pos])
	r.pos++
}

func (r *reader) literal(word string) error {
	if len(r.src)-r.pos < len(word) || string(r.src[r.pos:r.pos+len(word)]) != word {
		return r.wrong("a value is missing")
	}
	r.dst = append(r.dst, word...)
	r.pos += len(word)
	return nil
}

func (r *reader) text() error {
	start := r.pos
	for r.pos++; r.pos < len(r.src); r.pos++ {
		switch c := r.src[r.pos]; {
		case c == '"':
			r.pos++
			r.dst = append(r.dst, r.src[start:r.pos]...)
			return nil
		case c < ' ':
			return r.wrong("a control character stands in a string")
		case c == '\\':
			if err := r.escape(); err != nil {
				return err
			}
		}
	}
	return r.wrong("a string does not end")
}

// escape leaves the position at the last byte of the escape.
func (r *reader) escape() error {
	r.pos++
	if r.pos >= len(r.src) {
		return r.wrong("a string does not end")
	}
	switch r.src[r.pos] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return nil
	case 'u':
		for range 4 {
			if r.pos++; r.pos >= len(r.src) || !isHex(r.src[r.pos]) {
				return r.wrong("an escape is not four hexadecimal digits")
			}
		}
		return nil
	}
	return r.wrong("an unknown escape stands in a string")
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func (r *reader) number() error {
	start := r.pos
	r.skip('-')
	switch {
	case r.skip('0'):
	case r.digits() == 0:
		r.pos = start
		return r.wrong("a value is missing")
	}
	if r.skip('.') && r.digits() == 0 {
		return r.wrong("digits are missing")
	}
	if r.skip('e') || r.skip('E') {
		if !r.skip('+') {
			r.skip('-')
		}
		if r.digits() == 0 {
			return r.wrong("digits are missing")
		}
	}
	r.dst = append(r.dst, r.src[start:r.pos]...)
	return nil
}

func (r *reader) skip(c byte) bool {
	if r.pos < len(r.src) && r.src[r.pos] == c {
		r.pos++
		return true
	}
	return false
}

func (r *reader) digits() (n int) {
	for r.pos < len(r.src) && r.src[r.pos] >= '0' && r.src[r.pos] <= '9' {
		r.pos++
		n++
	}
	return n
}
