package ids

import (
	"sort"
	"strings"
	"testing"
	"time"
)

func TestNewSortsInTheOrderOfMaking(t *testing.T) {
	made := make([]string, 10_000)
	for i := range made {
		made[i] = New()
	}
	if !sort.StringsAreSorted(made) {
		t.Error("ids of one process do not sort")
	}
	if !Valid(made[0]) || made[0] == made[1] {
		t.Errorf("%q is not valid or not unique", made[0])
	}
	when, ok := Time(made[0])
	if !ok || time.Since(when).Abs() > time.Minute {
		t.Errorf("time of %q is %v", made[0], when)
	}
}

func TestValidTakesOnlyTheCanonicalForm(t *testing.T) {
	id := New()
	for _, bad := range []string{"", "x", id + "x", id[:35], "{" + id + "}", "urn:uuid:" + id, "0193A000-0000-7000-8000-00000000000G", "0193ABCD-0000-7000-8000-000000000000"} {
		if Valid(bad) {
			t.Errorf("%q accepted", bad)
		}
	}
}

func TestCanonicalChangesOnlyTheCaseOfIDs(t *testing.T) {
	id := New()
	for in, want := range map[string]string{
		id: id, strings.ToUpper(id): id, "": "", "ABC": "ABC", "{" + id + "}": "{" + id + "}",
		"URN:UUID:" + id: "URN:UUID:" + id,
	} {
		if got := Canonical(in); got != want {
			t.Errorf("%q became %q", in, got)
		}
	}
}

func TestNewShort(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		id := NewShort()
		if !ValidShort(id) || seen[id] {
			t.Fatalf("%q is not valid or not unique", id)
		}
		seen[id] = true
	}
	for _, bad := range []string{"", "abcdefghijklmnop", "abcdefghijklmnopqr", "abcdefghijklmno-q", "abcdefghijklmnöq"} {
		if ValidShort(bad) {
			t.Errorf("%q accepted", bad)
		}
	}
}
