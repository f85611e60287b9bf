package certificates

import (
	"bytes"
	"context"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"strings"
	"testing"
	"time"

	pkcs12 "software.sslmate.com/src/go-pkcs12"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress/egresstest"
	"github.com/drover-go/drover/storage/certificates/internal/pfx/pfxtest"
)

func TestEveryFormOfFileIsRead(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	other := egresstest.NewAuthority(t, "Another")
	rsaClient := f.ca.IssueFor(t, rsaKey(t, 2048), nil)
	pkcs1 := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(rsaClient.PrivateKey.(*rsa.PrivateKey))})
	trusted := must(pkcs12.Modern2023.EncodeTrustStore([]*x509.Certificate{f.ca.Cert}, "pass"))(t)
	authorities := pfxtest.File(t, "pass", pfxtest.Certificates(t, "pass", f.ca.Cert.Raw, other.Cert.Raw))
	encryptedKey := f.encryptedKey(t, "pass", 10)
	w := opened(t, Limits{})
	for name, test := range map[string]struct {
		file     []byte
		password string
		kind     Kind
		count    int
	}{
		"an authority in PEM":           {file: egresstest.PEM(f.ca.Cert), kind: CA, count: 1},
		"two, with text between":        {file: join([]byte("one\n"), egresstest.PEM(f.ca.Cert), []byte("two\r\n"), egresstest.PEM(other.Cert)), kind: CA, count: 2},
		"an authority in DER":           {file: f.ca.Cert.Raw, kind: CA, count: 1},
		"two in DER":                    {file: join(f.ca.Cert.Raw, other.Cert.Raw), kind: CA, count: 2},
		"a client in PEM":               {file: join(f.cert(), f.key(t)), kind: Client, count: 1},
		"the key first, the chain last": {file: join(f.key(t), egresstest.PEM(f.ca.Cert), f.cert()), kind: Client, count: 2},
		"a client with a PKCS #1 key":   {file: join(egresstest.PEM(rsaClient.Leaf), pkcs1), kind: Client, count: 1},
		"a client and a stranger":       {file: join(f.cert(), f.key(t), egresstest.PEM(other.Cert)), kind: Client, count: 1},
		"a client in PKCS#12":           {file: f.pfx(t, pkcs12.Modern2023, "pass"), password: "pass", kind: Client, count: 2},
		"in PKCS#12 of old":             {file: f.pfx(t, pkcs12.LegacyRC2, "pass"), password: "pass", kind: Client, count: 2},
		"in PKCS#12 without a password": {file: f.pfx(t, pkcs12.Passwordless, ""), kind: Client, count: 2},
		"an authority in PKCS#12":       {file: trusted, password: "pass", kind: CA, count: 1},
		"a password that is not needed": {file: f.ca.Cert.Raw, password: "x", kind: CA, count: 1},
		"authorities of one PKCS#12":    {file: authorities, password: "pass", kind: CA, count: 2},
		"the same three times":          {file: bytes.Repeat(egresstest.PEM(f.ca.Cert), 3), kind: CA, count: 1},
		"an encrypted key":              {file: join(f.cert(), encryptedKey), password: "pass", kind: Client, count: 1},
		"a client in BER":               {file: pfxtest.BER(f.pfx(t, pkcs12.Modern2023, "pass")), password: "pass", kind: Client, count: 2},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := w.Upload(t.Context(), Upload{Content: bytes.NewReader(test.file), Password: test.password})
			if err != nil || c.Kind != test.kind || c.Count != test.count {
				t.Fatalf("%+v, %v", c, err)
			}
			if again := must(w.Get(t.Context(), c.ID))(t); again != c {
				t.Errorf("%+v, then %+v", c, again)
			}
			if c.Kind == Client {
				got := must(w.Clients(t.Context(), "x", []string{c.ID}))(t)[0]
				if len(got.Certificate) != test.count || !fits(got.PrivateKey.(fitter), got.Leaf) {
					t.Errorf("%d certificates, of %s", len(got.Certificate), got.Leaf.Subject)
				}
			}
		})
	}
}

