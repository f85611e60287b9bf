package schema

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dlclark/regexp2/v2"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(timed{m}) }

// timed ends the clock of the engine that goes back, which would end by itself a
// little later.
type timed struct{ *testing.M }

func (m timed) Run() int {
	defer regexp2.StopTimeoutClock()
	return m.M.Run()
}

// watchdog is for what must end by itself. It is not a measurement: what ends
// takes a quarter of a second, what does not never ends.
const watchdog = 60 * time.Second

// ends fails the test, and with it the process, if f does not return.
func ends(t *testing.T, f func()) {
	t.Helper()
	name := t.Name()
	timer := time.AfterFunc(watchdog, func() { panic(name + " hangs") })
	defer timer.Stop()
	f()
}

func mustCompile(t testing.TB, text string, o Options) *Schema {
	t.Helper()
	s, err := Compile([]byte(text), o)
	if err != nil {
		t.Fatalf("%s: %v", shorten(text, 200), err)
	}
	return s
}

// commas joins n generated texts with commas.
func commas(n int, item func(i int) string) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = item(i)
	}
	return strings.Join(texts, ",")
}

func nested(n int, open, middle, end string) string {
	return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
}

// in adds the $schema of a draft to a schema that is an object.
func in(d Draft, text string) string {
	return fmt.Sprintf(`{"$schema":%q,%s`, dialects[d].uri, strings.TrimPrefix(text, "{"))
}

var allDrafts = []Draft{Draft4, Draft6, Draft7, Draft201909, Draft202012}
