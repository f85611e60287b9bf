package pfx

import (
	"bytes"
	"encoding/asn1"
	"errors"
	"testing"
)

func TestBERBecomesDER(t *testing.T) {
	for name, test := range map[string]struct{ ber, der []byte }{
		"DER":                  {[]byte{0x30, 3, 2, 1, 5}, []byte{0x30, 3, 2, 1, 5}},
		"no length":            {[]byte{0x30, 0x80, 2, 1, 5, 0, 0}, []byte{0x30, 3, 2, 1, 5}},
		"no lengths":           {[]byte{0x30, 0x80, 0xa0, 0x80, 2, 1, 5, 0, 0, 0, 0}, []byte{0x30, 5, 0xa0, 3, 2, 1, 5}},
		"long lengths":         {[]byte{0x30, 0x82, 0, 5, 2, 0x83, 0, 0, 0}, []byte{0x30, 2, 2, 0}},
		"a longer length":      {[]byte{0x30, 0x82, 0, 4, 2, 0x81, 1, 5}, []byte{0x30, 3, 2, 1, 5}},
		"pieces":               {[]byte{0x24, 0x80, 4, 1, 'a', 4, 2, 'b', 'c', 0, 0}, []byte{4, 3, 'a', 'b', 'c'}},
		"pieces, with lengths": {[]byte{0x24, 5, 4, 1, 'a', 4, 0}, []byte{4, 1, 'a'}},
		"pieces of pieces":     {[]byte{0x24, 0x80, 0x24, 0x80, 4, 1, 'a', 0, 0, 4, 1, 'b', 0, 0}, []byte{4, 2, 'a', 'b'}},
		"a long tag":           {[]byte{0x7f, 0x81, 1, 0x80, 0, 0}, []byte{0x7f, 0x81, 1, 0}},
		"pieces of another":    {[]byte{0x24, 3, 2, 1, 5}, nil},
		"no end":               {[]byte{0x30, 0x80, 2, 1, 5}, nil},
		"half an end":          {[]byte{0x30, 0x80, 2, 1, 5, 0}, nil},
		"more behind":          {[]byte{0x30, 0, 0}, nil},
		"nothing":              {nil, nil},
		"a tag alone":          {[]byte{0x30}, nil},
		"a number, no length":  {[]byte{2, 0x80, 0, 0}, nil},
		"too short":            {[]byte{0x30, 5, 2, 1, 5}, nil},
		"a length of 9 bytes":  {[]byte{4, 0x89, 0, 0, 0, 0, 0, 0, 0, 0, 0}, nil},
		"a length that wraps":  {[]byte{4, 0x88, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, nil},
		"nested too deep":      {bytes.Repeat([]byte{0x30, 0x80}, 100000), nil},
	} {
		der, err := toDER(test.ber)
		if test.der == nil && !errors.Is(err, ErrMalformed) || test.der != nil && (err != nil || !bytes.Equal(der, test.der)) {
			t.Errorf("%s: % x, %v", name, der, err)
		}
	}
}

// FuzzDER holds what is DER against encoding/asn1, and the result against its own
// conversion.
func FuzzDER(f *testing.F) {
	f.Add([]byte{0x30, 0x80, 0x24, 0x80, 4, 1, 'a', 0, 0, 0, 0})
	f.Add([]byte{0x30, 0x82, 0, 4, 2, 0x81, 1, 5})
	f.Fuzz(func(t *testing.T, ber []byte) {
		der, err := toDER(ber)
		if err != nil {
			return
		}
		if len(der) > 3*len(ber) {
			t.Errorf("%d bytes became %d", len(ber), len(der))
		}
		var v asn1.RawValue
		if rest, err := asn1.Unmarshal(der, &v); err == nil && len(rest) > 0 {
			t.Errorf("% x has more behind it", der)
		}
		if again, err := toDER(der); err != nil || !bytes.Equal(again, der) {
			t.Errorf("% x, then % x, %v", der, again, err)
		}
	})
}
