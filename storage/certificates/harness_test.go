package certificates

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"strings"
	"testing"
	"time"

	pkcs12 "software.sslmate.com/src/go-pkcs12"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress/egresstest"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/certificates/internal/pfx/pfxtest"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

// world is a service and what it stands on.
type world struct {
	*service
	db       *storage.DB
	projects projects.Service
}

func open(t testing.TB, db *storage.DB, keys *seal.Ring, l Limits) *world {
	t.Helper()
	w := &world{db: db}
	w.projects = must(projects.New(t.Context(), db, projects.Options{}))(t)
	w.service = must(New(Config{DB: db, Callers: w.projects, Keys: keys, Limits: l}))(t).(*service)
	return w
}

func opened(t testing.TB, l Limits) *world {
	return open(t, storagetest.Open(t), seal.NewRing(seal.NewKey()), l)
}

func (w *world) upload(t testing.TB, file []byte) Certificate {
	t.Helper()
	return must(w.Upload(t.Context(), Upload{Content: bytes.NewReader(file)}))(t)
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// invalid ends the test when an error is not about the field, in these words.
func invalid(t testing.TB, err error, field, words string) {
	t.Helper()
	if e := errtypes.Public(err); e.Kind != errtypes.Invalid || e.Field != field || !strings.Contains(e.Message, words) {
		t.Fatalf("%v, want %s: %q", err, field, words)
	}
}

// files are the parts that uploads are made of.
type files struct {
	ca     *egresstest.Authority
	client tls.Certificate
}

func newFiles(t testing.TB) files {
	f := files{ca: egresstest.NewAuthority(t, "An authority")}
	f.client = f.ca.Issue(t, named("alice"))
	return f
}

func named(name string) func(*x509.Certificate) {
	return func(c *x509.Certificate) { c.Subject.CommonName = name }
}

func (f files) key(t testing.TB) []byte { return egresstest.KeyPEM(t, f.client.PrivateKey) }

func (f files) cert() []byte { return egresstest.PEM(f.client.Leaf) }

// pfx is a client's PKCS#12 file with the chain.
func (f files) pfx(t testing.TB, e *pkcs12.Encoder, password string) []byte {
	t.Helper()
	return must(e.Encode(f.client.PrivateKey, f.client.Leaf, []*x509.Certificate{f.ca.Cert}, password))(t)
}

// encryptedKey is the client's, in PEM of PKCS #8. It takes ten rounds.
func (f files) encryptedKey(t testing.TB, password string, rounds int64) []byte {
	t.Helper()
	plain := must(x509.MarshalPKCS8PrivateKey(f.client.PrivateKey))(t)
	return pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: pfxtest.EncryptedKey(t, password, rounds, plain)})
}

func rsaKey(t testing.TB, bits int) crypto.Signer {
	t.Helper()
	return must(rsa.GenerateKey(rand.Reader, bits))(t)
}

func join(all ...[]byte) []byte { return bytes.Join(all, nil) }

// fitter is a private key.
type fitter = crypto.Signer

func ago(d time.Duration) time.Time { return time.Now().Add(-d) }
