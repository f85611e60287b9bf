package guard

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/internal/clock"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func broken(p any, stack []byte) string {
	if p == nil {
		return "ended"
	}
	if !strings.Contains(string(stack), "guard_test.go") {
		return "no stack"
	}
	return p.(string)
}

func TestWhatACallComesTo(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]func() string{
		"value": func() string { return "value" },
		"panic": func() string { panic("panic") },
		"ended": func() string { runtime.Goexit(); return "" },
	} {
		got, ok := Call(t.Context(), Options[string]{Clock: clock.System(), Broken: broken}, f)
		if got != want || !ok {
			t.Errorf("%q %v, want %q", got, ok, want)
		}
	}
}

func TestACallThatIgnoresItsContextIsLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var said []string
		o := Options[string]{Clock: clock.System(), Grace: 5 * time.Second, Broken: broken}
		o.Left = func() { said = append(said, "left") }
		o.Returned = func() { said = append(said, "returned") }
		from := time.Now()
		if got, ok := Call(ctx, o, func() string { time.Sleep(time.Hour); return "late" }); ok || got != "" || time.Since(from) != 65*time.Second {
			t.Errorf("%q %v after %v", got, ok, time.Since(from))
		}
		if got, ok := Call(ctx, o, func() string { time.Sleep(time.Second); return "in time" }); !ok || got != "in time" {
			t.Errorf("%q %v", got, ok)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := strings.Join(said, " "); got != "left returned" {
			t.Error(got)
		}
	})
}
