package chrome_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/disktest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// A browser says nothing when it cannot write. Its profile does not pass for
// whole then, for half of it may be older than the rest.
func TestAProfileOnAFullDisk(t *testing.T) {
	t.Parallel()
	needsProc(t)
	testlevel.Long(t, "a disk is filled")
	srv := pages(t, map[string]string{"/": `<title>t</title><script>document.cookie = 'a=b; max-age=999'; localStorage.a = 'b'</script>`})
	disk := disktest.Small(t, 96)
	p := chrometest.Provider(t)
	for _, full := range []bool{false, true} {
		s := openWith(t, p, browser.Options{Profile: &browser.Profile{Dir: disk}})
		if full {
			disktest.Fill(t, filepath.Join(disk, "filler"))
		}
		navigate(t, s, srv.URL+"/")
		err := s.Close()
		if full && (!errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(errtypes.Public(err).Message, "no room left")) || !full && err != nil {
			t.Errorf("full %v: %v", full, err)
		}
	}
}
