package drover_test

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/telemetry"
)

// TestEveryMetricIsDocumented: the table of docs/observability.md is what there is.
func TestEveryMetricIsDocumented(t *testing.T) {
	t.Parallel()
	d, err := drover.Open(t.Context(), drover.Options{Data: t.TempDir(), Workers: drover.WorkersNever, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	httpadapter.New(d, httpadapter.Options{})
	var want []string
	for _, m := range d.Metrics().(*telemetry.Telemetry).Metrics() {
		labels := "–"
		if len(m.Labels) > 0 {
			labels = "`" + strings.Join(m.Labels, "`, `") + "`"
		}
		want = append(want, fmt.Sprintf("| `%s` | %s | %s | %s |", m.Name, m.Kind, labels, m.Help))
	}
	page, err := os.ReadFile("docs/observability.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "| `drover_") || strings.HasPrefix(line, "| `go_") || strings.HasPrefix(line, "| `process_") {
			got = append(got, strings.TrimSuffix(line, "\n"))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/observability.md is not what there is:\n%s\nthe table is:\n%s", diff, strings.Join(want, "\n"))
	}
}

// TestTheDocumentedProgramIsTheExample: what docs/observability.md shows of
// OpenTelemetry is compiled.
func TestTheDocumentedProgramIsTheExample(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("docs/observability.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("httpadapter/otelbridge/example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	compiled := map[string]bool{}
	for line := range strings.Lines(string(example)) {
		compiled[strings.TrimSpace(line)] = true
	}
	_, block, found := strings.Cut(string(page), "```go\n")
	block, _, ended := strings.Cut(block, "```")
	if !found || !ended {
		t.Fatal("there is no program")
	}
	for line := range strings.Lines(block) {
		if line = strings.TrimSpace(line); line != "" && !compiled[line] {
			t.Errorf("%q is not in the example", line)
		}
	}
}
