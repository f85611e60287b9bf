package tools

import (
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/internal/secrets"
	"github.com/drover-go/drover/runs/model"
)

// codeOn is a set on a session that types codes by the clock: 287082 in the second
// half of the first minute of 1970.
func codeOn(t *testing.T, b *broken, c clock.Clock) *Set {
	t.Helper()
	const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
	totp, err := secrets.ParseTOTP(secret)
	if err != nil {
		t.Fatal(err)
	}
	return setOn(b, func(o *Options) {
		o.Clock, o.Variables = c, secrets.NewVault(map[string]secrets.Variable{"code": {Value: secret, TOTP: totp}}, c)
		o.Task = "Go to https://a.example/?code=%code%"
	})
}

func TestACodeIsTypedAndNotShown(t *testing.T) {
	t.Parallel()
	b := newBroken()
	set := codeOn(t, b, clock.NewManual(time.Unix(31, 0)))
	b.snap.Elements[0].Value, b.snap.Elements[1].Name = "287082", "Send 287 082"
	r := call(t, set, "type", `{"ref":"e1","text":"%code%"}`)
	if b.typed != "287082" || strings.Contains(r.Output.Text(), "287") || !strings.Contains(r.Output.Text(), `Typed "%code%"`) {
		t.Errorf("typed %q: %s", b.typed, r.Output.Text())
	}
	b.snap.Page.URL = "https://a.example/?code=287082"
	if r := call(t, set, "navigate", `{"url":"https://a.example/?code=%code%"}`); strings.Contains(r.Output.Text(), "287") {
		t.Error(r.Output.Text())
	}
}

// A code that is about to end is not typed: the next one is waited for.
func TestACodeThatIsAboutToEndIsNotTyped(t *testing.T) {
	t.Parallel()
	b := newBroken()
	c := clock.NewManual(time.Unix(26, 0))
	set := codeOn(t, b, c)
	over := make(chan Result)
	go func() {
		over <- set.Call(t.Context(), model.Call("", "type", map[string]string{"ref": "e1", "text": "%code%"}))
	}()
	c.WaitForTimers(2) // the tool's limit, and the wait
	if b.typed != "" {
		t.Errorf("typed %q at once", b.typed)
	}
	c.Advance(4 * time.Second)
	if r := <-over; r.Output.IsError() || b.typed != "287082" {
		t.Errorf("typed %q: %s", b.typed, r.Output.Text())
	}
}

func TestTheWaitForACodeIsBounded(t *testing.T) {
	t.Parallel()
	b := newBroken()
	c := clock.NewManual(time.Unix(26, 0))
	set := codeOn(t, b, c)
	set.opts.Timeout = 2 * time.Second
	over := make(chan Result)
	go func() {
		over <- set.Call(t.Context(), model.Call("", "type", map[string]string{"ref": "e1", "text": "%code%"}))
	}()
	c.WaitForTimers(2)
	c.Advance(2 * time.Second)
	if r := <-over; !r.Output.IsError() || b.typed != "" || !strings.Contains(r.Output.Text(), "took too long") {
		t.Errorf("typed %q: %s", b.typed, r.Output.Text())
	}
}
