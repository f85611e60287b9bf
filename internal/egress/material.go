package egress

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// TLS is what connections to servers use beside what the system has. The zero
// value adds nothing.
type TLS struct {
	// Roots are authorities that are trusted, too. Default none.
	Roots []*x509.Certificate
	// Certificates are presented to servers that ask for one and accept its
	// issuer: the first of them that fits, with its chain. Default none.
	Certificates []tls.Certificate
	// Target is the server, a "host:port", that alone is shown them. Default "",
	// every server.
	Target string
}

// IsZero reports whether nothing is added.
func (t TLS) IsZero() bool { return len(t.Roots)+len(t.Certificates) == 0 }

// material is a TLS ready for use.
type material struct {
	system  *x509.CertPool // nil: the system's
	extra   *x509.CertPool
	clients []tls.Certificate
	target  string // "": any
	needs   *needs
}

func newMaterial(t TLS, system *x509.CertPool) *material {
	m := &material{system: system, extra: x509.NewCertPool(), clients: t.Certificates, target: t.Target, needs: newNeeds()}
	for _, c := range t.Roots {
		m.extra.AddCert(c)
	}
	return m
}

// errForeign is a certificate that neither the system's authorities nor the
// added ones have issued.
var errForeign = errors.New("egress: the certificate is of an unknown authority")

// verify reports whether it takes the added authorities to trust a server. The
// name and the time are always checked.
func (m *material) verify(chain []*x509.Certificate, host string, now time.Time) (added bool, err error) {
	o := x509.VerifyOptions{DNSName: host, Roots: m.system, Intermediates: x509.NewCertPool(), CurrentTime: now}
	for _, c := range chain[1:] {
		o.Intermediates.AddCert(c)
	}
	_, err = chain[0].Verify(o)
	if err == nil {
		return false, nil
	}
	o.Roots = m.extra
	if _, addedErr := chain[0].Verify(o); !isForeign(addedErr) {
		return true, addedErr
	}
	if isForeign(err) {
		err = errors.Join(errForeign, err)
	}
	return false, err
}

func isForeign(err error) bool {
	var unknown x509.UnknownAuthorityError
	var none x509.SystemRootsError
	return errors.As(err, &unknown) || errors.As(err, &none)
}

// choose returns the certificate that the server at the target accepts; an empty
// one for none.
func (m *material) choose(asked *tls.CertificateRequestInfo, target string) (*tls.Certificate, error) {
	if m.target != "" && m.target != target {
		return &tls.Certificate{}, nil
	}
	for i := range m.clients {
		if asked.SupportsCertificate(&m.clients[i]) == nil {
			return &m.clients[i], nil
		}
	}
	return &tls.Certificate{}, nil
}

// TLSConfig returns how clients of the policy speak TLS to the server at a target,
// as http.Transport takes it: each call a new one. The target is a "host:port", or
// empty for servers that are not the Target of the policy's TLS. Insecure accepts
// any server.
func (d *Dialer) TLSConfig(insecure bool, target string) *tls.Config {
	c := &tls.Config{InsecureSkipVerify: insecure, MinVersion: tls.VersionTLS12, RootCAs: d.gate.opts.Roots}
	m := d.rules.tls
	if m == nil {
		return c
	}
	c.RootCAs = union(d.gate.opts.Roots, d.rules.added.Roots)
	c.GetClientCertificate = func(asked *tls.CertificateRequestInfo) (*tls.Certificate, error) {
		return m.choose(asked, target)
	}
	c.Renegotiation = tls.RenegotiateOnceAsClient
	return c
}

func union(system *x509.CertPool, added []*x509.Certificate) *x509.CertPool {
	all := x509.NewCertPool()
	if system != nil {
		all = system.Clone()
	} else if own, err := x509.SystemCertPool(); err == nil {
		all = own
	}
	for _, c := range added {
		all.AddCert(c)
	}
	return all
}

// IsClientRefusal reports whether a server has refused what was presented to it,
// or that nothing was.
func IsClientRefusal(err error) bool {
	var op *net.OpError
	if !errors.As(err, &op) || op.Op != "remote error" || op.Err == nil {
		return false
	}
	return refusals[op.Err.Error()]
}

// refusals are the alerts that answer a client's certificate, in the words of
// crypto/tls.
var refusals = map[string]bool{
	"tls: bad certificate": true, "tls: unsupported certificate": true, "tls: revoked certificate": true,
	"tls: expired certificate": true, "tls: unknown certificate": true, "tls: unknown certificate authority": true,
	"tls: certificate required": true, "tls: access denied": true, "tls: handshake failure": true,
}

// tlsFailure is why there is no connection to a server, in words for a caller.
func tlsFailure(target string, err error) error {
	why := "the TLS handshake failed"
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &name):
		why = "its certificate is for another name"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		why = "its certificate has expired or is not yet valid"
	case errors.As(err, &invalid):
		why = "its certificate is not valid"
	case isForeign(err):
		why = "its certificate is of an unknown authority"
	case IsClientRefusal(err) || errors.Is(err, errCutOff):
		why = "it does not accept the client certificate, or wants one and none fits"
	}
	return errtypes.New(errtypes.BadGateway, "%s cannot be reached: %s", target, why).WithCause(err)
}
