package suite_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestTheManualNamesWhatPlainDoesNotReach compares the last table of the manual
// with the tasks, and counts them.
func TestTheManualNamesWhatPlainDoesNotReach(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../docs/suites.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(raw), "It does not reach these:")
	if !ok {
		t.Fatal("the manual has no such table")
	}
	var listed, missing []string
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) == 4 && strings.Contains(cells[1], " ") && !strings.Contains(cells[1], "Because") {
			for id := range strings.SplitSeq(cells[2], ",") {
				listed = append(listed, strings.TrimSpace(id))
			}
		}
	}
	s := widgets(t)
	for _, task := range s.Tasks {
		if len(task.Plain) == 0 {
			missing = append(missing, task.ID)
		}
		if len(task.Solution) == 0 {
			t.Errorf("%s has no solution", task.ID)
		}
	}
	slices.Sort(listed)
	slices.Sort(missing)
	if !slices.Equal(listed, missing) {
		t.Errorf("the manual lists %q\nthere are %q", listed, missing)
	}
	if !strings.Contains(string(raw), fmt.Sprintf("a suite of %d tasks", len(s.Tasks))) {
		t.Errorf("the manual does not say that there are %d tasks", len(s.Tasks))
	}
}
