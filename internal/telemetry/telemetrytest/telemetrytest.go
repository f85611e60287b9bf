// Package telemetrytest reads metrics for tests, with the parser of Prometheus.
package telemetrytest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Values are metrics by their name and labels, those sorted: name{a="b",c="d"}. Of
// histograms there are name_count and name_sum.
type Values map[string]float64

// Parse reads the text format.
func Parse(t testing.TB, text io.Reader) Values {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(text)
	if err != nil {
		t.Fatalf("Prometheus does not read it: %v", err)
	}
	all := Values{}
	for name, f := range families {
		for _, m := range f.GetMetric() {
			all.add(name, m)
		}
	}
	return all
}

// Of reads what w writes.
func Of(t testing.TB, w interface {
	WriteText(ctx context.Context, w io.Writer) error
}) Values {
	t.Helper()
	var text bytes.Buffer
	if err := w.WriteText(t.Context(), &text); err != nil {
		t.Fatal(err)
	}
	return Parse(t, &text)
}

func (v Values) add(name string, m *dto.Metric) {
	var labels []string
	for _, l := range m.GetLabel() {
		labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
	}
	slices.Sort(labels)
	in := ""
	if len(labels) > 0 {
		in = "{" + strings.Join(labels, ",") + "}"
	}
	switch {
	case m.GetHistogram() != nil:
		v[name+"_count"+in] = float64(m.GetHistogram().GetSampleCount())
		v[name+"_sum"+in] = m.GetHistogram().GetSampleSum()
	case m.GetCounter() != nil:
		v[name+in] = m.GetCounter().GetValue()
	default:
		v[name+in] = m.GetGauge().GetValue()
	}
}

// Want compares some of the metrics: what is not there is 0.
func (v Values) Want(t testing.TB, want Values) {
	t.Helper()
	for key, n := range want {
		if v[key] != n {
			t.Errorf("%s is %v, want %v", key, v[key], n)
		}
	}
}

// Names are those of all series, without their values.
func (v Values) Names() []string {
	names := make([]string, 0, len(v))
	for name := range v {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
