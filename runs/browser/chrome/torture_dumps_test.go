package chrome_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// keepDumps keeps what the browsers below dir write about their own crashes,
// which goes with their files when they end, in the folder to. It ends with the
// test.
func keepDumps(t testing.TB, dir, to string) {
	ended, done := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(ended); <-done })
	go func() {
		defer close(done)
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for {
			found, _ := filepath.Glob(filepath.Join(dir, "*", "*", "home", "*", "Crash Reports", "*", "*.dmp"))
			for _, dump := range found {
				if err := os.Link(dump, filepath.Join(to, filepath.Base(dump))); err != nil && !os.IsExist(err) && !os.IsNotExist(err) {
					t.Errorf("a dump cannot be kept: %v", err)
					return
				}
			}
			select {
			case <-tick.C:
			case <-ended:
				return
			}
		}
	}()
}