func TestEveryFaultIsNamed(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	changed := func(change func(*x509.Certificate)) tls.Certificate { return f.ca.Issue(t, change) }
	client := func(c tls.Certificate) []byte {
		return join(egresstest.PEM(c.Leaf), egresstest.KeyPEM(t, c.PrivateKey))
	}
	pfx := f.pfx(t, pkcs12.Modern2023, "pass")
	small := f.ca.IssueFor(t, rsaKey(t, 1024), nil)
	encrypted := f.encryptedKey(t, "pass", 10)
	broken := pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte("x")})
	old := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: []byte("x"), Headers: map[string]string{"Proc-Type": "4,ENCRYPTED"}})
	leaf := pfxtest.File(t, "pass", pfxtest.Certificates(t, "pass", f.client.Leaf.Raw))
	several := join(egresstest.PEM(f.ca.Cert), f.cert(), egresstest.PEM(small.Leaf, egresstest.NewAuthority(t, "Another").Cert))
	w := opened(t, Limits{MaxCertificates: 3})
	for name, test := range map[string]struct {
		file            []byte
		password, field string // default: file
		words           string
	}{
		"nothing":                {file: nil, words: "is empty"},
		"white space":            {file: []byte(" \r\n\t"), words: "is empty"},
		"text":                   {file: []byte("hello"), words: "is malformed"},
		"PEM that breaks off":    {file: f.cert()[:200], words: "is malformed"},
		"PEM of no certificate":  {file: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("x")}), words: "certificate 1 of it cannot be read"},
		"DER that breaks off":    {file: f.ca.Cert.Raw[:100], words: "is malformed"},
		"parameters alone":       {file: pem.EncodeToMemory(&pem.Block{Type: "EC PARAMETERS", Bytes: []byte("x")}), words: "no certificate in it"},
		"another block":          {file: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: []byte("x")}), words: `"CERTIFICATE REQUEST"`},
		"a key alone":            {file: f.key(t), words: "private key alone"},
		"a key alone in DER":     {file: must(x509.MarshalPKCS8PrivateKey(f.client.PrivateKey))(t), words: "private key alone"},
		"two keys":               {file: join(f.cert(), f.key(t), f.key(t)), words: "several private keys"},
		"an encrypted key":       {file: join(f.cert(), encrypted), field: "password", words: "is required"},
		"encrypted otherwise":    {file: join(f.cert(), encrypted), password: "wrong", field: "password", words: "is wrong"},
		"encrypted, and broken":  {file: join(f.cert(), broken), password: "pass", words: "cannot be read"},
		"encrypted as of old":    {file: join(f.cert(), old), words: "old form of PEM"},
		"a password for nothing": {file: f.ca.Cert.Raw, password: "x", field: "password", words: "is not used by this file"},
		"one for a bare key":     {file: join(f.cert(), f.key(t)), password: "x", field: "password", words: "is not used by this file"},
		"PKCS#12 without key":    {file: leaf, password: "pass", words: "needs its key"},
		"PKCS#12 without MAC":    {file: pfxtest.WithoutMAC(t, pfxtest.Certificates(t, "pass", f.ca.Cert.Raw)), password: "pass", words: "no MAC"},
		"no key at all":          {file: join(f.cert(), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("x")})), words: "cannot be read"},
		"a client without key":   {file: f.cert(), words: "needs its key"},
		"the key of another":     {file: join(f.cert(), egresstest.KeyPEM(t, egresstest.NewKey(t))), words: "does not fit"},
		"expired":                {file: client(changed(egresstest.Expired)), words: "was valid until " + date(ago(time.Hour))[:13]},
		"not yet valid":          {file: client(changed(func(c *x509.Certificate) { c.NotBefore = ago(-time.Hour) })), words: "is not yet valid"},
		"for servers only":       {file: client(changed(func(c *x509.Certificate) { c.ExtKeyUsage = c.ExtKeyUsage[:1] })), words: "authentication of clients"},
		"a short RSA key":        {file: client(small), words: "has 1024 bits"},
		"too many":               {file: several, words: "at most 3"},
		"a wrong password":       {file: pfx, password: "wrong", field: "password", words: "is wrong"},
		"no password":            {file: pfx, field: "password", words: "is required"},
		"PKCS#12 that is broken": {file: append([]byte{0x30, 0x05, 2, 1, 3}, 0x30, 0), words: "is malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.Upload(t.Context(), Upload{Content: bytes.NewReader(test.file), Password: test.password, RefuseUnused: true})
			if test.field == "" {
				test.field = "file"
			}
			invalid(t, err, test.field, test.words)
		})
	}
	if all := must(w.List(t.Context()))(t); len(all) != 0 {
		t.Errorf("%d were kept", len(all))
	}
}

