package pfx

import (
	"bytes"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509/pkix"
	"encoding/asn1"
	"hash"
	"unicode/utf16"
)

// bmp is a password as PKCS#12 takes it (RFC 7292, B.1): UTF-16, with a zero
// behind it.
func bmp(password string) (encoded []byte) {
	for _, u := range append(utf16.Encode([]rune(password)), 0) {
		encoded = append(encoded, byte(u>>8), byte(u))
	}
	return encoded
}

// What keys are derived for (RFC 7292, B.3).
const (
	forKey = 1
	forIV  = 2
	forMAC = 3
)

// derive makes key material as PKCS#12 does of old (RFC 7292, B.2).
func derive(newHash func() hash.Hash, purpose byte, password, salt []byte, rounds, size int) (key []byte) {
	h := newHash()
	block := h.BlockSize()
	id := bytes.Repeat([]byte{purpose}, block)
	in := append(fill(salt, block), fill(password, block)...)
	for {
		sum := append(id[:block:block], in...)
		for range rounds {
			h.Reset()
			h.Write(sum)
			sum = h.Sum(sum[:0])
		}
		if key = append(key, sum...); len(key) >= size {
			return key[:size]
		}
		more := fill(sum, block)
		for i := 0; i < len(in); i += block {
			add(in[i:i+block], more)
		}
	}
}

// fill repeats bytes to a whole number of blocks.
func fill(b []byte, block int) []byte {
	size := (len(b) + block - 1) / block * block
	if size == 0 {
		return nil
	}
	return bytes.Repeat(b, size/len(b)+1)[:size]
}

// add adds b and one to a, as numbers of their size.
func add(a, b []byte) {
	carry := uint16(1)
	for i := len(a) - 1; i >= 0; i-- {
		carry += uint16(a[i]) + uint16(b[i])
		a[i] = byte(carry)
		carry >>= 8
	}
}

var (
	oidPBKDF2 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 12}
	oidHMAC   = asn1.ObjectIdentifier{1, 2, 840, 113549, 2} // and a number of the hash

	hmacs = map[int]func() hash.Hash{7: sha1.New, 8: sha256.New224, 9: sha256.New, 10: sha512.New384, 11: sha512.New}
)

// hmacHash is the hash of an algorithm for HMAC (RFC 8018, B.1).
func hmacHash(id asn1.ObjectIdentifier) (func() hash.Hash, error) {
	if len(id) == 0 {
		return sha1.New, nil // the default
	}
	if n := len(oidHMAC); len(id) == n+1 && id[:n].Equal(oidHMAC) && hmacs[id[n]] != nil {
		return hmacs[id[n]], nil
	}
	return nil, unknown("the hash %v", id)
}

type pbkdf2Params struct {
	Salt   []byte
	Rounds int
	Size   int                      `asn1:"optional"`
	Hash   pkix.AlgorithmIdentifier `asn1:"optional"`
}

func (o *opener) pbkdf2Params(a pkix.AlgorithmIdentifier) (p pbkdf2Params, err error) {
	if !a.Algorithm.Equal(oidPBKDF2) {
		return p, unknown("the key derivation %v", a.Algorithm)
	}
	err = unmarshal(a.Parameters.FullBytes, &p)
	return p, err
}

func (o *opener) pbkdf2(p pbkdf2Params, size int) ([]byte, error) {
	newHash, err := hmacHash(p.Hash.Algorithm)
	if err != nil {
		return nil, err
	}
	if err := o.spend(p.Rounds); err != nil {
		return nil, err
	}
	return pbkdf2.Key(newHash, o.secret.Password, p.Salt, p.Rounds, size)
}

// mac is that of a file.
type mac struct {
	Digest struct {
		Algorithm pkix.AlgorithmIdentifier
		Digest    []byte
	}
	Salt   []byte
	Rounds int `asn1:"optional,default:1"`
}

var (
	oidPBMAC1 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 14}

	digests = map[string]func() hash.Hash{
		"1.3.14.3.2.26":          sha1.New,
		"2.16.840.1.101.3.4.2.1": sha256.New,
		"2.16.840.1.101.3.4.2.2": sha512.New384,
		"2.16.840.1.101.3.4.2.3": sha512.New,
		"2.16.840.1.101.3.4.2.4": sha256.New224,
	}
)

// check finds out whether the password is the file's.
func (o *opener) check(m *mac, content []byte) error {
	if m.Digest.Algorithm.Algorithm.Equal(oidPBMAC1) {
		return o.checkPBMAC1(m, content)
	}
	newHash := digests[m.Digest.Algorithm.Algorithm.String()]
	if newHash == nil {
		return unknown("the MAC %v", m.Digest.Algorithm.Algorithm)
	}
	passwords := [][]byte{o.secret.old}
	if o.secret.Password == "" {
		passwords = append(passwords, nil) // some programs leave out the zero
	}
	for _, password := range passwords {
		if err := o.spend(m.Rounds); err != nil {
			return err
		}
		key := derive(newHash, forMAC, password, m.Salt, m.Rounds, newHash().Size())
		if authentic(newHash, key, content, m.Digest.Digest) {
			o.secret.old = password
			return nil
		}
	}
	return ErrPassword
}

func authentic(newHash func() hash.Hash, key, content, want []byte) bool {
	h := hmac.New(newHash, key)
	h.Write(content)
	return hmac.Equal(h.Sum(nil), want)
}

// checkPBMAC1 does it in the way of RFC 9579.
func (o *opener) checkPBMAC1(m *mac, content []byte) error {
	var p struct{ KDF, MAC pkix.AlgorithmIdentifier }
	if err := unmarshal(m.Digest.Algorithm.Parameters.FullBytes, &p); err != nil {
		return err
	}
	params, err := o.pbkdf2Params(p.KDF)
	if err != nil {
		return err
	}
	newHash, err := hmacHash(p.MAC.Algorithm)
	if err != nil {
		return err
	}
	if params.Size < 20 || params.Size > 64 { // RFC 9579, 5
		return unknown("a MAC with a key of %d bytes", params.Size)
	}
	key, err := o.pbkdf2(params, params.Size)
	switch {
	case err != nil:
		return err
	case !authentic(newHash, key, content, m.Digest.Digest):
		return ErrPassword
	}
	return nil
}
