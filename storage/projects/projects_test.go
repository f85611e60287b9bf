package projects_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, db *storage.DB, o projects.Options) projects.Service {
	t.Helper()
	s, err := projects.New(t.Context(), db, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func create(t *testing.T, s projects.Service, name string) projects.Project {
	t.Helper()
	p, err := s.Create(t.Context(), projects.Create{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func createKey(t *testing.T, s projects.Service, project string) (projects.Key, string) {
	t.Helper()
	k, secret, err := s.CreateKey(t.Context(), project, "ci")
	if err != nil {
		t.Fatal(err)
	}
	return k, secret
}

func TestProjectHasAnIDOfEachKindAndIsFoundByIDAndName(t *testing.T) {
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		s := open(t, db, projects.Options{})
		p := create(t, s, "acme")
		if !ids.Valid(p.ID) || !ids.ValidShort(p.UserID) || p.Username != "acme" {
			t.Errorf("%+v", p)
		}
		for _, ref := range []string{p.ID, "acme"} {
			if got, err := s.Get(t.Context(), ref); err != nil || got != p {
				t.Errorf("Get(%q) = %+v, %v", ref, got, err)
			}
		}
		if _, err := s.Get(t.Context(), "none"); !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("unknown project: %v", err)
		}
		all, err := s.List(t.Context())
		if err != nil || len(all) != 2 || all[0].Name != projects.Default || all[1] != p {
			t.Errorf("%+v, %v", all, err)
		}
	})
}

func TestProjectNames(t *testing.T) {
	s := open(t, storagetest.Open(t), projects.Options{})
	for _, bad := range []string{"", "Acme", "a b", "-a", "a/b", "ä", strings.Repeat("a", 65)} {
		if _, err := s.Create(t.Context(), projects.Create{Name: bad}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	create(t, s, "acme")
	for _, c := range []projects.Create{{Name: "acme"}, {Name: "other", Username: "acme"}, {Name: projects.Default}} {
		if _, err := s.Create(t.Context(), c); !errtypes.Is(err, errtypes.Conflict) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestDefaultProjectIsMadeOnce(t *testing.T) {
	db := storagetest.OpenFile(t)
	one := open(t, db, projects.Options{})
	two := open(t, db, projects.Options{})
	a, _ := one.Current(t.Context())
	b, _ := two.Current(t.Context())
	if a != b || a.Name != projects.Default {
		t.Errorf("%+v and %+v", a, b)
	}
}

func TestCallersProjectTravelsInTheContext(t *testing.T) {
	db := storagetest.Open(t)
	s := open(t, db, projects.Options{})
	p := create(t, s, "acme")
	ctx, err := s.In(t.Context(), "acme")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Current(ctx); err != nil || got != p {
		t.Errorf("%+v, %v", got, err)
	}
	strict := open(t, db, projects.Options{RequireProject: true})
	if _, err := strict.Current(t.Context()); !errtypes.Is(err, errtypes.Unauthenticated) {
		t.Errorf("no project: %v", err)
	}
	if got, err := strict.Current(ctx); err != nil || got != p {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestKeyOpensItsProjectUntilItIsRevoked(t *testing.T) {
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		s := open(t, db, projects.Options{})
		p := create(t, s, "acme")
		k, secret := createKey(t, s, "acme")
		if !strings.HasPrefix(secret, k.Prefix) || len(k.Prefix) >= len(secret)/2 {
			t.Errorf("prefix %q of %q", k.Prefix, secret)
		}
		if got, err := s.Authenticate(t.Context(), secret); err != nil || got != p {
			t.Errorf("%+v, %v", got, err)
		}
		for range 2 {
			if got, err := s.RevokeKey(t.Context(), k.ID); err != nil || got.RevokedAt.IsZero() {
				t.Errorf("%+v, %v", got, err)
			}
		}
		if _, err := s.Authenticate(t.Context(), secret); !errtypes.Is(err, errtypes.Unauthenticated) {
			t.Errorf("revoked key: %v", err)
		}
		if _, err := s.RevokeKey(t.Context(), "none"); !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("unknown key: %v", err)
		}
	})
}

func TestWrongKeysAreRefused(t *testing.T) {
	s := open(t, storagetest.Open(t), projects.Options{})
	_, secret := createKey(t, s, projects.Default)
	for _, wrong := range []string{"", "x", secret[:len(secret)-1], secret + "x", strings.ToUpper(secret), " " + secret} {
		if _, err := s.Authenticate(t.Context(), wrong); !errtypes.Is(err, errtypes.Unauthenticated) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

func TestSecretIsStoredNowhere(t *testing.T) {
	dir := t.TempDir()
	db := storagetest.OpenWith(t, storage.Options{Dir: dir})
	s := open(t, db, projects.Options{})
	_, made := createKey(t, s, projects.Default)
	const chosen = "correct-horse-battery-staple"
	if _, err := s.PresetKey(t.Context(), projects.Default, "env", chosen); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "drover.db*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{made, chosen} {
			if strings.Contains(string(data), secret[len(secret)/2:]) {
				t.Errorf("half of %q stands in %s", secret, filepath.Base(file))
			}
		}
	}
}

func TestPresetKeyReplacesItsNamesakeOnly(t *testing.T) {
	s := open(t, storagetest.Open(t), projects.Options{})
	_, made := createKey(t, s, projects.Default)
	good := func(secret string) bool {
		_, err := s.Authenticate(t.Context(), secret)
		return err == nil
	}
	for _, secret := range []string{"first", "first", "second", "first"} {
		if _, err := s.PresetKey(t.Context(), projects.Default, "env", secret); err != nil {
			t.Fatal(err)
		}
		if !good(secret) || !good(made) || good("first") == good("second") {
			t.Errorf("after %q: first %t, second %t, made %t", secret, good("first"), good("second"), good(made))
		}
	}
	all, err := s.Keys(t.Context(), projects.Default)
	if err != nil || len(all) != 3 {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestPresetKeyErrors(t *testing.T) {
	s := open(t, storagetest.Open(t), projects.Options{})
	create(t, s, "acme")
	_, secret := createKey(t, s, "acme")
	for name, test := range map[string]struct {
		project, secret string
		want            errtypes.Kind
	}{
		"empty":         {projects.Default, "", errtypes.Invalid},
		"space":         {projects.Default, "a b", errtypes.Invalid},
		"control":       {projects.Default, "a\x00b", errtypes.Invalid},
		"long":          {projects.Default, strings.Repeat("x", 1025), errtypes.Invalid},
		"no project":    {"none", "x", errtypes.NotFound},
		"other project": {projects.Default, secret, errtypes.Conflict},
	} {
		if _, err := s.PresetKey(t.Context(), test.project, "env", test.secret); !errtypes.Is(err, test.want) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
	if _, _, err := s.CreateKey(t.Context(), "none", ""); !errtypes.Is(err, errtypes.NotFound) {
		t.Errorf("key of no project: %v", err)
	}
	if _, _, err := s.CreateKey(t.Context(), "acme", strings.Repeat("ä", 256)); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("long name: %v", err)
	}
	if _, err := s.Keys(context.Background(), "none"); !errtypes.Is(err, errtypes.NotFound) {
		t.Errorf("keys of no project: %v", err)
	}
}
