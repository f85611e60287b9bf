//go:build unix

package publish

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/drover-go/drover/builds"
)

// What the host reads of a program has a limit. Archives that have a hundred kilobytes made
// it take gigabytes of its memory.
func TestLargeFilesOfAProgramAreRefused(t *testing.T) {
	t.Parallel()
	p := publisher(t, Config{})
	for name, most := range map[string]int{manifestOf: maxSettings, rcFile: maxSettings, npmLock: maxLock, shrinkwrap: maxLock, pnpmLock: maxLock} {
		dir, log := program(t, map[string]string{manifestOf: "{}", name: strings.Repeat("\n", most+1)}), &lines{}
		_, err := p.Install(t.Context(), Wanted{Project: "a"}, dir, log.add)
		var failure *builds.Failure
		if want := fmt.Sprintf("installing: %s has more than %d bytes", name, most); !errors.As(err, &failure) || failure.Message != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// Scripts of a program may put anything in the place of its files: what is no file is not
// read, which would take for ever.
func TestWhatIsNoFileIsNotRead(t *testing.T) {
	t.Parallel()
	p := publisher(t, Config{})
	for _, name := range []string{npmLock, shrinkwrap, pnpmLock} {
		dir := program(t, map[string]string{manifestOf: "{}"})
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Fatal(err)
		}
		if how, err := p.howTo(dir, nil); err != nil || how.lock != "" {
			t.Errorf("a pipe as %s: %+v %v", name, how, err)
		}
		if err := errors.Join(os.Remove(filepath.Join(dir, name)), os.Symlink("/dev/zero", filepath.Join(dir, name))); err != nil {
			t.Fatal(err)
		}
		if how, err := p.howTo(dir, nil); err != nil || how.lock != "" {
			t.Errorf("a link as %s: %+v %v", name, how, err)
		}
	}
}
