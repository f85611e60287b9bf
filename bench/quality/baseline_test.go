package quality

import (
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the baseline from this run")

const baselineFile = "baseline.json"

// margin is what a score is rounded down to a multiple of in the baseline.
const margin = 0.005

// held compares the scores of one section with the baseline, or rewrites that
// section.
func held(t *testing.T, section string, scores map[string]float64) {
	t.Helper()
	all := readBaseline(t)
	if *update {
		all[section] = map[string]float64{}
		for name, v := range scores {
			all[section][name] = math.Round(math.Floor(v/margin)*margin*1000) / 1000
		}
		writeBaseline(t, all)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(all[section])) {
		switch v, ok := scores[name]; {
		case !ok:
			t.Errorf("%s: %s is no longer scored", section, name)
		case v < all[section][name]:
			t.Errorf("%s: %s is %.3f, below the baseline of %.3f", section, name, v, all[section][name])
		}
	}
	if len(all[section]) == 0 {
		t.Errorf("%s has no baseline; run with -update", section)
	}
}

func readBaseline(t *testing.T) map[string]map[string]float64 {
	t.Helper()
	all := map[string]map[string]float64{}
	raw, err := os.ReadFile(baselineFile)
	if errors.Is(err, fs.ErrNotExist) {
		return all
	}
	if err == nil {
		err = json.Unmarshal(raw, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func writeBaseline(t *testing.T, all map[string]map[string]float64) {
	t.Helper()
	raw, err := json.MarshalIndent(all, "", "\t")
	if err == nil {
		err = os.WriteFile(baselineFile, append(raw, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
