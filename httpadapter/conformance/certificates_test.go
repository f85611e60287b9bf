package conformance

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/egress/egresstest"
	"github.com/drover-go/drover/internal/npmtest"
)

// TestPublicClientCertificates has the public client upload, list, read and
// delete certificates.
func TestPublicClientCertificates(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "npm")
	w := build(t, config{realTime: true})
	ca := egresstest.NewAuthority(t, "Example Corp")
	alice := ca.Issue(t, nil)
	cmd := exec.CommandContext(t.Context(), "node", "certificates.mjs")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "BASE_URL=http://"+serve(t, w.handler), "API_KEY="+w.words["<key>"],
		"CA_FILE="+string(egresstest.PEM(ca.Cert)),
		"CLIENT_FILE="+string(egresstest.PEM(alice.Leaf))+string(egresstest.KeyPEM(t, alice.PrivateKey)))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "all 5 steps passed") {
		t.Fatalf("%v\n%s", err, out)
	}
}
