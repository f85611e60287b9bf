package sessions

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// What a killed process has unpacked, the next one removes.
func TestTheExtensionOfASessionWhoseHostIsKilled(t *testing.T) {
	name := ids.New()
	t.Setenv(hostEnv+"_EXTENSION", name)
	h := startHost(t, inMemory)
	os.Unsetenv(hostEnv + "_EXTENSION")
	h.create()
	if n := len(unpackedOf(h.temp, name)); n != 1 {
		t.Fatalf("it is unpacked %d times", n)
	}
	h.kill()
	chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = h.temp })
	// In memory all processes of the machine leave such: another one that starts
	// now may have begun to remove it.
	left, patience := unpackedOf(h.temp, name), time.Now().Add(testlevel.Loaded(20*time.Second))
	for ; len(left) > 0 && time.Now().Before(patience); left = unpackedOf(h.temp, name) {
		runtime.Gosched()
	}
	if len(left) > 0 {
		t.Errorf("left of the extension: %v", left)
	}
}
