package secrets

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

func TestWhatIsIncludedIsTakenOut(t *testing.T) {
	t.Parallel()
	all, first, second := New(nil), New(map[string]string{"word": "first-value"}), New(map[string]string{"word": "second-value", "name": "Ada Lovelace"})
	if all.Knows() {
		t.Error("it knows something before it includes anything")
	}
	for range 3 {
		all.Include(first)
		all.Include(second)
		all.Include(New(map[string]string{"word": "first-value"}))
	}
	all.Include(nil)
	const text = "first-value, second-value of ADA LOVELACE, third-value"
	if got := all.Redact(text); got != "%word%, %word% of %name%, third-value" || !all.Knows() {
		t.Error(got)
	}
	first.Learn("typed_1", "third-value")
	second.Learn("typed_1", "fourth-value")
	if got := string(all.RedactOutputJSON(json.RawMessage(`["third-value","fourth-value",{"a":"first-v"},"alue"]`))); got != `["%typed_1%","%typed_1%",{"a":"%word%"},""]` {
		t.Error(got)
	}
	if got := first.Redact(text); got != "%word%, second-value of ADA LOVELACE, %typed_1%" {
		t.Errorf("one of those that are included: %s", got)
	}
	if _, _, err := all.Resolve("%word%"); err == nil {
		t.Error("what is included resolves")
	}
	if n := len(all.learned["word"]); n != 2 {
		t.Errorf("%d values of two", n)
	}
}

// Codes that one makes are taken out by the one that includes it, too; a value is
// held once, however many have it.
func TestCodesOfWhatIsIncludedAreTakenOut(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Unix(31, 0))
	all := NewVault(nil, c)
	early := codeVault(t, c)
	before, _, _ := early.Resolve("%code%")
	var others []*Vault
	for range 10 {
		others = append(others, codeVault(t, c))
	}
	for _, v := range append(others, early) {
		all.Include(v)
	}
	c.Advance(time.Hour)
	later, _, _ := others[3].Resolve("%code%")
	now := all.totps[0].at(c.Now())
	c.Advance(time.Hour)
	if got := all.Redact(before + " " + later + " " + now + " " + totpSecret); got != "%code% %code% %code% %code%" || len(all.totps) != 1 {
		t.Errorf("%s with %d secrets", got, len(all.totps))
	}
	for range 3 * maxMade {
		for _, v := range others[:3] {
			v.Resolve("%code%")
		}
		c.Advance(time.Minute)
	}
	if len(all.made) != maxMade {
		t.Errorf("%d codes are remembered", len(all.made))
	}
}

func TestVaultsAreIncludedAndUsedAtTheSameTime(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Unix(31, 0))
	all := NewVault(nil, c)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			v := codeVault(t, c)
			v.Learn("typed_1", fmt.Sprint("typed before ", i))
			all.Include(v)
			v.Learn("typed_2", fmt.Sprint("typed after ", i))
			code, _, _ := v.Resolve("%code%")
			text := fmt.Sprintf("%s, typed before %d, typed after %d", code, i, i)
			if got := all.Redact(text); got != "%code%, %typed_1%, %typed_2%" {
				t.Errorf("%q becomes %q", text, got)
			}
			all.RedactOutputJSON(json.RawMessage(`{"a":"b"}`))
		})
	}
	wg.Wait()
}

// What many values cost a text that has none of them, beside one: each was once a
// search of its own.
func BenchmarkManyValues(b *testing.B) {
	params := json.RawMessage(`{"url":"https://shop.example/a?b=c","headers":{"Referer":"https://shop.example/login"},"text":"` +
		strings.Repeat("Some words of a page, with numbers such as 8264. ", 20) + `"}`)
	for _, n := range []int{1, 100, 1000, 10_000} {
		all := New(nil)
		for i := range n {
			all.Include(New(map[string]string{"password": fmt.Sprintf("%d-Passw0rd-%d", i*7919, i), "user": fmt.Sprintf("ada.lovelace%d@mail.example", i)}))
		}
		all.everywhere()
		b.Run(fmt.Sprint("search/", n), func(b *testing.B) {
			for b.Loop() {
				all.RedactOutputJSON(params)
			}
		})
		b.Run(fmt.Sprint("one more/", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				all.Include(New(map[string]string{"password": fmt.Sprintf("another-%d", i)}))
				all.everywhere()
			}
		})
	}
}
