package secrets

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/net/idna"
)

func TestCaseDoesNotHideAValue(t *testing.T) {
	v := New(map[string]string{
		"pass": "Hunter22", "word": "Swordfish", "phrase": "Oak Tree", "street": "Straße-7", "name": "Anna", "shop": "MyShop", "host": "Bücher", "ace": "xn--strae-oqa",
	})
	for text, want := range map[string]string{
		"HUNTER22, hunter22":                          "%pass%, %pass%",
		"SWORDFISH and swordFish":                     "%word% and %word%",
		"oak  TREE":                                   "%phrase%",
		"STRASSE-7 strasse-7":                         "%street% %street%",
		"ＨＵＮＴＥＲ２２":                                    "%pass%",
		"hun\u200bter\u00ad22":                        "%pass%",
		"%48UNTER%32%32":                              "%pass%",
		"Anna, ANNA and Annabel":                      "%name%, %name% and %name%bel",
		"anna, HOSANNA, Banana":                       "anna, HOSANNA, Banana", // may be words
		"https://myshop.example/x?shop=myshop":        "https://%shop%.example/x?shop=myshop",
		"https://ada@www.MYSHOP.example":              "https://ada@www.%shop%.example",
		"see myshop.example":                          "see %shop%.example",
		"http://anna/":                                "http://%name%/",
		"https://xn--bcher-kva.example/":              "https://%host%.example/",
		"https://XN--BCHER-KVA.example/":              "https://%host%.example/",
		"https://" + ascii("my-bücher") + ".example/": "https://%host%.example/",
		"https%3A%2F%2Fxn--bcher-kva.example":         "https%3A%2F%2F%host%.example",
		"http://straße/ and http://xn--strae-oqa/":    "http://%ace%/ and http://%ace%/",
		"bu\u0308cher.example":                        "%host%.example",
		"The shopper my shops banned in a swordfight": "The shopper my shops banned in a swordfight",
	} {
		if got := v.Redact(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestEscapesOfAllKindsAreUndone(t *testing.T) {
	for _, value := range []string{canary, `back\slash\new\u0041`, "100%41 &amp; more", "日本語の秘密", "plain-word-9", "😀 smile 😀"} {
		v := New(map[string]string{"pass": value})
		var decimal, hexadecimal, unicodes, bytes strings.Builder
		for _, r := range value {
			fmt.Fprintf(&decimal, "&#%d;", r)
			fmt.Fprintf(&hexadecimal, "&#x%X;", r)
		}
		for _, u := range utf16.Encode([]rune(value)) {
			fmt.Fprintf(&unicodes, `\u%04x`, u)
		}
		for _, c := range []byte(value) {
			fmt.Fprintf(&bytes, "%%%02x", c)
		}
		quoted, _ := json.Marshal(value)
		inner := url.Values{"next": {"/x?" + url.Values{"q": {value}}.Encode()}}.Encode()
		for name, text := range map[string]string{
			"numbers": decimal.String(), "hexadecimal": hexadecimal.String(), "bytes": bytes.String(), "units": unicodes.String(),
			"json": string(quoted), "json in html": html.EscapeString(string(quoted)), "html": html.EscapeString(value),
			"address in an address": inner, "that in html": html.EscapeString(inner), "go": fmt.Sprintf("%q %+q", value, value),
			"hex": hex.EncodeToString([]byte(value)), "HEX": strings.ToUpper(hex.EncodeToString([]byte(value))),
			"base64 in an address": url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(value))),
			"nbsp":                 strings.ReplaceAll(html.EscapeString(value), " ", "&nbsp;"), "nbsp character": strings.ReplaceAll(value, " ", "\u00a0"),
			"lines": strings.ReplaceAll(value, " ", "\r\n\t "),
		} {
			got := v.Redact("before " + text + " after")
			if left := strings.ReplaceAll(got, "%pass%", ""); left == "before "+text+" after" || strings.Contains(left, value) || len(left) > 35 {
				t.Errorf("%s: %q stays %q", name, text, got)
			}
		}
	}
}

func ascii(host string) string {
	text, err := idna.ToASCII(host)
	if err != nil {
		panic(err)
	}
	return text
}

func TestHalvesOfACharacter(t *testing.T) {
	v := New(map[string]string{"p": "ab😀cd"})
	if got := v.Redact(`x ab\ud83d\ude00cd y`); got != "x %p% y" {
		t.Error(got)
	}
}

func TestValuesWrittenInGroups(t *testing.T) {
	v := New(map[string]string{"card": "4111111111111111", "iban": "DE89 3704 0044 0532 0130 00", "phone": "+1 (555) 010-9999", "pin": "123456"})
	for text, want := range map[string]string{
		"4111 1111 1111 1111":         "%card%",
		"4111-1111-1111-1111.":        "%card%.",
		"de89370400440532013000":      "%iban%",
		"+15550109999":                "%phone%",
		"4111\n1111\u00a01111 - 1111": "%card%",
		"12 34 56, 123 456":           "12 34 56, 123 456", // too short for that
		"4111 1111 1111 1112":         "4111 1111 1111 1112",
	} {
		if got := v.Redact(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestValuesSpreadOverElements(t *testing.T) {
	v := New(map[string]string{"pass": "hunter22", "pin": "1234", "key": "headings"})
	outline := "Clicked.\n[page x]\n- *text \"x hunt\"\n  - list\n    - listitem \"ER22 \\\"y\\\"\" [e22]\n- text \"12\"\n- text \"34\"\n[end of page x]"
	want := "Clicked.\n[page x]\n- *text \"x %pass%\"\n  - list\n    - listitem \" \\\"y\\\"\" [e22]\n- text \"12\"\n- text \"34\"\n[end of page x]"
	if got := v.RedactOutput(outline); got != want {
		t.Errorf("%s", got)
	}
	raw := `{"headings":["a","Hun","te",{"b":"r","n":1,"c":"22"}],"t":"12","u":"34"}`
	if got := string(v.RedactOutputJSON(json.RawMessage(raw))); got != `{"headings":["a","%pass%","",{"b":"","n":1,"c":""}],"t":"12","u":"34"}` {
		t.Error(got)
	}
	if got := string(v.RedactJSON(json.RawMessage(raw))); !strings.HasPrefix(got, `{"%key%":["a","%pass%"`) {
		t.Error(got)
	}
}

func TestOverlappingValuesGoWhole(t *testing.T) {
	v := New(map[string]string{"a": "abcd1", "b": "d1efgh"})
	if got := v.Redact("x abcd1efgh y"); got != "x %a%%b% y" {
		t.Error(got)
	}
}

func TestOwnReferencesStay(t *testing.T) {
	v := New(map[string]string{"a": "F1E23", "b": "Snapshot", "c": "E1234", "d": "listitem"})
	text := `- listitem "x" [f1e23] the others: snapshot with offset [e1234] Snapshot`
	if got := v.RedactOutput(text); got != `- listitem "x" [f1e23] the others: snapshot with offset [e1234] %b%` {
		t.Error(got)
	}
}

func TestTheBeginningOfAValueThatWasCut(t *testing.T) {
	long := strings.Repeat("a line of a long letter, number ", 100)
	v := New(map[string]string{"letter": long, "pass": "hunter22", "aaa": "aaaaaaaab"})
	for text, want := range map[string]string{
		"dear x: " + long[:2000] + "…":       "dear x: %letter%…",
		"HUNTER2…":                           "%pass%…",
		"hunter … (cut)":                     "hunter … (cut)",
		"hunter2 …":                          "%pass% …",
		"aaaaaaaaaaaa…":                      "aaaa%aaa%…",
		"the hunt…":                          "the hunt…", // too little
		"a hunter2":                          "a hunter2", // nobody says that it was cut
		"xhunter22…":                         "x%pass%…",
		strings.Repeat("aaaaaaaax", 3) + "…": strings.Repeat("aaaaaaaax", 3) + "…",
	} {
		if got := v.Redact(text); got != want {
			t.Errorf("%.40q: %q, want %q", text, got, want)
		}
	}
}

// TestTheLimitsOfShortValues are those that docs/security.md names.
func TestTheLimitsOfShortValues(t *testing.T) {
	for _, test := range []struct {
		value, text string
		found       bool
	}{
		{"8264", "8264", true}, {"8264", "8 2 6 4", false}, {"a1b2", "a-1-b-2", false},
		{"1234567", "123-4567", false}, {"12345678", "1234-5678", true}, {"12-34-567", "1234567", false},
		{"8264", base64.StdEncoding.EncodeToString([]byte("user:8264")), false},
		{"82641", base64.StdEncoding.EncodeToString([]byte("user:82641")), true},
		{"82641", base64.StdEncoding.EncodeToString([]byte("a:82641;")), true},
		{"82641", base64.StdEncoding.EncodeToString([]byte("ab:82641;")), true},
	} {
		if got := New(map[string]string{"v": test.value}).Redact(test.text); (got != test.text) != test.found {
			t.Errorf("%s in %q: %q", test.value, test.text, got)
		}
	}
}
