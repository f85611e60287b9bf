package telemetry

import (
	"bytes"
	"context"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// TextType is the media type of what WriteText writes.
const TextType = "text/plain; version=0.0.4; charset=utf-8"

// WriteText writes all metrics in the text format of Prometheus, version 0.0.4,
// in the order of their names. Metrics that nothing is known of are left out.
func (t *Telemetry) WriteText(ctx context.Context, w io.Writer) error {
	var b bytes.Buffer
	for _, f := range t.snapshot(ctx) {
		f.write(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// written is a metric as it is written: its series, or what was read.
type written struct {
	Metric
	series []*series
	read   []sample
}

// snapshot reads everything, in the order of names.
func (t *Telemetry) snapshot(ctx context.Context) []*written {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	readers := slices.Clone(t.readers)
	all := make(map[string]*written, len(t.names))
	for name, f := range t.names {
		all[name] = &written{Metric: f.Metric, series: f.list()}
	}
	t.mu.Unlock()
	for _, r := range readers {
		for _, s := range r.get(ctx) {
			all[s.name].read = append(all[s.name].read, s)
		}
	}
	sorted := make([]*written, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		sorted = append(sorted, all[name])
	}
	return sorted
}

func (f *written) write(b *bytes.Buffer) {
	if len(f.series) == 0 && len(f.read) == 0 {
		return
	}
	b.WriteString("# HELP " + f.Name + " " + helpEscaper.Replace(f.Help) + "\n")
	b.WriteString("# TYPE " + f.Name + " " + f.Kind.String() + "\n")
	for _, s := range f.series {
		if f.Kind == HistogramKind {
			f.writeHistogram(b, s)
			continue
		}
		f.line(b, "", s.labels, "", s.value.get())
	}
	slices.SortStableFunc(f.read, func(a, b sample) int { return slices.Compare(a.labels, b.labels) })
	for _, s := range f.read {
		f.line(b, "", s.labels, "", s.value)
	}
}

// writeHistogram writes how many values are up to each bound, their sum and
// their number, which is that of the last bound: so the three fit together.
func (f *written) writeHistogram(b *bytes.Buffer, s *series) {
	var n uint64
	for i := range s.buckets {
		n += s.buckets[i].Load()
		bound := math.Inf(1)
		if i < len(f.Buckets) {
			bound = f.Buckets[i]
		}
		f.line(b, "_bucket", s.labels, formatted(bound), float64(n))
	}
	f.line(b, "_sum", s.labels, "", s.value.get())
	f.line(b, "_count", s.labels, "", float64(n))
}

// line writes one value; le is the bound of a bucket.
func (f *written) line(b *bytes.Buffer, suffix string, labels []string, le string, v float64) {
	b.WriteString(f.Name + suffix)
	sep := "{"
	pair := func(name, value string) {
		b.WriteString(sep + name + `="` + valueEscaper.Replace(strings.ToValidUTF8(value, "\uFFFD")) + `"`)
		sep = ","
	}
	for i, value := range labels {
		pair(f.Labels[i], value)
	}
	if le != "" {
		pair("le", le)
	}
	if sep == "," {
		b.WriteByte('}')
	}
	b.WriteString(" " + formatted(v) + "\n")
}

var (
	helpEscaper  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	valueEscaper = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

// formatted writes a number as the format wants it: also +Inf and NaN.
func formatted(v float64) string {
	if math.IsInf(v, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
