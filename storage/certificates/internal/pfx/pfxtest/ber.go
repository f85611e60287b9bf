package pfxtest

import (
	"encoding/asn1"
	"slices"
)

// BER writes DER as some programs do: no value that has others in it says how
// long it is, and octets are in two pieces. What is inside of octets stays.
func BER(der []byte) (ber []byte) {
	for len(der) > 0 {
		var v asn1.RawValue
		rest, err := asn1.Unmarshal(der, &v)
		if err != nil {
			return append(ber, der...)
		}
		id := der[0]
		switch {
		case v.IsCompound:
			ber = slices.Concat(ber, []byte{id, 0x80}, BER(v.Bytes), []byte{0, 0})
		case id == asn1.TagOctetString && len(v.Bytes) > 1:
			ber = slices.Concat(ber, []byte{id | 0x20, 0x80}, octets(v.Bytes[:1]), octets(v.Bytes[1:]), []byte{0, 0})
		case id == 0x80 && len(v.Bytes) > 1: // what is encrypted
			ber = slices.Concat(ber, []byte{0xa0, 0x80}, octets(v.Bytes[:1]), octets(v.Bytes[1:]), []byte{0, 0})
		default:
			ber = append(ber, v.FullBytes...)
		}
		der = rest
	}
	return ber
}

func octets(b []byte) []byte {
	der, err := asn1.Marshal(b)
	if err != nil {
		panic(err) // octets can be written
	}
	return der
}
