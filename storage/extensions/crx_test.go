package extensions

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"
)

// field is one of a message of protocol buffers.
func field(number uint64, content []byte) []byte {
	b := binary.AppendUvarint(nil, number<<3|2)
	return append(binary.AppendUvarint(b, uint64(len(content))), content...)
}

// proof is one by a key, with a signature that is none.
func proof(number uint64, key string) []byte {
	return field(number, append(field(1, []byte(key)), field(2, []byte("signature"))...))
}

// crx3 is a CRX archive of the extension that the key makes it.
func crx3(archive, key []byte, proofs ...[]byte) []byte {
	id := sha256.Sum256(key)
	header := append(bytes.Join(proofs, nil), field(10000, field(1, id[:16]))...)
	return crx(3, []uint32{uint32(len(header))}, header, archive)
}

// keyWritten is the key of the manifest that an upload is unpacked with.
func (k *kept) keyWritten(t *testing.T, archive []byte) string {
	t.Helper()
	dir := t.TempDir()
	if err := k.Unpack(t.Context(), k.upload(t, archive).ID, dir); err != nil {
		t.Fatal(err)
	}
	var m struct{ Key string }
	if err := json.Unmarshal([]byte(tree(t, dir)["manifest.json"]), &m); err != nil {
		t.Fatal(err)
	}
	key, err := base64.StdEncoding.DecodeString(m.Key)
	if err != nil {
		t.Fatal(err)
	}
	return string(key)
}

// What somebody uploads twice stays the same extension to the browser, if there
// is a key that says so.
func TestTheKeyOfACRX(t *testing.T) {
	t.Parallel()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	key := string(der)
	k := open(t, Config{})
	plain := withManifest(t, goodManifest)
	own := withManifest(t, strings.TrimSuffix(goodManifest, "}")+`,"key":"a2V5"}`)
	number := []byte{5 << 3, 0xff, 1, 6<<3 | 1, 1, 2, 3, 4, 5, 6, 7, 8, 7<<3 | 5, 1, 2, 3, 4} // fields that nobody knows
	for name, c := range map[string]struct {
		archive []byte
		want    string
	}{
		"version 3":                 {crx3(plain, der, proof(2, "the shop's"), proof(2, key), proof(3, "another")), key},
		"by an elliptic curve":      {crx3(plain, der, proof(2, "the shop's"), proof(3, key)), key},
		"with fields of the future": {crx3(plain, der, number, proof(2, key), field(4, []byte("contents"))), key},
		"version 2":                 {crx(2, []uint32{uint32(len(der)), 3}, append(der[:len(der):len(der)], "sig"...), plain), key},
		"a manifest with a key":     {crx3(own, der, proof(2, key)), "key"},
	} {
		for range 2 {
			if got := k.keyWritten(t, c.archive); got != c.want {
				t.Errorf("%s: the key is %.30q, want %.30q", name, got, c.want)
			}
		}
	}
	if first, second := k.keyWritten(t, plain), k.keyWritten(t, plain); first == second {
		t.Error("two uploads without a key are one extension")
	}
}

// FuzzHeader: no header makes the parser read what is not there, and the key it
// finds is that of the id.
func FuzzHeader(f *testing.F) {
	id := sha256.Sum256([]byte("key"))
	f.Add(append(proof(2, "key"), field(10000, field(1, id[:16]))...))
	f.Add(bytes.Repeat([]byte{0xff}, 20))
	f.Add([]byte{2<<3 | 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, header []byte) {
		key, err := keyOfHeader(header)
		if err == nil && (len(key) == 0 || !bytes.Contains(header, key)) {
			t.Errorf("the key is %q", key)
		}
	})
}
