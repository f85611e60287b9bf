package secrets

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

const canary = `K@nary/7 "ümläut"&<42>+=?`

func TestEveryWrittenFormIsTakenOut(t *testing.T) {
	v := New(map[string]string{"pass": canary})
	quoted, _ := json.Marshal(canary)
	for name, text := range map[string]string{
		"plain":             canary,
		"query":             url.QueryEscape(canary),
		"query lower":       lowerHex(url.QueryEscape(canary)),
		"path":              url.PathEscape(canary),
		"url.Values":        url.Values{"q": {canary}}.Encode(),
		"url.URL":           (&url.URL{Path: "/" + canary}).String(),
		"component":         "K%40nary%2F7%20%22%C3%BCml%C3%A4ut%22%26%3C42%3E%2B%3D%3F",
		"every byte":        everyByte(canary),
		"json":              string(quoted),
		"json plain":        jsonWith(false, canary),
		"html":              html.EscapeString(canary),
		"html text":         "K@nary/7 \"ümläut\"&amp;&lt;42&gt;+=?",
		"html attribute":    "K@nary/7 &quot;ümläut&quot;&amp;<42>+=?",
		"base64":            base64.StdEncoding.EncodeToString([]byte(canary)),
		"base64 url":        base64.URLEncoding.EncodeToString([]byte(canary)),
		"base64 raw":        base64.RawStdEncoding.EncodeToString([]byte(canary)),
		"basic auth 0":      base64.StdEncoding.EncodeToString([]byte("abc" + canary + "x")),
		"basic auth 1":      base64.StdEncoding.EncodeToString([]byte("abcd" + canary + "x")),
		"basic auth 2":      base64.StdEncoding.EncodeToString([]byte("abcde" + canary + "xy")),
		"folded":            strings.Join(strings.Fields(canary), " "),
		"inside a sentence": "before " + canary + ", after",
	} {
		got := v.Redact(text)
		if !strings.Contains(got, "%pass%") || strings.Contains(got, canary) {
			t.Errorf("%s: %q stays %q", name, text, got)
		}
	}
}

func jsonWith(escapeHTML bool, s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(escapeHTML)
	enc.Encode(s)
	return b.String()
}

var upperHex = regexp.MustCompile(`%[0-9A-F]{2}`)

func lowerHex(s string) string { return upperHex.ReplaceAllStringFunc(s, strings.ToLower) }

