package pfx

import (
	"encoding/asn1"
	"fmt"
)

// maxDepth bounds nesting. Files of PKCS#12 have about 15 levels.
const maxDepth = 32

// toDER makes DER of BER (X.690, 8), as far as encoding/asn1 must have it:
// lengths are definite and short, and octets are in one piece. What follows the
// first value stays out.
//
// Each level copies what is in it, so the work is at most maxDepth times the
// size.
func toDER(ber []byte) ([]byte, error) {
	v, rest, err := value(ber, 0)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%w: %d bytes behind its end", ErrMalformed, len(rest))
	}
	return v, err
}

// value reads one value, and returns it in DER, and what follows.
func value(ber []byte, depth int) (der, rest []byte, err error) {
	h, in, err := readHeader(ber)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case depth == maxDepth:
		return nil, nil, fmt.Errorf("%w: nested more than %d times", ErrMalformed, maxDepth)
	case !h.compound && h.indefinite:
		return nil, nil, fmt.Errorf("%w: a length is missing", ErrMalformed)
	case h.indefinite:
		rest = in
	default:
		in, rest = in[:h.length], in[h.length:]
	}
	if h.compound {
		var after []byte
		if in, after, err = h.values(in, depth+1); err != nil {
			return nil, nil, err
		}
		if h.indefinite {
			rest = after
		}
	}
	return join(h.identifier(), in), rest, nil
}

// values reads what is in a value, to its end.
func (h header) values(ber []byte, depth int) (der, rest []byte, err error) {
	octets := h.isOctets()
	for rest = ber; ; {
		switch {
		case len(rest) == 0 && !h.indefinite:
			return der, nil, nil
		case h.indefinite && len(rest) >= 2 && rest[0] == 0 && rest[1] == 0:
			return der, rest[2:], nil
		}
		var one []byte
		if one, rest, err = value(rest, depth); err != nil {
			return nil, nil, err
		}
		if octets {
			if one, err = octetsOf(one); err != nil {
				return nil, nil, err
			}
		}
		der = append(der, one...)
	}
}

func octetsOf(der []byte) (octets []byte, err error) {
	if _, err = asn1.Unmarshal(der, &octets); err != nil {
		err = fmt.Errorf("%w: a piece of octets is none: %w", ErrMalformed, err)
	}
	return octets, err
}

// header is what stands before a value.
type header struct {
	id         []byte // class and tag
	compound   bool
	indefinite bool
	length     int // no more than there is
}

const compoundBit = 0x20

// isOctets reports whether it is of octets in pieces.
func (h header) isOctets() bool {
	return len(h.id) == 1 && h.id[0] == asn1.TagOctetString|compoundBit
}

// identifier is the tag in DER, where octets are in one piece.
func (h header) identifier() []byte {
	if h.isOctets() {
		return []byte{asn1.TagOctetString}
	}
	return h.id
}

func readHeader(ber []byte) (h header, rest []byte, err error) {
	n := 1
	if len(ber) > 0 && ber[0]&0x1f == 0x1f { // a long tag
		for n < len(ber) && ber[n]&0x80 != 0 {
			n++
		}
		n++
	}
	if n > 6 || n >= len(ber) {
		return h, nil, fmt.Errorf("%w: a value breaks off", ErrMalformed)
	}
	h.id, h.compound = ber[:n], ber[0]&compoundBit != 0
	size, rest := ber[n], ber[n+1:]
	switch {
	case size < 0x80:
		h.length = int(size)
	case size == 0x80:
		h.indefinite = true
	default:
		if h.length, rest, err = longLength(rest, int(size&0x7f)); err != nil {
			return h, nil, err
		}
	}
	if h.length > len(rest) {
		return h, nil, fmt.Errorf("%w: a value breaks off", ErrMalformed)
	}
	return h, rest, nil
}

// longLength reads a length of n bytes. Zeros may stand before it.
func longLength(ber []byte, n int) (length int, rest []byte, err error) {
	if n > len(ber) || n > 8 {
		return 0, nil, fmt.Errorf("%w: a length cannot be read", ErrMalformed)
	}
	for _, b := range ber[:n] {
		if length = length<<8 | int(b); length > len(ber) {
			return 0, nil, fmt.Errorf("%w: a value breaks off", ErrMalformed)
		}
	}
	return length, ber[n:], nil
}

// join puts tag, length and content together.
func join(id, content []byte) []byte {
	n := len(content)
	der := append(make([]byte, 0, len(id)+n+5), id...)
	switch {
	case n < 0x80:
		der = append(der, byte(n))
	case n < 1<<8:
		der = append(der, 0x81, byte(n))
	case n < 1<<16:
		der = append(der, 0x82, byte(n>>8), byte(n))
	case n < 1<<24:
		der = append(der, 0x83, byte(n>>16), byte(n>>8), byte(n))
	default:
		der = append(der, 0x84, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	return append(der, content...)
}
