package drover_test

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage/contexts"
)

const (
	oneKey   = "5f0c7b9e2a4d6183c5e7f90b1d2e3a4c5b6d7e8f9a0b1c2d3e4f5a6b7c8d9eaf"
	otherKey = "k3Jx8mQ2vT5pR7wZ1yB4nC6dF9gH0aSlEuIoPqWrXtU="
)

// withKeys opens the data with master keys, and ends the test if that fails.
func withKeys(t *testing.T, dir, key string, former ...string) *drover.Drover {
	t.Helper()
	d, err := drover.Open(t.Context(), drover.Options{Data: dir, Workers: drover.WorkersNever, MasterKey: key, FormerMasterKeys: former})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// usable reports whether the key of a context can be unsealed.
func usable(t *testing.T, d *drover.Drover, id string) error {
	t.Helper()
	l, err := d.Contexts.Open(t.Context(), contexts.Use{ContextID: id, Holder: "test"})
	if err == nil {
		err = l.Free(t.Context())
	}
	return err
}

func TestTheMasterKeyIsMadeOnceAndChanged(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	d := withKeys(t, dir, "")
	c, err := d.Contexts.Create(t.Context(), contexts.Create{})
	if err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile(filepath.Join(dir, "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	again := withKeys(t, dir, "")
	if err := usable(t, again, c.ID); err != nil {
		t.Error(err)
	}
	again.Close()
	d.Close()

	lines := strings.Fields(string(made))
	old := lines[len(lines)-1]
	wrong := withKeys(t, dir, oneKey)
	if err := usable(t, wrong, c.ID); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("under another key: %v", err)
	}
	wrong.Close()
	withKeys(t, dir, oneKey, old).Close()
	for range 2 { // the second time nothing is left to seal
		after := withKeys(t, dir, oneKey)
		if err := usable(t, after, c.ID); err != nil {
			t.Error(err)
		}
		after.Close()
	}
}

// A new key beside what a lost one has sealed would hide the loss.
func TestALostMasterKeyIsNotReplacedUnasked(t *testing.T) {
	t.Parallel()
	s := newSealedData(t, "")
	file := string(s.file)
	key := s.keys(t)[0].Text()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func() error{
		"open": func() error {
			_, err := drover.Open(t.Context(), drover.Options{Data: s.dir})
			return err
		},
		"former": func() error {
			_, err := drover.Open(t.Context(), drover.Options{Data: s.dir, FormerMasterKeys: []string{otherKey}})
			return err
		},
		"rotate": func() error {
			_, err := drover.RotateMasterKey(t.Context(), drover.Options{Data: s.dir})
			return err
		},
	} {
		err := open()
		if !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "2 keys") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: there is a new key: %v", name, err)
		}
	}
	// Nothing is lost: whoever gives the key goes on, and a new file can be begun
	// beside it.
	for _, keys := range [][]string{{key}, {"", key}, {""}} {
		d := withKeys(t, s.dir, keys[0], keys[1:]...)
		if err := s.unseals(t, d); err != nil {
			t.Error(err)
		}
		d.Close()
	}
}

func TestALostMasterKeyThatIsAccepted(t *testing.T) {
	t.Parallel()
	s := newSealedData(t, "")
	if err := os.Remove(string(s.file)); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	d, err := drover.Open(t.Context(), drover.Options{
		Data: s.dir, AcceptLostMasterKey: true, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if len(s.keys(t)) != 1 || s.unseals(t, d) == nil || strings.Count(log.String(), "sealed=0 unopened=1") != 2 {
		t.Errorf("%s", log.String())
	}
	if c, err := d.Contexts.Create(t.Context(), contexts.Create{}); err != nil || usable(t, d, c.ID) != nil {
		t.Errorf("a new context: %v", err)
	}
}

func TestTheLogCountsWhatIsSealedAgainAndWhatIsNot(t *testing.T) {
	t.Parallel()
	s := newSealedData(t, oneKey)
	d := withKeys(t, s.dir, otherKey) // which does not open the first
	for range 2 {
		if _, err := d.Contexts.Create(t.Context(), contexts.Create{}); err != nil {
			t.Fatal(err)
		}
	}
	d.Close()
	var log bytes.Buffer
	d, err := drover.Open(t.Context(), drover.Options{
		Data: s.dir, MasterKey: seal.NewKey().Text(), FormerMasterKeys: []string{otherKey}, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if !strings.Contains(log.String(), "sealed=2 unopened=1") || strings.Contains(log.String(), "msg=\"drover: keys are sealed") {
		t.Errorf("%s", log.String())
	}
}

func TestMasterKeysThatAreNone(t *testing.T) {
	t.Parallel()
	for field, o := range map[string]drover.Options{
		"MasterKey":        {MasterKey: "correct horse battery staple"},
		"FormerMasterKeys": {MasterKey: otherKey, FormerMasterKeys: []string{oneKey, "correct horse"}},
	} {
		o.Data = drover.InMemory
		_, err := drover.Open(t.Context(), o)
		if e := errtypes.Public(err); e.Kind != errtypes.Invalid || e.Field != field || strings.Contains(err.Error(), "horse") {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestDataInMemoryMakesNoKeyFile(t *testing.T) {
	t.Chdir(t.TempDir())
	d, err := drover.Open(t.Context(), drover.Options{Data: drover.InMemory})
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}
