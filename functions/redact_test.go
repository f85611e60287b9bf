package functions

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
)

func TestRedaction(t *testing.T) {
	t.Parallel()
	redact := redactor(map[string]string{
		"PEM": "-----BEGIN-----\r\n  QUJDRA==\r\nabc\r\n-----END-----\r\n", "QUOTED": `say "hi"`, "TAIL": `ends in "`, "SHORT": "abc", "LONG": "tokens", "TOKEN": "token", "EMPTY": "",
	})
	for text, want := range map[string]string{
		"QUJDRA==":          "{PEM}",
		"  'QUJDRA==\\n' +": "  '{PEM}\\n' +",
		`{"key":"-----BEGIN-----\r\n  QUJDRA==\r\nabc\r\n-----END-----\r\n"}`: `{"key":"{PEM}"}`,
		`he does say "hi", {"a":"say \"hi\""}`:                                `he does {QUOTED}, {"a":"{QUOTED}"}`,
		`"ends in \""`:                                                        `"{TAIL}"`,
		"abc tokens token":                                                    "abc {LONG} {TOKEN}",
	} {
		if got := redact(text); got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
}

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
