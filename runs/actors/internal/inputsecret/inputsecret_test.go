package inputsecret

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestWhatIsSealedIsOpened(t *testing.T) {
	t.Parallel()
	key, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for value, form := range map[string]string{
		`"ünder <&> \" lines\n"`: textForm, `{"a":[1.50,null]}`: jsonForm, ` ["x"] `: jsonForm, `{}`: jsonForm,
	} {
		sealed, err := Seal(&key.PublicKey, json.RawMessage(value))
		if err != nil || !strings.HasPrefix(string(sealed), `"`+form+`:`) || !Is(sealed) {
			t.Fatalf("%s: %s %v", value, sealed, err)
		}
		if again, _ := Seal(&key.PublicKey, sealed); string(again) != string(sealed) {
			t.Errorf("%s is sealed twice", value)
		}
		plain, err := Open(key, sealed)
		var got, want any
		if err != nil || json.Unmarshal(plain, &got) != nil || json.Unmarshal([]byte(value), &want) != nil {
			t.Fatalf("%s: %s %v", value, plain, err)
		}
		if a, b := mustJSON(got), mustJSON(want); a != b {
			t.Errorf("%s, not %s", a, b)
		}
	}
	for _, value := range []string{`""`, `5`, `null`, `true`} {
		if same, err := Seal(&key.PublicKey, json.RawMessage(value)); err != nil || string(same) != value {
			t.Errorf("%s: %s %v", value, same, err)
		}
	}
}

func mustJSON(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func TestWhatWasChangedIsNotOpened(t *testing.T) {
	t.Parallel()
	key, err := New()
	if err != nil {
		t.Fatal(err)
	}
	other, err := New()
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := Seal(&key.PublicKey, json.RawMessage(`"value"`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(other, sealed); err == nil {
		t.Error("opened with another key")
	}
	at := len(sealed) - 8
	changed := string(sealed[:at]) + string('A'+(sealed[at]-'A'+1)%26) + string(sealed[at+1:])
	for _, value := range []string{changed, `"ENCRYPTED_VALUE:AAAA:AAAA"`, `"ENCRYPTED_VALUE:A:A"`, `"ENCRYPTED_JSON:hash:AAAA:"`} {
		if plain, err := Open(key, json.RawMessage(value)); err == nil {
			t.Errorf("%s is opened: %s", value, plain)
		}
	}
	encoded, err := Encode(key)
	if err != nil {
		t.Fatal(err)
	}
	same, err := Decode(encoded)
	if err != nil || !same.Equal(key) || !strings.HasPrefix(string(PEM(encoded)), "-----BEGIN PRIVATE KEY-----\n") {
		t.Errorf("%v", err)
	}
	if _, err := Decode([]byte("x")); err == nil {
		t.Error("no key is decoded")
	}
}
