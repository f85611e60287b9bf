package egress

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"math/big"
	"net"
	"sync"
	"time"
)

// leafKey is the one key of this process that its proxies show to browsers in
// the place of a server's. It exists in memory only.
var leafKey = sync.OnceValue(func() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err) // the curve is right, and randomness never fails
	}
	return key
})

// LeafKeyHash names the key of the certificates that the proxies of this process
// make, as Chromium's --ignore-certificate-errors-spki-list takes it: the SHA-256
// of its SPKI in base64. A browser that is started with it accepts those
// certificates, and no others that it would not accept anyway.
func LeafKeyHash() string {
	spki, err := x509.MarshalPKIXPublicKey(&leafKey().PublicKey)
	if err != nil {
		panic(err) // an ECDSA key is known
	}
	sum := sha256.Sum256(spki)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// leafTime is how long a made certificate is valid, from a day before it was
// made, since clocks differ. A connection asks for it once.
const leafTime = 7 * 24 * time.Hour

// forge makes a certificate for a host.
func forge(host string, now time.Time) (tls.Certificate, error) {
	key := leafKey()
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return tls.Certificate{}, err
	}
	made := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Drover session proxy"},
		NotBefore: now.Add(-24 * time.Hour), NotAfter: now.Add(leafTime),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	if ip := net.ParseIP(host); ip != nil {
		made.IPAddresses = []net.IP{ip}
	} else {
		made.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, made, made, &key.PublicKey, key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
