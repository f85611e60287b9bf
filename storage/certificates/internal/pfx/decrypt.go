package pfx

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/sha1"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
)

var (
	oidPBES2 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 13}

	// ciphers are those of PBES2 (RFC 8018, B.2).
	ciphers = map[string]scheme{
		"2.16.840.1.101.3.4.1.2":  {16, aes.NewCipher},
		"2.16.840.1.101.3.4.1.22": {24, aes.NewCipher},
		"2.16.840.1.101.3.4.1.42": {32, aes.NewCipher},
		"1.2.840.113549.3.7":      {24, des.NewTripleDESCipher},
	}
	// oldCiphers are those of PKCS#12 (RFC 7292, C).
	oldCiphers = map[string]scheme{
		"1.2.840.113549.1.12.1.3": {24, des.NewTripleDESCipher},
		"1.2.840.113549.1.12.1.4": {16, twoKeys},
		"1.2.840.113549.1.12.1.5": {16, newRC2},
		"1.2.840.113549.1.12.1.6": {5, newRC2},
	}
)

// scheme is a cipher with the size of its key.
type scheme struct {
	size  int
	block func(key []byte) (cipher.Block, error)
}

// twoKeys is triple DES whose third key is the first.
func twoKeys(key []byte) (cipher.Block, error) {
	return des.NewTripleDESCipher(append(key[:16:16], key[:8]...))
}

// decrypt opens what the password has locked.
func (o *opener) decrypt(a pkix.AlgorithmIdentifier, content []byte) ([]byte, error) {
	if !o.checked {
		return nil, ErrNoMAC
	}
	block, iv, err := o.cipher(a)
	if err != nil {
		return nil, err
	}
	size := block.BlockSize()
	if len(content) == 0 || len(content)%size != 0 || len(iv) != size {
		return nil, fmt.Errorf("%w: %d bytes in blocks of %d, begun with %d", ErrMalformed, len(content), size, len(iv))
	}
	plain := make([]byte, len(content))
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(plain, content)
	return unpad(plain, size)
}

func unpad(plain []byte, size int) ([]byte, error) {
	n := int(plain[len(plain)-1])
	if n == 0 || n > size {
		return nil, ErrPassword
	}
	plain, pad := plain[:len(plain)-n], plain[len(plain)-n:]
	if !bytes.Equal(pad, bytes.Repeat([]byte{byte(n)}, n)) {
		return nil, ErrPassword
	}
	return plain, nil
}

func (o *opener) cipher(a pkix.AlgorithmIdentifier) (b cipher.Block, iv []byte, err error) {
	if a.Algorithm.Equal(oidPBES2) {
		return o.pbes2(a)
	}
	s, ok := oldCiphers[a.Algorithm.String()]
	if !ok {
		return nil, nil, unknown("the encryption %v", a.Algorithm)
	}
	var p struct {
		Salt   []byte
		Rounds int
	}
	if err := unmarshal(a.Parameters.FullBytes, &p); err != nil {
		return nil, nil, err
	}
	if err := o.spend(p.Rounds); err != nil {
		return nil, nil, err
	}
	b, err = s.block(derive(sha1.New, forKey, o.secret.old, p.Salt, p.Rounds, s.size))
	return b, derive(sha1.New, forIV, o.secret.old, p.Salt, p.Rounds, 8), err
}

// pbes2 takes the password in UTF-8, as all do (RFC 8018, 3).
func (o *opener) pbes2(a pkix.AlgorithmIdentifier) (b cipher.Block, iv []byte, err error) {
	var p struct{ KDF, Cipher pkix.AlgorithmIdentifier }
	if err := unmarshal(a.Parameters.FullBytes, &p); err != nil {
		return nil, nil, err
	}
	s, ok := ciphers[p.Cipher.Algorithm.String()]
	if !ok {
		return nil, nil, unknown("the cipher %v", p.Cipher.Algorithm)
	}
	params, err := o.pbkdf2Params(p.KDF)
	if err != nil {
		return nil, nil, err
	}
	if err := unmarshal(p.Cipher.Parameters.FullBytes, &iv); err != nil {
		return nil, nil, err
	}
	key, err := o.pbkdf2(params, s.size)
	if err != nil {
		return nil, nil, err
	}
	b, err = s.block(key)
	return b, iv, err
}
