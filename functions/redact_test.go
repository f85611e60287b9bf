package functions

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
)

// TestSecretsOfSeveralLinesAreNotLogged prints one in all the ways that Node.js has.
func TestSecretsOfSeveralLinesAreNotLogged(t *testing.T) {
	t.Parallel()
	testlevel.External()
	key := "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\nAASCBKcwggSjAgEAAoIBAQC7\n-----END KEY-----\n"
	w := publishing(t, setup{secrets: vault{"PEM": key}})
	w.program(t, `
		define("prints", async ({ secrets }) => {
			console.log(secrets.PEM);
			console.log({ key: secrets.PEM, all: [secrets.PEM] });
			console.error(JSON.stringify({ key: secrets.PEM }));
			console.table([{ key: secrets.PEM }]);
			throw new Error("with " + secrets.PEM);
		});`)
	inv := w.do(t, "prints", Invoke{})
	said := w.log(t, inv) + inv.Cause.Message
	for line := range strings.Lines(key) {
		if strings.Contains(said, strings.TrimSpace(line)) {
			t.Errorf("%q is in %s", line, said)
		}
	}
	if strings.Count(said, "{PEM}") < 10 {
		t.Error(said)
	}
}
