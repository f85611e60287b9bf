// Package inputsecret seals fields of inputs, in the form that packages of the hosted
// service open (wire-v2-stores, 6): a key of its own for each value, which is sealed
// with the key pair of an Actor.
package inputsecret

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1" // as those packages have it; OAEP does not need one without collisions
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"regexp"
)

const (
	keyBits = 2048
	// A value's key and the nonce that goes with it, in characters.
	keySize, nonceSize = 32, 16
	// What sealed values begin with: texts, and JSON of any other kind.
	textForm, jsonForm = "ENCRYPTED_VALUE", "ENCRYPTED_JSON"
)

// New makes a key pair.
func New() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, keyBits) }

// Encode is a private key as bytes, which [Decode] reads.
func Encode(key *rsa.PrivateKey) ([]byte, error) { return x509.MarshalPKCS8PrivateKey(key) }

// Decode reads what [Encode] has written.
func Decode(encoded []byte) (*rsa.PrivateKey, error) {
	key, err := x509.ParsePKCS8PrivateKey(encoded)
	if err != nil {
		return nil, err
	}
	private, ok := key.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New("inputsecret: the key is not one of RSA")
	}
	return private, nil
}

// PEM is an encoded key as programs take it.
func PEM(encoded []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})
}

// form has the kind, the hash of a schema, which may be left out, the sealed key and the
// sealed value.
var form = regexp.MustCompile(`^(` + textForm + `|` + jsonForm + `):(?:[-A-Za-z0-9+/]*={0,3}:)?([-A-Za-z0-9+/]*={0,3}):([-A-Za-z0-9+/]*={0,3})$`)

// Is reports whether a member of an input is sealed.
func Is(value json.RawMessage) bool {
	_, ok := parts(value)
	return ok
}

func parts(value json.RawMessage) (found []string, ok bool) {
	var text string
	if !bytes.HasPrefix(value, []byte(`"ENCRYPTED_`)) || json.Unmarshal(value, &text) != nil {
		return nil, false
	}
	found = form.FindStringSubmatch(text)
	return found, found != nil
}

// Seal seals a text, an object or an array; what is nothing of that, empty or sealed
// stays as it is.
func Seal(key *rsa.PublicKey, value json.RawMessage) (json.RawMessage, error) {
	value = bytes.TrimSpace(value)
	if len(value) == 0 || Is(value) {
		return value, nil
	}
	kind, plain := jsonForm, []byte(value)
	switch value[0] {
	case '"':
		var text string
		if err := json.Unmarshal(value, &text); err != nil || text == "" {
			return value, err
		}
		kind, plain = textForm, []byte(text)
	case '{', '[':
	default:
		return value, nil
	}
	password := (rand.Text() + rand.Text())[:keySize+nonceSize]
	aead, err := aeadOf([]byte(password))
	if err != nil {
		return nil, err
	}
	sealedKey, err := rsa.EncryptOAEP(sha1.New(), rand.Reader, key, []byte(password), nil)
	if err != nil {
		return nil, err
	}
	b64 := base64.StdEncoding.EncodeToString
	return json.Marshal(kind + ":" + b64(sealedKey) + ":" + b64(aead.Seal(nil, []byte(password[keySize:]), plain, nil)))
}

func aeadOf(password []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(password[:keySize])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithNonceSize(block, nonceSize)
}

var errUnreadable = errors.New("it was not sealed for this Actor, or was changed")

// Open opens a sealed value; others stay as they are.
func Open(key *rsa.PrivateKey, value json.RawMessage) (json.RawMessage, error) {
	found, ok := parts(value)
	if !ok {
		return value, nil
	}
	sealedKey, err := base64.StdEncoding.DecodeString(found[2])
	if err != nil {
		return nil, errUnreadable
	}
	sealed, err := base64.StdEncoding.DecodeString(found[3])
	if err != nil {
		return nil, errUnreadable
	}
	password, err := rsa.DecryptOAEP(sha1.New(), nil, key, sealedKey, nil)
	if err != nil || len(password) != keySize+nonceSize {
		return nil, errUnreadable
	}
	aead, err := aeadOf(password)
	if err != nil {
		return nil, err
	}
	plain, err := aead.Open(nil, password[keySize:], sealed, nil)
	switch {
	case err != nil:
		return nil, errUnreadable
	case found[1] == textForm:
		return json.Marshal(string(plain))
	case !json.Valid(plain):
		return nil, errUnreadable
	}
	return plain, nil
}
