package redact

import (
	"testing"
)

func TestRedaction(t *testing.T) {
	t.Parallel()
	redact := Secrets(map[string]string{
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
