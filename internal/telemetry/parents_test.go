package telemetry_test

import (
	"fmt"
	"testing"

	"github.com/drover-go/drover/internal/telemetry"
)

func TestParentsAreForgottenWhenThereAreTooMany(t *testing.T) {
	t.Parallel()
	var p telemetry.Parents
	parent := func(i int) telemetry.Parent { return telemetry.Parent{Traceparent: fmt.Sprint(i)} }
	p.Keep("none", telemetry.Parent{})
	if got := p.Take("none"); got != (telemetry.Parent{}) {
		t.Error(got)
	}
	for i := range 10_100 {
		p.Keep(fmt.Sprint(i), parent(i))
	}
	for i, want := range map[int]telemetry.Parent{0: {}, 99: {}, 100: parent(100), 10_099: parent(10_099)} {
		if got := p.Take(fmt.Sprint(i)); got != want {
			t.Error(i, got)
		}
		if got := p.Take(fmt.Sprint(i)); got != (telemetry.Parent{}) {
			t.Error("it was taken twice", i, got)
		}
	}
}
