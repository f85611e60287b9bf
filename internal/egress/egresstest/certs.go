package egresstest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"testing"
	"time"
)

// Authority issues certificates for tests. Its own is for itself, or of another.
type Authority struct {
	// Cert is its own certificate, and Key its key.
	Cert *x509.Certificate
	Key  crypto.Signer
}

// NewAuthority makes an authority that nobody knows.
func NewAuthority(t testing.TB, name string) *Authority {
	t.Helper()
	key := NewKey(t)
	made := certificate(name)
	made.IsCA, made.KeyUsage = true, x509.KeyUsageCertSign
	a := &Authority{Key: key}
	a.Cert = sign(t, made, made, key.Public(), key)
	return a
}

// NewKey makes an ECDSA key.
func NewKey(t testing.TB) crypto.Signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// Issue makes a certificate, with its key, for hosts: names and addresses. It is
// for servers and clients. Change, if it is not nil, changes what is signed.
func (a *Authority) Issue(t testing.TB, change func(*x509.Certificate), hosts ...string) tls.Certificate {
	t.Helper()
	return a.IssueFor(t, NewKey(t), change, hosts...)
}

// IssueFor is Issue with a key of the caller's.
func (a *Authority) IssueFor(t testing.TB, key crypto.Signer, change func(*x509.Certificate), hosts ...string) tls.Certificate {
	t.Helper()
	made := certificate("a test")
	made.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			made.IPAddresses = append(made.IPAddresses, ip)
		} else {
			made.DNSNames = append(made.DNSNames, h)
		}
	}
	if change != nil {
		change(made)
	}
	leaf := sign(t, made, a.Cert, key.Public(), a.Key)
	return tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}
}

// Pool is a pool with the authority alone.
func (a *Authority) Pool() *x509.CertPool {
	p := x509.NewCertPool()
	p.AddCert(a.Cert)
	return p
}

// Expired is a change for Issue.
func Expired(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Hour) }

// PEM is certificates as a file.
func PEM(certs ...*x509.Certificate) (file []byte) {
	for _, c := range certs {
		file = append(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})...)
	}
	return file
}

// KeyPEM is a key as a file, in PKCS #8.
func KeyPEM(t testing.TB, key crypto.PrivateKey) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

func certificate(name string) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, big.NewInt(1<<62)) // never fails
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name}, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().Add(24 * time.Hour), KeyUsage: x509.KeyUsageDigitalSignature,
	}
}

func sign(t testing.TB, made, parent *x509.Certificate, public crypto.PublicKey, key crypto.Signer) *x509.Certificate {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, made, parent, public, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert
}
