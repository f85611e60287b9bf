package drover_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage/contexts"
)

// sealedData is a data directory with a context and a client's certificate, both
// of which have keys that are sealed.
type sealedData struct {
	dir, context, certificate string
	file                      seal.File
}

func newSealedData(t *testing.T, key string) sealedData {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	d := withKeys(t, dir, key)
	defer d.Close()
	c, err := d.Contexts.Create(t.Context(), contexts.Create{})
	if err != nil {
		t.Fatal(err)
	}
	_, client := closedSite(t).upload(t, d)
	return sealedData{dir, c.ID, client, seal.File(filepath.Join(dir, "master.key"))}
}

// unseals reports whether both keys can be used.
func (s sealedData) unseals(t *testing.T, d *drover.Drover) error {
	t.Helper()
	_, err := d.Certificates.Clients(t.Context(), "x", []string{s.certificate})
	return errors.Join(usable(t, d, s.context), err)
}

// keys are those in the file.
func (s sealedData) keys(t *testing.T) []seal.Key {
	t.Helper()
	all, err := s.file.Keys()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestKeysOfCertificatesAreSealedAgain(t *testing.T) {
	t.Parallel()
	s := newSealedData(t, oneKey)
	for _, step := range []struct {
		key    string
		former []string
		opens  bool
	}{{otherKey, nil, false}, {otherKey, []string{oneKey}, true}, {otherKey, nil, true}, {oneKey, nil, false}} {
		d := withKeys(t, s.dir, step.key, step.former...)
		_, err := d.Certificates.Clients(t.Context(), "x", []string{s.certificate})
		if step.opens && err != nil || !step.opens && (!errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), "master key that the service does not have")) {
			t.Errorf("%+v: %v", step, err)
		}
		d.Close()
	}
}

// Whatever a rotation that was broken off has left, the data can be used, and
// the next rotation completes it.
func TestTheMasterKeyIsRotated(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(*testing.T, sealedData, seal.Key){
		"nothing": func(*testing.T, sealedData, seal.Key) {},
		"both keys in the file": func(t *testing.T, s sealedData, old seal.Key) {
			if err := s.file.Replace(seal.NewKey(), old); err != nil {
				t.Fatal(err)
			}
		},
		"all is sealed again": func(t *testing.T, s sealedData, old seal.Key) {
			if err := s.file.Replace(seal.NewKey(), old); err != nil {
				t.Fatal(err)
			}
			withKeys(t, s.dir, "").Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSealedData(t, "")
			old := s.keys(t)[0]
			leave(t, s, old)
			d := withKeys(t, s.dir, "")
			if err := s.unseals(t, d); err != nil {
				t.Errorf("before the next rotation: %v", err)
			}
			d.Close()
			if _, err := drover.RotateMasterKey(t.Context(), drover.Options{Data: s.dir}); err != nil {
				t.Fatal(err)
			}
			if now := s.keys(t); len(now) != 1 || now[0] == old {
				t.Errorf("%d keys are in the file", len(now))
			}
			d = withKeys(t, s.dir, "")
			defer d.Close()
			if err := s.unseals(t, d); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRotationsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := newSealedData(t, "")
	before := s.keys(t)
	for name, o := range map[string]drover.Options{"in memory": {Data: drover.InMemory}, "of the host": {Data: s.dir, MasterKey: oneKey}} {
		if _, err := drover.RotateMasterKey(t.Context(), o); errtypes.Public(err).Field != "MasterKey" {
			t.Errorf("%s: %v", name, err)
		}
	}
	open := withKeys(t, s.dir, "")
	if _, err := drover.RotateMasterKey(t.Context(), drover.Options{Data: s.dir}); !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("while it is open: %v", err)
	}
	if now := s.keys(t); len(now) != 1 || now[0] != before[0] {
		t.Error("the key was changed all the same")
	}
	if err := s.unseals(t, open); err != nil {
		t.Error(err)
	}
	open.Close()
}

// A key that no master key opens keeps the former ones, and holds up no other.
func TestARotationThatCannotOpenAKey(t *testing.T) {
	t.Parallel()
	s := newSealedData(t, oneKey) // which the file does not have
	d, err := drover.Open(t.Context(), drover.Options{Data: s.dir, Workers: drover.WorkersNever, AcceptLostMasterKey: true})
	if err != nil {
		t.Fatal(err)
	}
	mine, err := d.Contexts.Create(t.Context(), contexts.Create{})
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
	old := s.keys(t)[0]
	n, err := drover.RotateMasterKey(t.Context(), drover.Options{Data: s.dir})
	if n != 1 || !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), s.context) || !strings.Contains(err.Error(), s.certificate) {
		t.Errorf("%d, %v", n, err)
	}
	if now := s.keys(t); len(now) != 2 || now[1] != old {
		t.Errorf("%d keys are left", len(now))
	}
	if n, err := drover.RotateMasterKey(t.Context(), drover.Options{Data: s.dir, FormerMasterKeys: []string{oneKey}}); n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	d = withKeys(t, s.dir, "")
	defer d.Close()
	if err := errors.Join(s.unseals(t, d), usable(t, d, mine.ID)); err != nil || len(s.keys(t)) != 1 {
		t.Errorf("%d keys, %v", len(s.keys(t)), err)
	}
}

// rotatorEnv makes the test binary one that rotates the key of the data it names
// again and again, to be killed at that.
const rotatorEnv = "DROVER_TEST_ROTATOR"

func rotatorMain(dir string) error {
	for {
		fmt.Println("again")
		o := drover.Options{Data: dir, Logger: slog.New(slog.DiscardHandler)}
		if _, err := drover.RotateMasterKey(context.Background(), o); err != nil {
			return err
		}
	}
}

// killedRotator is killed where a rotation begins, or where the file has the
// keys of both sides.
func killedRotator(t *testing.T, s sealedData, both bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), rotatorEnv+"="+s.dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(out)
	for range 2 {
		if line, err := said.ReadString('\n'); err != nil || line != "again\n" {
			t.Fatalf("%q, %v", line, err)
		}
	}
	go io.Copy(io.Discard, said)
	for both && t.Context().Err() == nil {
		content, err := os.ReadFile(string(s.file))
		if err == nil && bytes.Count(content, []byte("\n")) == 3 {
			break
		}
	}
	kill(t, cmd)
}

func TestAKilledRotationLosesNothing(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it kills processes")
	rounds := testlevel.Rounds(1, 3)
	s, between := newSealedData(t, ""), 0
	for i := range rounds {
		killedRotator(t, s, i%3 > 0)
		if len(s.keys(t)) > 1 {
			between++
		}
		d := withKeys(t, s.dir, "")
		if err := s.unseals(t, d); err != nil {
			t.Fatalf("killed the %d. time: %v", i+1, err)
		}
		d.Close()
	}
	t.Logf("%d of %d were killed between the steps", between, rounds)
	if n, err := drover.RotateMasterKey(t.Context(), drover.Options{Data: s.dir}); n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if left, _ := filepath.Glob(filepath.Join(s.dir, ".master.key*")); len(left) > 0 || len(s.keys(t)) != 1 {
		t.Errorf("left: %v, %d keys", left, len(s.keys(t)))
	}
}
