package errtypes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

func TestEveryWireTypeOfTheListHasItsStatus(t *testing.T) {
	list, err := os.ReadFile("error-types.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(list), "\n"), "\n")[1:]
	if len(lines) != 391 || len(types) != len(lines) {
		t.Fatalf("the list has %d types and the table %d, want 391", len(lines), len(types))
	}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		typ := Type(f[0])
		if got := fmt.Sprint(typ.HTTPStatus()); got != f[1] {
			t.Errorf("%s: status %s, want %s", typ, got, f[1])
		}
		if typ.HostedOnly() != (f[2] == "yes") {
			t.Errorf("%s: HostedOnly = %t", typ, typ.HostedOnly())
		}
		if got := OfType(typ, "x").Kind.HTTPStatus(); got != typ.HTTPStatus() {
			t.Errorf("%s: its kind has status %d, the type %d", typ, got, typ.HTTPStatus())
		}
	}
}

func TestEveryKindHasANameAndItsOwnStatus(t *testing.T) {
	seen := map[int]Kind{}
	for _, k := range Kinds() {
		if k.String() == "" || k.HTTPStatus() == 0 {
			t.Errorf("kind %d lacks a name or a status", k)
		}
		if other, dup := seen[k.HTTPStatus()]; dup {
			t.Errorf("%s and %s share status %d", k, other, k.HTTPStatus())
		}
		seen[k.HTTPStatus()] = k
	}
}

func TestWrapKeepsKindAndMessage(t *testing.T) {
	stop := func() (err error) {
		defer Wrap(&err, "runs.Stop(%q)", "r1")
		return New(Conflict, "run r1 is already finished").WithCause(io.EOF)
	}
	err := stop()
	if !Is(err, Conflict) || Is(err, NotFound) || !errors.Is(err, io.EOF) {
		t.Fatalf("kind of %v is %s", err, KindOf(err))
	}
	if want := `runs.Stop("r1"): run r1 is already finished: EOF`; err.Error() != want {
		t.Errorf("log text %q, want %q", err, want)
	}
	if pub := Public(err); pub.Message != "run r1 is already finished" || pub.Unwrap() != nil {
		t.Errorf("public part %+v", pub)
	}
}

func TestWrapOfNilStaysNil(t *testing.T) {
	var err error
	Wrap(&err, "x")
	if err != nil || Is(err, Internal) {
		t.Fatalf("Wrap made %v out of nil", err)
	}
}

func TestForeignErrorsAreInternalAndTheirTextStaysInside(t *testing.T) {
	foreign := fmt.Errorf("open /srv/secret/drover.db: permission denied")
	for _, err := range []error{
		foreign,
		fmt.Errorf("op: %w", foreign),
		New(Internal, "row of /srv/secret is broken"),
	} {
		pub := Public(err)
		if pub.Kind != Internal || strings.Contains(pub.Error(), "secret") {
			t.Errorf("Public(%v) = %s %q", err, pub.Kind, pub)
		}
	}
}

func TestEndedContextsHaveTheirOwnKinds(t *testing.T) {
	for err, want := range map[error]Kind{
		context.Canceled:         Canceled,
		context.DeadlineExceeded: RequestTimeout,
	} {
		if got := KindOf(fmt.Errorf("query: %w", err)); got != want {
			t.Errorf("kind of %v is %s, want %s", err, got, want)
		}
		if got := Public(err).Kind; got != want {
			t.Errorf("public kind of %v is %s, want %s", err, got, want)
		}
	}
}

func TestHostedOnlyAndUnknownTypesAreNeverSent(t *testing.T) {
	for typ := range types {
		pub := Public(New(Invalid, "m").WithType(typ))
		if typ.HostedOnly() && pub.Type != "" {
			t.Errorf("%s would be sent", typ)
		}
		if !typ.HostedOnly() && pub.Type != typ {
			t.Errorf("%s was lost", typ)
		}
	}
	if pub := Public(New(Invalid, "m").WithType("made-up")); pub.Type != "" {
		t.Errorf("an unknown type would be sent: %s", pub.Type)
	}
}

func TestFieldNamesTheField(t *testing.T) {
	err := Field("limit", "must be at most %d", 1000)
	if err.Kind != Invalid || err.Field != "limit" || err.Message != "limit must be at most 1000" {
		t.Errorf("%+v", err)
	}
}
