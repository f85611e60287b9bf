package pfx

import (
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
)

var (
	oidData        = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}
	oidEncrypted   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 6}
	oidEnveloped   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 3}
	oidKeyBag      = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 1}
	oidShroudedKey = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 2}
	oidCertBag     = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 3}
	oidX509        = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 22, 1}

	// otherBags are those that are not taken.
	otherBags = map[string]string{
		"1.2.840.113549.1.12.10.1.4": "a list of revoked certificates",
		"1.2.840.113549.1.12.10.1.5": "a secret that is no private key",
		"1.2.840.113549.1.12.10.1.6": "a safe inside of a safe",
	}
)

type encryptedData struct {
	Version int
	Info    struct {
		Type      asn1.ObjectIdentifier
		Algorithm pkix.AlgorithmIdentifier
		// Content is tagged [0] instead of as octets, and may be in pieces.
		Content asn1.RawValue `asn1:"optional"`
	}
	Attributes asn1.RawValue `asn1:"optional"`
}

type bag struct {
	Type       asn1.ObjectIdentifier
	Value      asn1.RawValue
	Attributes asn1.RawValue `asn1:"optional"`
}

type certBag struct {
	Type  asn1.ObjectIdentifier
	Value []byte `asn1:"explicit,tag:0"`
}

type encryptedKey struct {
	Algorithm pkix.AlgorithmIdentifier
	Content   []byte
}

// safes opens one after the other.
func (o *opener) safes(content []byte) error {
	var all []contentInfo
	if err := unmarshal(content, &all); err != nil {
		return err
	}
	for _, one := range all {
		content, err := o.safe(one)
		if err != nil {
			return err
		}
		if err := o.bags(content); err != nil {
			return err
		}
	}
	return nil
}

func (o *opener) safe(c contentInfo) ([]byte, error) {
	switch {
	case c.Type.Equal(oidData):
		return c.octets()
	case c.Type.Equal(oidEnveloped):
		return nil, unknown("a safe that is locked with a key instead of a password")
	case !c.Type.Equal(oidEncrypted):
		return nil, unknown("a safe of the type %v", c.Type)
	}
	var e encryptedData
	if err := unmarshal(c.Content.Bytes, &e); err != nil {
		return nil, err
	}
	content, err := pieces(e.Info.Content)
	if err != nil {
		return nil, err
	}
	return o.decrypt(e.Info.Algorithm, content)
}

// pieces puts octets together that stand in a tag of another kind.
func pieces(v asn1.RawValue) ([]byte, error) {
	if !v.IsCompound {
		return v.Bytes, nil
	}
	var all []byte
	for rest := v.Bytes; len(rest) > 0; {
		var piece []byte
		var err error
		if rest, err = asn1.Unmarshal(rest, &piece); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
		}
		all = append(all, piece...)
	}
	return all, nil
}

func (o *opener) bags(content []byte) error {
	var all []bag
	if err := unmarshal(content, &all); err != nil {
		return err
	}
	for _, b := range all {
		if err := o.bag(b); err != nil {
			return err
		}
	}
	return nil
}

func (o *opener) bag(b bag) error {
	switch {
	case b.Type.Equal(oidKeyBag):
		o.Keys = append(o.Keys, b.Value.Bytes)
		return nil
	case b.Type.Equal(oidShroudedKey):
		key, err := o.key(b.Value.Bytes)
		o.Keys = append(o.Keys, key)
		return err
	case b.Type.Equal(oidCertBag):
		var c certBag
		if err := unmarshal(b.Value.Bytes, &c); err != nil {
			return err
		}
		if !c.Type.Equal(oidX509) {
			return unknown("a certificate that is not X.509")
		}
		o.Certificates = append(o.Certificates, c.Value)
		return nil
	}
	if what, ok := otherBags[b.Type.String()]; ok {
		return unknown("%s", what)
	}
	return unknown("something of the type %v", b.Type)
}

// key opens an encrypted key.
func (o *opener) key(der []byte) ([]byte, error) {
	var k encryptedKey
	if err := unmarshal(der, &k); err != nil {
		return nil, err
	}
	return o.decrypt(k.Algorithm, k.Content)
}
