package mux

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

func TestEveryStagedMethodHasItsStage(t *testing.T) {
	t.Parallel()
	list, err := os.ReadFile("policy/methods.txt")
	if err != nil {
		t.Fatal(err)
	}
	staged := map[string]bool{}
	for method := range strings.FieldsSeq(string(list)) {
		for level := policy.Browser; level <= policy.Tab; level++ {
			if policy.Find(level, method).Do == policy.Stage {
				staged[method] = true
			}
		}
	}
	want, got := slices.Sorted(maps.Keys(staged)), slices.Sorted(maps.Keys(stages))
	if !slices.Equal(want, got) {
		t.Errorf("the policy stages %v, there are stages for %v", want, got)
	}
}
