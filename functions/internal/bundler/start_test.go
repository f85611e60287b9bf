package bundler

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/drover-go/drover/internal/child"
)

// The program is linked to where who runs it can run it as it lies, and copied where
// they cannot, or something stands in front of it.
func TestTheProgramGetsItsOtherName(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		mode   os.FileMode
		spec   child.Spec
		linked bool
	}{
		"the host's own user": {0o700, child.Spec{}, true},
		"open to all":         {0o755, child.Spec{User: &child.User{UID: 60706}}, true},
		"closed to others":    {0o700, child.Spec{User: &child.User{UID: 60706}}, false},
		"in a sandbox":        {0o755, child.Spec{Wrapper: []string{"/usr/bin/env"}}, false},
	} {
		dir := t.TempDir()
		self := filepath.Join(dir, "host")
		if err := os.WriteFile(self, []byte("the host"), c.mode); err != nil {
			t.Fatal(err)
		}
		c.spec.Path = self
		if err := prepare(dir, &c.spec); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(c.spec.Path)
		if err != nil || info.Mode()&os.ModeSymlink != 0 != c.linked || filepath.Base(c.spec.Path) != Name {
			t.Errorf("%s: %v %v", name, info, err)
		}
		if text, err := os.ReadFile(c.spec.Path); err != nil || string(text) != "the host" {
			t.Errorf("%s: %q %v", name, text, err)
		}
	}
}

func TestPlainJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a":1,}`: `{"a":1 }`, `[1, 2 , // three` + "\n]": `[1, 2   ` + "\n]", `{"a":"//x,}","b":/* } */"\",}"}`: `{"a":"//x,}","b":"\",}"}`,
		"\ufeff{}": `{}`, `{"a":"x`: `{"a":"x`, `{} // end`: `{} `, `{} /* open`: `{} `, `[1,/**/,]`: `[1, ]`, `/`: `/`, `"\`: `"\`,
	} {
		if got := string(plainJSON([]byte(text))); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

func FuzzPlainJSON(f *testing.F) {
	f.Add(`{"a":1,/*,*/}//`)
	f.Fuzz(func(t *testing.T, text string) {
		if got := plainJSON([]byte(text)); len(got) > len(text) {
			t.Errorf("%q: %q", text, got)
		}
	})
}