// TestRoundsBeyondReason would take years if they were done, and nobody could
// upload anything meanwhile.
func TestRoundsBeyondReason(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	w := opened(t, Limits{})
	seen := f.pfx(t, pkcs12.Modern2023.WithIterations(0x012345), "pass")
	for name, file := range map[string][]byte{
		"in the open": bytes.ReplaceAll(seen, []byte{2, 3, 0x01, 0x23, 0x45}, []byte{2, 3, 0x7f, 0xff, 0xff}),
		"hidden":      pfxtest.Hidden(t, "pass", 1<<50),
		"of a key":    join(f.cert(), f.encryptedKey(t, "pass", 1<<50)),
		"in BER":      pfxtest.BER(pfxtest.Hidden(t, "pass", 1<<50)),
	} {
		_, err := w.Upload(t.Context(), Upload{Content: bytes.NewReader(file), Password: "pass"})
		if e := errtypes.Public(err); e.Kind != errtypes.Invalid || !strings.Contains(e.Message, "rounds") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.Upload(t.Context(), Upload{Content: bytes.NewReader(f.pfx(t, pkcs12.Modern2023, "pass")), Password: "pass"}); err != nil {
		t.Error(err)
	}
}

// TestWhoGoesWhileAnotherFileIsOpened does not wait for it.
func TestWhoGoesWhileAnotherFileIsOpened(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	opening <- struct{}{}
	defer func() { <-opening }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, file := range [][]byte{f.pfx(t, pkcs12.Modern2023, "pass"), join(f.cert(), f.encryptedKey(t, "pass", 10))} {
		if _, err := read(ctx, file, Upload{Password: "pass"}, 10); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	w := opened(t, Limits{PerProject: 2, MaxFile: 2000})
	_, err := w.Upload(t.Context(), Upload{Content: bytes.NewReader(make([]byte, 2001))})
	if !errtypes.Is(err, errtypes.TooLarge) {
		t.Error(err)
	}
	for range 2 {
		w.upload(t, f.ca.Cert.Raw)
	}
	_, err = w.Upload(t.Context(), Upload{Content: bytes.NewReader(f.ca.Cert.Raw)})
	if !errtypes.Is(err, errtypes.Conflict) {
		t.Error(err)
	}
}

func FuzzUpload(fu *testing.F) {
	f := newFiles(fu)
	for _, seed := range [][]byte{
		f.ca.Cert.Raw, join(f.cert(), f.key(fu)), f.key(fu), f.pfx(fu, pkcs12.Modern2023.WithIterations(1), ""), f.pfx(fu, pkcs12.LegacyDES.WithIterations(1), ""),
		must(pkcs12.Modern2023.WithIterations(1).EncodeTrustStore([]*x509.Certificate{f.ca.Cert}, ""))(fu), []byte("-----BEGIN "),
	} {
		fu.Add(seed, "")
	}
	fu.Fuzz(func(t *testing.T, file []byte, password string) {
		r := newReader(t.Context(), password, 10)
		r.secret.Rounds = 5000 // more is allowed, but slow with a fuzzer in it
		c, err := r.whole(file)
		var kind Kind
		if err == nil {
			kind, err = c.check(time.Now())
		}
		switch e := errtypes.Public(err); {
		case err != nil && (e.Kind != errtypes.Invalid || e.Field != "file" && e.Field != "password"):
			t.Errorf("%v", err)
		case err == nil && (kind == Client) != (c.key != nil):
			t.Errorf("%s with a key: %v", kind, c.key != nil)
		case err == nil && kind == Client && !fits(c.key, c.certs[0]):
			t.Error("the first certificate is not that of the key")
		}
	})
}
