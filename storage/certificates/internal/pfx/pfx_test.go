package pfx_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/x509"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	pkcs12 "software.sslmate.com/src/go-pkcs12"

	"github.com/drover-go/drover/internal/egress/egresstest"
	"github.com/drover-go/drover/storage/certificates/internal/pfx"
	"github.com/drover-go/drover/storage/certificates/internal/pfx/pfxtest"
)

const enough = 100_000

func open(file []byte, password string, rounds int) (pfx.Contents, error) {
	return pfx.Open(context.Background(), file, &pfx.Secret{Password: password, Rounds: rounds})
}

// client is a certificate with its key and its issuer.
type client struct {
	key          crypto.PrivateKey
	cert, issuer *x509.Certificate
}

func newClient(t testing.TB) client {
	ca := egresstest.NewAuthority(t, "An authority")
	c := ca.Issue(t, nil)
	return client{c.PrivateKey, c.Leaf, ca.Cert}
}

// holds ends the test when the contents are not the client's.
func (c client) holds(t *testing.T, in pfx.Contents, err error) {
	t.Helper()
	if err != nil || len(in.Certificates) != 2 || len(in.Keys) != 1 {
		t.Fatalf("%d certificates, %d keys, %v", len(in.Certificates), len(in.Keys), err)
	}
	key, err := x509.ParsePKCS8PrivateKey(in.Keys[0])
	if err != nil || !key.(interface{ Equal(crypto.PrivateKey) bool }).Equal(c.key) {
		t.Errorf("another key, %v", err)
	}
	if !bytes.Equal(in.Certificates[0], c.cert.Raw) || !bytes.Equal(in.Certificates[1], c.issuer.Raw) {
		t.Error("other certificates")
	}
}

func TestWhatAnotherLibraryWritesIsRead(t *testing.T) {
	c := newClient(t)
	for name, e := range map[string]*pkcs12.Encoder{
		"today's": pkcs12.Modern2023, "with PBMAC1": pkcs12.Modern2026, "triple DES": pkcs12.LegacyDES, "RC2": pkcs12.LegacyRC2,
	} {
		for _, password := range []string{"pass", "", "Grüße, 世界", string(bytes.Repeat([]byte("long"), 100))} {
			file, err := e.Encode(c.key, c.cert, []*x509.Certificate{c.issuer}, password)
			if err != nil {
				t.Fatal(name, err)
			}
			in, err := open(file, password, enough)
			c.holds(t, in, err)
			if _, err := open(file, password+"x", enough); !errors.Is(err, pfx.ErrPassword) {
				t.Errorf("%s, a wrong password: %v", name, err)
			}
		}
	}
}

func TestBERIsRead(t *testing.T) {
	c := newClient(t)
	for _, e := range []*pkcs12.Encoder{pkcs12.Modern2023, pkcs12.LegacyRC2} {
		file, err := e.Encode(c.key, c.cert, []*x509.Certificate{c.issuer}, "pass")
		if err != nil {
			t.Fatal(err)
		}
		in, err := open(pfxtest.BER(file), "pass", enough)
		c.holds(t, in, err)
	}
	// The safes inside are BER, too, and so is what is encrypted in them.
	file := pfxtest.BER(pfxtest.File(t, "pass", pfxtest.BER(pfxtest.Certificates(t, "pass", c.cert.Raw, c.issuer.Raw))))
	if in, err := open(file, "pass", enough); err != nil || len(in.Certificates) != 2 {
		t.Errorf("%d certificates, %v", len(in.Certificates), err)
	}
}

func openssl(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "openssl", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
}

