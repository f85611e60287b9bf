// Package pfxtest makes files of PKCS#12 that programs do not make, for tests.
package pfxtest

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/x509/pkix"
	"encoding/asn1"
	"hash"
	"testing"
)

type (
	oid   = asn1.ObjectIdentifier
	algID = pkix.AlgorithmIdentifier
)

var (
	oidData      = oid{1, 2, 840, 113549, 1, 7, 1}
	oidEncrypted = oid{1, 2, 840, 113549, 1, 7, 6}
	oidShrouded  = oid{1, 2, 840, 113549, 1, 12, 10, 1, 2}
	oidCertBag   = oid{1, 2, 840, 113549, 1, 12, 10, 1, 3}
	oidX509      = oid{1, 2, 840, 113549, 1, 9, 22, 1}
	oidPBES2     = oid{1, 2, 840, 113549, 1, 5, 13}
	oidPBMAC1    = oid{1, 2, 840, 113549, 1, 5, 14}
	oidPBKDF2    = oid{1, 2, 840, 113549, 1, 5, 12}
	oidSHA256    = oid{1, 2, 840, 113549, 2, 9}
	oidAES256    = oid{2, 16, 840, 1, 101, 3, 4, 1, 42}

	salt = []byte("salt and")
	iv   = make([]byte, aes.BlockSize)
)

// info is a piece of content of any type, in its tag.
type info struct {
	Type    oid
	Content asn1.RawValue
}

// EncryptedKey encrypts a key of PKCS #8, with ten rounds. It asks for the number
// of rounds given.
func EncryptedKey(t testing.TB, password string, rounds int64, key []byte) []byte {
	t.Helper()
	return shrouded(t, rounds, seal(t, password, key))
}

// WithoutMAC is a file with safes.
func WithoutMAC(t testing.TB, safes []byte) []byte {
	t.Helper()
	return der(t, struct {
		Version int
		Safes   info
	}{3, info{oidData, explicit(der(t, safes))}})
}

func shrouded(t testing.TB, rounds int64, sealed []byte) []byte {
	return der(t, struct {
		Algorithm algID
		Content   []byte
	}{pbes2(t, rounds), sealed})
}

// Hidden is a file that asks for ten rounds where it can be seen, and for more for
// an encrypted key inside of what is encrypted.
func Hidden(t testing.TB, password string, rounds int64) []byte {
	t.Helper()
	bags := der(t, []info{{oidShrouded, explicit(shrouded(t, rounds, iv))}})
	return File(t, password, safes(t, password, bags))
}

// Certificates are safes for [File]: one, with certificates, in BER, encrypted.
func Certificates(t testing.TB, password string, certs ...[]byte) []byte {
	t.Helper()
	var bags []info
	for _, cert := range certs {
		bags = append(bags, info{oidCertBag, explicit(der(t, info{oidX509, explicit(der(t, cert))}))})
	}
	return safes(t, password, BER(der(t, bags)))
}

// safes is one, encrypted.
func safes(t testing.TB, password string, bags []byte) []byte {
	t.Helper()
	type encrypted struct {
		Type      oid
		Algorithm algID
		Content   asn1.RawValue
	}
	content := asn1.RawValue{Class: asn1.ClassContextSpecific, Bytes: seal(t, password, bags)}
	return der(t, []info{{oidEncrypted, explicit(der(t, struct {
		Version int
		Info    encrypted
	}{0, encrypted{oidData, pbes2(t, 10), content}}))}})
}

// File is a file with safes, and a MAC.
func File(t testing.TB, password string, safes []byte) []byte {
	t.Helper()
	type digest struct {
		Algorithm algID
		Digest    []byte
	}
	h := hmac.New(sha256.New, key(t, password))
	h.Write(safes)
	return der(t, struct {
		Version int
		Safes   info
		MAC     struct {
			Digest digest
			Salt   []byte
		}
	}{3, info{oidData, explicit(der(t, safes))}, struct {
		Digest digest
		Salt   []byte
	}{digest{pbmac1(t), h.Sum(nil)}, salt}})
}

func pbkdf2With(t testing.TB, rounds int64) algID {
	return algorithm(t, oidPBKDF2, struct {
		Salt   []byte
		Rounds int64
		Size   int
		Hash   algID
	}{salt, rounds, 32, algID{Algorithm: oidSHA256}})
}

func pbes2(t testing.TB, rounds int64) algID {
	return algorithm(t, oidPBES2, []algID{pbkdf2With(t, rounds), algorithm(t, oidAES256, iv)})
}

func pbmac1(t testing.TB) algID {
	return algorithm(t, oidPBMAC1, []algID{pbkdf2With(t, 10), {Algorithm: oidSHA256}})
}

func algorithm(t testing.TB, id oid, params any) algID {
	return algID{Algorithm: id, Parameters: asn1.RawValue{FullBytes: der(t, params)}}
}

func explicit(content []byte) asn1.RawValue {
	return asn1.RawValue{Class: asn1.ClassContextSpecific, IsCompound: true, Bytes: content}
}

func key(t testing.TB, password string) []byte {
	t.Helper()
	key, err := pbkdf2.Key(func() hash.Hash { return sha256.New() }, password, salt, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func seal(t testing.TB, password string, plain []byte) []byte {
	t.Helper()
	block, err := aes.NewCipher(key(t, password))
	if err != nil {
		t.Fatal(err)
	}
	n := aes.BlockSize - len(plain)%aes.BlockSize
	sealed := append(bytes.Clone(plain), bytes.Repeat([]byte{byte(n)}, n)...)
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(sealed, sealed)
	return sealed
}

func der(t testing.TB, v any) []byte {
	t.Helper()
	b, err := asn1.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
