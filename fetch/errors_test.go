package fetch

import (
	"errors"
	"net"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// TestSilenceIsATimeoutOnlyOnceConnected provokes real time-outs of package
// net.
func TestSilenceIsATimeoutOnlyOnceConnected(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	past := time.Unix(1, 0)
	conn.SetReadDeadline(past)
	_, reading := conn.Read(make([]byte, 1))
	dialer := net.Dialer{Deadline: past}
	_, dialling := dialer.Dial("tcp", l.Addr().String())
	for name, test := range map[string]struct {
		err  error
		kind errtypes.Kind
	}{
		"reading":   {reading, errtypes.GatewayTimeout},
		"dialling":  {dialling, errtypes.BadGateway},
		"resolving": {&net.DNSError{Err: "i/o timeout", IsTimeout: true}, errtypes.BadGateway},
		"another":   {errors.New("x"), errtypes.BadGateway},
	} {
		if err := explain(t.Context(), test.err); !errtypes.Is(err, test.kind) || !errors.Is(err, test.err) {
			t.Errorf("%s: %v became %v, want %s", name, test.err, err, test.kind)
		}
	}
}
