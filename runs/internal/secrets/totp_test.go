package secrets

import (
	"encoding/base32"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// The vectors of RFC 6238, appendix B.
func TestCodesAreThoseOfTheStandard(t *testing.T) {
	t.Parallel()
	key := "12345678901234567890"
	for algorithm, codes := range map[string][]string{
		"SHA1":   {"94287082", "07081804", "14050471", "89005924", "69279037", "65353130"},
		"SHA256": {"46119246", "68084774", "67062674", "91819424", "90698825", "77737706"},
		"SHA512": {"90693936", "25091201", "99943326", "93441116", "38618901", "47863826"},
	} {
		size := map[string]int{"SHA1": 20, "SHA256": 32, "SHA512": 64}[algorithm]
		secret := base32.StdEncoding.EncodeToString([]byte(strings.Repeat(key, 4)[:size]))
		totp, err := ParseTOTP("otpauth://totp/Shop:ada?digits=8&algorithm=" + algorithm + "&secret=" + secret)
		if err != nil {
			t.Fatal(err)
		}
		for i, at := range []int64{59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000} {
			if got := totp.at(time.Unix(at, 0)); got != codes[i] {
				t.Errorf("%s at %d: %s, not %s", algorithm, at, got, codes[i])
			}
		}
	}
}

const totpSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

func TestSecretsOfCodesAreRead(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		totpSecret, strings.ToLower(totpSecret), "GEZD GNBV-GY3T QOJQ GEZD GNBV GY3T QOJQ==", "OTPAUTH://totp/x?secret=" + totpSecret,
	} {
		totp, err := ParseTOTP(text)
		if err != nil || totp.at(time.Unix(59, 0)) != "287082" {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"": "base 32", "hello 1": "base 32", "GEZDGNBV": "8 bytes", "otpauth://hotp/x?secret=" + totpSecret: "type totp", "otpauth://totp/x": "base 32",
		"otpauth://totp/x?digits=9&secret=" + totpSecret: "6 to 8", "otpauth://totp/x?period=5&secret=" + totpSecret: "15 to 120 seconds",
		"otpauth://totp/x?algorithm=MD5&secret=" + totpSecret: "SHA256", "otpauth://totp/%zz?secret=" + totpSecret: "type totp",
	} {
		_, err := ParseTOTP(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "GEZD") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func codeVault(t *testing.T, c clock.Clock) *Vault {
	t.Helper()
	uri := "otpauth://totp/Shop?secret=" + totpSecret
	totp, err := ParseTOTP(uri)
	if err != nil {
		t.Fatal(err)
	}
	return NewVault(map[string]Variable{"code": {Value: uri, TOTP: totp}, "name": {Value: "Ada Lovelace"}}, c)
}

func TestACodeIsThatOfTheMoment(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Unix(31, 0))
	v := codeVault(t, c)
	first, used, err := v.Resolve("%code%")
	if err != nil || !used || first != "287082" {
		t.Fatal(first, used, err)
	}
	if v.Stale("%code%") != 0 || v.Stale("%name%") != 0 {
		t.Error("a code with 29 seconds left is to be waited for")
	}
	c.Advance(25 * time.Second)
	if wait := v.Stale("x%code%"); wait != 4*time.Second {
		t.Errorf("wait %v", wait)
	}
	c.Advance(4 * time.Second)
	if next, _, _ := v.Resolve("%code%"); next == first || v.Stale("%code%") != 0 {
		t.Error("the code has not changed")
	}
}

func TestCodesAreTakenOut(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Unix(31, 0))
	v := codeVault(t, c)
	totp := v.vars["code"].TOTP
	for _, at := range []int64{1, 31, 61} { // before, now, next
		code := totp.at(time.Unix(at, 0))
		for _, text := range []string{
			code, "your code: " + code + ".", code[:3] + " " + code[3:], code[:3] + "-" + code[3:], `?code=` + code + "&x", "a%20" + code,
			`{"otp":"` + code + `"}`, "\\n" + code, strings.Join(strings.Split(code, ""), "\u200b"), strings.Join(strings.Split(code, ""), " "),
		} {
			got := v.Redact(text)
			if !strings.Contains(got, "%code%") || strings.Contains(strings.NewReplacer(" ", "", "-", "", "\u200b", "").Replace(got), code) {
				t.Errorf("at %d, %q: %q", at, text, got)
			}
			if got := v.RedactOutput(text); !strings.Contains(got, "%code%") {
				t.Errorf("output %q: %q", text, got)
			}
		}
		for _, text := range []string{"1" + code, code + "0", "12" + code + "34"} {
			if got := v.Redact(text); got != text {
				t.Errorf("%q is another number, and becomes %q", text, got)
			}
		}
	}
	later := totp.at(time.Unix(331, 0))
	if got := v.Redact(later); got != later {
		t.Errorf("a code that is none yet: %q", got)
	}
}

// A code that was typed may stand on a page for longer than it is good for.
func TestCodesThatWereMadeAreRemembered(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Unix(31, 0))
	v := codeVault(t, c)
	code, _, err := v.Resolve("%code%")
	if err != nil {
		t.Fatal(err)
	}
	c.Advance(time.Hour)
	if got := v.Redact(code); got != "%code%" {
		t.Error(got)
	}
	for range 2 * maxMade {
		if _, _, err := v.Resolve("%code%"); err != nil {
			t.Fatal(err)
		}
		c.Advance(time.Minute)
	}
	if len(v.made) != maxMade {
		t.Errorf("%d are remembered", len(v.made))
	}
}

func TestTheSecretOfCodesIsTakenOut(t *testing.T) {
	t.Parallel()
	v := codeVault(t, clock.NewManual(time.Unix(31, 0)))
	for _, text := range []string{
		"otpauth://totp/Shop?secret=" + totpSecret, totpSecret, strings.ToLower(totpSecret), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ",
	} {
		if got := v.Redact("key: " + text); strings.Contains(strings.ToUpper(strings.ReplaceAll(got, " ", "")), "GEZD") {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestCodesInFieldsOfADigitEach(t *testing.T) {
	t.Parallel()
	v := codeVault(t, clock.NewManual(time.Unix(31, 0)))
	code := "287082"
	var lines, list []string
	for _, digit := range strings.Split(code, "") {
		lines = append(lines, `- textbox "Digit" [e1] value="`+digit+`"`)
		list = append(list, digit)
	}
	view := `- textbox "Phone" [e9] value="5550100"` + "\n" + strings.Join(lines, "\n")
	if got := v.RedactOutput(view); strings.Contains(got, `value="8"`) || !strings.Contains(got, `value="%code%"`) || !strings.Contains(got, "5550100") {
		t.Error(got)
	}
	raw, err := json.Marshal(map[string]any{"a": list, "b": 287082, "n": "128708", "m": "2"})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(v.RedactOutputJSON(raw)); strings.Contains(got, `"8"`) || strings.Contains(got, code) || !strings.Contains(got, "128708") {
		t.Error(got)
	}
}

func TestCodesAreMadeAndTakenOutAtTheSameTime(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Unix(31, 0))
	v := codeVault(t, c)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				code, _, err := v.Resolve("%code%")
				if got := v.Redact("code " + code); err != nil || got != "code %code%" {
					t.Errorf("%q %v", got, err)
				}
				v.Stale("%code%")
				c.Advance(7 * time.Second)
			}
		})
	}
	wg.Go(func() { v.Learn("typed_1", "what a person typed") })
	wg.Wait()
}
