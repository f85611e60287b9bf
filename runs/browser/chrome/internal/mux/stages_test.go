package mux

import (
	"maps"
	"slices"
	"testing"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

func TestEveryStagedMethodHasItsStage(t *testing.T) {
	t.Parallel()
	want, got := policy.Staged(), slices.Sorted(maps.Keys(stages))
	slices.Sort(want)
	if !slices.Equal(want, got) {
		t.Errorf("the policy stages %v, there are stages for %v", want, got)
	}
}
