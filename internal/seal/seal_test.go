package seal_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
)

func TestWhatIsSealedOpensForItsPurposeOnly(t *testing.T) {
	ring := seal.NewRing(seal.NewKey())
	for _, plain := range []string{"", "x", strings.Repeat("secret", 1000)} {
		sealed := ring.Seal("context 1", []byte(plain))
		if plain != "" && len(plain) > 3 && bytes.Contains(sealed, []byte(plain[:4])) {
			t.Error("the plain text is in what was sealed")
		}
		if got, err := ring.Open("context 1", sealed); err != nil || string(got) != plain {
			t.Errorf("%q, %v", got, err)
		}
		if _, err := ring.Open("context 2", sealed); !errors.Is(err, seal.ErrDamaged) {
			t.Errorf("for another purpose: %v", err)
		}
	}
}

func TestNoBitOfASealedValueCanBeChanged(t *testing.T) {
	ring := seal.NewRing(seal.NewKey())
	sealed := ring.Seal("p", []byte("hello"))
	for i := range sealed {
		changed := bytes.Clone(sealed)
		changed[i] ^= 1
		if plain, err := ring.Open("p", changed); err == nil {
			t.Errorf("byte %d changed: %q", i, plain)
		}
		if plain, err := ring.Open("p", sealed[:i]); !errors.Is(err, seal.ErrDamaged) {
			t.Errorf("cut at %d: %q, %v", i, plain, err)
		}
	}
}

func TestKeysAreChanged(t *testing.T) {
	old, fresh := seal.NewKey(), seal.NewKey()
	before, both, after := seal.NewRing(old), seal.NewRing(fresh, old), seal.NewRing(fresh)
	sealed := before.Seal("p", []byte("x"))
	if both.Current(sealed) || !before.Current(sealed) {
		t.Error("it is not seen which key sealed")
	}
	if _, err := after.Open("p", sealed); !errors.Is(err, seal.ErrKey) {
		t.Errorf("without the old key: %v", err)
	}
	plain, err := both.Open("p", sealed)
	if err != nil {
		t.Fatal(err)
	}
	if again := both.Seal("p", plain); !after.Current(again) {
		t.Error("the old key seals")
	} else if _, err := after.Open("p", again); err != nil {
		t.Error(err)
	}
}

func TestParseKey(t *testing.T) {
	k := seal.NewKey()
	raw, _ := hex.DecodeString(k.Text())
	for _, text := range []string{
		k.Text(), strings.ToUpper(k.Text()), " " + k.Text() + "\n", base64.StdEncoding.EncodeToString(raw),
		base64.URLEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw),
	} {
		if got, err := seal.ParseKey(text); err != nil || got != k {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"", "password", k.Text()[1:], k.Text() + "00", strings.Repeat("0", 64), strings.Repeat("ab", 32), strings.Repeat("g", 64)} {
		_, err := seal.ParseKey(text)
		if err == nil || text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if printed := fmt.Sprintf("%v %+v %#v %s", k, k, k, k); strings.Contains(printed, k.Text()[:8]) {
		t.Error(printed)
	}
}

func TestProcessesThatMakeTheFileAtOnceAgree(t *testing.T) {
	file := seal.File(filepath.Join(t.TempDir(), "master.key"))
	var all sync.Map
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			keys, err := file.Keys()
			if err != nil || len(keys) != 1 {
				t.Error(keys, err)
				return
			}
			all.Store(keys[0], true)
		})
	}
	group.Wait()
	n := 0
	all.Range(func(any, any) bool { n++; return true })
	left, _ := os.ReadDir(filepath.Dir(string(file)))
	if n != 1 || len(left) != 1 {
		t.Errorf("%d keys, files %v", n, left)
	}
}

func TestKeysInTheFileAreReplaced(t *testing.T) {
	file := seal.File(filepath.Join(t.TempDir(), "master.key"))
	first, err := file.Keys()
	if err != nil {
		t.Fatal(err)
	}
	fresh := seal.NewKey()
	if err := file.Replace(fresh, first[0]); err != nil {
		t.Fatal(err)
	}
	if keys, err := file.Keys(); err != nil || len(keys) != 2 || keys[0] != fresh || keys[1] != first[0] {
		t.Error(keys, err)
	}
	if info, err := os.Stat(string(file)); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}

func TestFilesThatCannotBeUsed(t *testing.T) {
	good := seal.NewKey().Text() + "\n"
	for name, test := range map[string]struct {
		content string
		mode    os.FileMode
		want    string
	}{
		"empty":              {"", 0o600, "no key"},
		"no key":             {"# nothing\n\n", 0o600, "no key"},
		"cut":                {good + good[:20], 0o600, "line 2"},
		"others can read it": {good, 0o644, "-rw-r--r--"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "master.key")
			if err := os.WriteFile(path, []byte(test.content), test.mode); err != nil {
				t.Fatal(err)
			}
			_, err := seal.File(path).Keys()
			if !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), good[:10]) {
				t.Error(err)
			}
		})
	}
}