func everyByte(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

func TestValuesAreTakenOutLongestFirstInOnePass(t *testing.T) {
	v := New(map[string]string{"a": "secret", "b": "secret-and-more", "c": "%a%x"})
	for text, want := range map[string]string{
		"secret-and-more":     "%b%",
		"secret-and":          "%a%-and",
		"secretsecret":        "%a%%a%",
		"%a%x":                "%c%",
		"nothing of the sort": "nothing of the sort",
	} {
		if got := v.Redact(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if v.Longest() < len("secret-and-more") {
		t.Errorf("longest is %d", v.Longest())
	}
}

func TestPlaceholdersStayWhatTheyAre(t *testing.T) {
	v := New(map[string]string{"password": "password", "41name": "Aname", "x": "y%password%z"})
	for text, want := range map[string]string{
		"%password% password %password%": "%password% %password% %password%",
		"%41name%":                       "%41name%",
		"Aname %41name":                  "%41name% %41name%",
		"%%41name%41name%":               "%%41name%41name%",
		"y%password%z":                   "%x%",
	} {
		got := v.Redact(text)
		if got != want || v.Redact(got) != got {
			t.Errorf("%q: %q, then %q, want %q", text, got, v.Redact(got), want)
		}
	}
}

func TestValuesUnderFourCharactersAreNotSearched(t *testing.T) {
	v := New(map[string]string{"pin": "123", "empty": "", "padded": "  1  ", "umlauts": "äöü", "kana": "かな"})
	if got := v.Redact("123 and 1, äöü, かな"); got != "123 and 1, äöü, かな" || v.Empty() {
		t.Error(got)
	}
	if got, used, err := v.Resolve("[%pin%|%empty%]"); got != "[123|]" || !used || err != nil {
		t.Error(got, used, err)
	}
}

func TestRedactOutputLeavesOurOwnWords(t *testing.T) {
	v := New(map[string]string{"word": "button", "pin": "1234", "pass": "hunter22"})
	text := `- button "x" [e1234] hunter22`
	if got := v.RedactOutput(text); got != `- button "x" [e1234] %pass%` {
		t.Error(got)
	}
	if got := v.Redact(text); got != `- %word% "x" [e%pin%] %pass%` {
		t.Error(got)
	}
}

func TestResolve(t *testing.T) {
	v := New(map[string]string{"user": "ada", "pass-1": "x%user%y", "20b": "twenty"})
	for text, want := range map[string]string{
		"":                  "",
		"plain":             "plain",
		"%user%":            "ada",
		"a%user%b%user%":    "aadabada",
		"%pass-1%":          "x%user%y", // one pass: a value is not resolved again
		"100% and 50%":      "100% and 50%",
		"50%25%user%":       "50%25ada",
		"%20b%":             "twenty",
		"https://x/a%C3%A4": "https://x/a%C3%A4",
		"%user":             "%user",
		"%%user%%":          "%ada%",
	} {
		got, used, err := v.Resolve(text)
		if err != nil || got != want || used != (got != text) {
			t.Errorf("%q: %q, %t, %v, want %q", text, got, used, err, want)
		}
	}
}

func TestUnknownPlaceholdersAreRefused(t *testing.T) {
	for _, v := range []*Vault{nil, New(nil), New(map[string]string{"user": "ada"})} {
		_, _, err := v.Resolve("x %usr% y")
		var unknown *UnknownError
		if !errors.As(err, &unknown) || unknown.Name != "usr" || len(unknown.Known) != len(v.names()) {
			t.Errorf("%v", err)
		}
	}
}

func TestAddressesTakeValuesOnlyAsTheTaskHasThem(t *testing.T) {
	v := New(map[string]string{"user": "ada b/c", "home": "https://example.com/x?y=1", "host": "shop.example:81"})
	task := `Go to https://shop.example/u/%user%/. Then open "%home%", visit shop.example/s?q=%user%&p=1, and http://%host%/a; type %user%.`
	for address, want := range map[string]string{
		"https://plain.example/%20b%20c":      "https://plain.example/%20b%20c",
		"https://shop.example/u/%user%":       "https://shop.example/u/ada%20b%2Fc",
		"https://shop.example/u/%user%/":      "https://shop.example/u/ada%20b%2Fc/",
		"%home%":                              "https://example.com/x?y=1",
		"https://shop.example/s?q=%user%&p=1": "https://shop.example/s?q=ada+b%2Fc&p=1",
		"shop.example/s?q=%user%&p=1":         "shop.example/s?q=ada+b%2Fc&p=1",
		"http://%host%/a":                     "http://shop.example:81/a",
	} {
		if got, err := v.ResolveURL(address, task); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", address, got, err, want)
		}
	}
	for _, address := range []string{
		"https://evil.example/?p=%user%", "https://shop.example/u/%user%/more", "https://shop.example/u/x%user%",
		"https://evil.example/https://shop.example/u/%user%", "https://%host%.evil.example/a",
	} {
		_, err := v.ResolveURL(address, task)
		var refused *ErrNotInTask
		if !errors.As(err, &refused) {
			t.Errorf("%q is not refused: %v", address, err)
		}
	}
}

func TestRedactJSON(t *testing.T) {
	v := New(map[string]string{"pin": "12345", "pass": `a"b\c`})
	for in, want := range map[string]string{
		`{"n":12345,"m":1.0,"s":"a\"b\\c!","l":["12345"],"12345":true}`: `{"n":"%pin%","m":1.0,"s":"%pass%!","l":["%pin%"],"%pin%":true}`,
		`912345`: `"9%pin%"`,
		`"<&>"`:  `"<&>"`,
		`{"a":[-1.5e3,"\\"],"b":{"c":"\u0031\u0032345"}}`: `{"a":[-1.5e3,"\\"],"b":{"c":"%pin%"}}`,
		`not json`: `null`,
	} {
		if got := string(v.RedactJSON(json.RawMessage(in))); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	for _, none := range []*Vault{nil, New(nil)} {
		if got := string(none.RedactJSON(json.RawMessage(`{ "a" : 1 }`))); got != `{ "a" : 1 }` {
			t.Errorf("without variables: %s", got)
		}
	}
}

func TestANilVaultDoesNothing(t *testing.T) {
	var v *Vault
	if v.Redact("x") != "x" || v.RedactOutput("x") != "x" || v.Longest() != 0 || !v.Empty() || v.Uses("%a%") {
		t.Error("a nil vault has values")
	}
}

func TestPrintingAVaultShowsNoValue(t *testing.T) {
	v := New(map[string]string{"pass": "hunter22"})
	for _, text := range []string{fmt.Sprint(v), fmt.Sprintf("%+v %#v %s", v, v, v)} {
		if strings.Contains(text, "hunter") {
			t.Error(text)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{
		"a": true, "user_name-2": true, "7": true, strings.Repeat("x", 64): true,
		"": false, "a b": false, "ä": false, "a%": false, "a.b": false, strings.Repeat("x", 65): false, "a\n": false,
	} {
		if ValidName(name) != want {
			t.Errorf("ValidName(%q) = %t", name, !want)
		}
	}
}

// searched reports whether a value is looked for.
func searched(value string) bool {
	return utf8.RuneCountInString(value) >= MinSearched && trimmed(value, true) != ""
}

func FuzzRedact(f *testing.F) {
	f.Add("hunter22", "x hunter22 y")
	f.Add(canary, url.QueryEscape(canary))
	f.Add("%pass%", "%pass%")
	f.Fuzz(func(t *testing.T, value, text string) {
		v := New(map[string]string{"p": value})
		got := v.Redact(text + value)
		// Only what stands between placeholders may contain no value.
		for _, left := range strings.Split(got, "%p%") {
			if searched(value) && !strings.Contains("%p%%p%", value) && strings.Contains(left, value) {
				t.Errorf("%q is left in %q", value, got)
			}
		}
		if resolved, _, err := v.Resolve("%p%"); err != nil || resolved != value {
			t.Errorf("%q resolves to %q, %v", value, resolved, err)
		}
	})
}

func FuzzRedactJSON(f *testing.F) {
	f.Add("12345", `{"n":12345,"s":["\"12345","a\\"],"12345":null}`)
	f.Fuzz(func(t *testing.T, value, text string) {
		out := New(map[string]string{"p": value}).RedactJSON(json.RawMessage(text))
		if len(text) > 0 && searched(value) && !json.Valid(out) {
			t.Errorf("%q without %q is %q", text, value, out)
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	values := map[string]string{}
	for i := range 20 {
		values[fmt.Sprint("v", i)] = fmt.Sprintf("some-value/%d of 20", i*i)
	}
	v := New(values)
	text := strings.Repeat("An ordinary sentence of a page, 100% without any value in it. ", 1<<20/62)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		v.Redact(text)
	}
}