func opensslDir(t *testing.T, c client) string {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("there is no openssl")
	}
	dir := t.TempDir()
	for name, content := range map[string][]byte{"key.pem": egresstest.KeyPEM(t, c.key), "cert.pem": egresstest.PEM(c.cert), "ca.pem": egresstest.PEM(c.issuer)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestWhatOpenSSLWritesIsRead(t *testing.T) {
	c := newClient(t)
	dir := opensslDir(t, c)
	for name, more := range map[string][]string{
		"as it is":   nil,
		"sha384":     {"-macalg", "sha384", "-keypbe", "AES-128-CBC", "-certpbe", "AES-192-CBC"},
		"sha512":     {"-macalg", "sha512", "-keypbe", "DES-EDE3-CBC", "-certpbe", "DES-EDE3-CBC"},
		"sha224":     {"-macalg", "sha224", "-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-2DES"},
		"key bare":   {"-keypbe", "NONE"},
		"certs bare": {"-certpbe", "NONE"},
	} {
		t.Run(name, func(t *testing.T) {
			args := []string{"pkcs12", "-export", "-inkey", "key.pem", "-in", "cert.pem", "-certfile", "ca.pem", "-passout", "pass:secret", "-out", "out.p12"}
			openssl(t, dir, append(args, more...)...)
			file, err := os.ReadFile(filepath.Join(dir, "out.p12"))
			if err != nil {
				t.Fatal(err)
			}
			in, err := open(file, "secret", enough)
			c.holds(t, in, err)
		})
	}
}

func TestKeysOfOpenSSLAreOpened(t *testing.T) {
	c := newClient(t)
	dir := opensslDir(t, c)
	for _, how := range [][]string{
		{"-v2", "aes-256-cbc"}, {"-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA512"}, {"-v2", "des3"}, {"-v1", "PBE-SHA1-3DES"},
	} {
		openssl(t, dir, append([]string{"pkcs8", "-topk8", "-in", "key.pem", "-outform", "DER", "-passout", "pass:secret", "-out", "out.der"}, how...)...)
		file, err := os.ReadFile(filepath.Join(dir, "out.der"))
		if err != nil {
			t.Fatal(err)
		}
		der, err := pfx.OpenKey(t.Context(), file, &pfx.Secret{Password: "secret", Rounds: enough})
		if err != nil {
			t.Fatal(how, err)
		}
		if key, err := x509.ParsePKCS8PrivateKey(der); err != nil || !key.(interface{ Equal(crypto.PrivateKey) bool }).Equal(c.key) {
			t.Errorf("%q: %v", how, err)
		}
		if _, err := pfx.OpenKey(t.Context(), file, &pfx.Secret{Password: "secret", Rounds: 1000}); !errors.Is(err, pfx.ErrRounds) {
			t.Errorf("%q: %v", how, err)
		}
	}
}

// TestRoundsAreBoundedWhereverTheyAre would take years if they were done.
func TestRoundsAreBoundedWhereverTheyAre(t *testing.T) {
	if _, err := open(pfxtest.Hidden(t, "secret", 1<<50), "secret", enough); !errors.Is(err, pfx.ErrRounds) {
		t.Errorf("inside of what is encrypted: %v", err)
	}
	if _, err := open(pfxtest.Hidden(t, "secret", 10), "secret", enough); !errors.Is(err, pfx.ErrPassword) { // its key is none
		t.Errorf("few inside of what is encrypted: %v", err)
	}
	c := newClient(t)
	for name, e := range map[string]*pkcs12.Encoder{"new": pkcs12.Modern2023, "old": pkcs12.LegacyRC2} {
		file, err := e.WithIterations(1000).Encode(c.key, c.cert, nil, "pass")
		if err != nil {
			t.Fatal(err)
		}
		for rounds, want := range map[int]error{2500: pfx.ErrRounds, 999: pfx.ErrRounds, 3000: nil} { // the safe, the key, the MAC
			if _, err := open(file, "pass", rounds); !errors.Is(err, want) {
				t.Errorf("%s, of %d: %v, want %v", name, rounds, err, want)
			}
		}
	}
}

func TestWhoHasGoneIsNotWorkedFor(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := pfx.Open(ctx, pfxtest.Hidden(t, "secret", 10), &pfx.Secret{Password: "secret", Rounds: enough})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func FuzzOpen(f *testing.F) {
	c := newClient(f)
	for _, e := range []*pkcs12.Encoder{pkcs12.Modern2023, pkcs12.Modern2026, pkcs12.LegacyDES, pkcs12.LegacyRC2, pkcs12.Passwordless} {
		file, err := e.WithIterations(1).Encode(c.key, c.cert, []*x509.Certificate{c.issuer}, "")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		in, err := open(file, "", 1000)
		var unknown *pfx.UnknownError
		if err != nil && !errors.As(err, &unknown) && !errors.Is(err, pfx.ErrMalformed) && !errors.Is(err, pfx.ErrPassword) &&
			!errors.Is(err, pfx.ErrRounds) && !errors.Is(err, pfx.ErrNoMAC) {
			t.Errorf("%d certificates, %v", len(in.Certificates), err)
		}
	})
}
