package process

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPreferencesAreSetBesideOthers(t *testing.T) {
	t.Parallel()
	const ours = `"always_open_pdf_externally":true`
	for there, want := range map[string]string{
		"":                                    `{"plugins":{` + ours + `}}`,
		`{"a":1.50,"b":13380000000000000001}`: `{"a":1.50,"b":13380000000000000001,"plugins":{` + ours + `}}`,
		`{"plugins":{"x":[1],"z":null}}`:      `{"plugins":{` + ours + `,"x":[1],"z":null}}`,
		`{"plugins":{"always_open_pdf_externally":false}}`: `{"plugins":{` + ours + `}}`,
		`{"plugins":null}`: `{"plugins":{` + ours + `}}`,
		`{"plugins":7}`:    `{"plugins":{` + ours + `}}`,
		`null`:             `null`,
		`{"cut`:            `{"cut`,
	} {
		profile := t.TempDir()
		path := filepath.Join(profile, "Default", "Preferences")
		if there != "" {
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(there), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := writePreferences(profile, nil); err != nil {
			t.Errorf("%s: %v", there, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s becomes %s, want %s (%v)", there, got, want, err)
		}
	}
}
