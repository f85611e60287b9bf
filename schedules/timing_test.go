package schedules

import (
	"testing"

	"github.com/drover-go/drover/errtypes"
)

// Which zones there are does not depend on the files of a machine.
func TestZonesOfAMachine(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "Local", "localtime", "posixrules", "posix/Europe/Prague", "right/Europe/Prague", "Europe//Prague", "Europe/./Prague", "../UTC", "Europe/Prague\n"} {
		if _, err := zoneOf(name); errtypes.KindOf(err) != errtypes.Invalid {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"UTC", "Etc/GMT+5", "EST5EDT", "America/Argentina/Buenos_Aires", "America/Port-au-Prince", "GMT0"} {
		if _, err := zoneOf(name); err != nil {
			t.Error(err)
		}
	}
}
