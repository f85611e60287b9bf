package telemetry_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/drover-go/drover/internal/telemetry"
)

// parsed reads the text with Prometheus's own parser.
func parsed(t *testing.T, tel *telemetry.Telemetry) map[string]*dto.MetricFamily {
	t.Helper()
	var text bytes.Buffer
	if err := tel.WriteText(t.Context(), &text); err != nil {
		t.Fatal(err)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	all, err := parser.TextToMetricFamilies(&text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, &text)
	}
	return all
}

// values are the values of a counter or gauge, by its labels.
func values(f *dto.MetricFamily) map[string]float64 {
	all := map[string]float64{}
	for _, m := range f.GetMetric() {
		var labels []string
		for _, l := range m.GetLabel() {
			labels = append(labels, l.GetName()+"="+l.GetValue())
		}
		all[strings.Join(labels, ",")] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
	}
	return all
}

func TestWhatIsCountedIsWritten(t *testing.T) {
	t.Parallel()
	tel := telemetry.New(telemetry.Options{})
	alone := tel.Counter("alone_total", "Nothing yet.")
	pages := tel.Counter("pages_total", "A line\nwith a \\ and a \"quote\".", "kind", "text")
	pages.Add(2.5, "a", "plain")
	pages.Inc("a", "plain")
	pages.Inc("b", "hostile \"} 1\nother_total 5\\ \xff")
	open := tel.Gauge("open", "How many.")
	open.Add(3)
	open.Add(-1)
	tel.Counter("pages_total", "It is the same.", "kind", "text").Inc("a", "plain")
	got := parsed(t, tel)
	want := map[string]float64{"kind=a,text=plain": 4.5, "kind=b,text=hostile \"} 1\nother_total 5\\ \uFFFD": 1}
	if diff := cmp.Diff(want, values(got["pages_total"])); diff != "" {
		t.Error(diff)
	}
	if got["pages_total"].GetType() != dto.MetricType_COUNTER || got["open"].GetType() != dto.MetricType_GAUGE {
		t.Error(got["pages_total"].GetType(), got["open"].GetType())
	}
	if help := got["pages_total"].GetHelp(); help != "A line\nwith a \\ and a \"quote\"." {
		t.Errorf("%q", help)
	}
	if v := values(got["open"])[""]; v != 2 {
		t.Error(v)
	}
	if v, ok := values(got["alone_total"])[""]; !ok || v != 0 {
		t.Error("a counter without labels is 0 from the start")
	}
	alone.Inc()
	if v := values(parsed(t, tel)["alone_total"])[""]; v != 1 || len(got) != 3 {
		t.Error(v, got)
	}
}

func TestHistogramsCountBySize(t *testing.T) {
	t.Parallel()
	tel := telemetry.New(telemetry.Options{})
	h := tel.Histogram("took_seconds", "How long.", []float64{.1, 1, 10}, "kind")
	for _, v := range []float64{.05, .1, .100001, 1, 9, 10, 11, 1000} {
		h.Observe(v, "a")
	}
	h.Seconds(1500*time.Millisecond, "b")
	got := parsed(t, tel)["took_seconds"].GetMetric()
	if len(got) != 2 {
		t.Fatal(got)
	}
	a := got[0].GetHistogram()
	counts := map[string]uint64{}
	for _, b := range a.GetBucket() {
		counts[fmt.Sprint(b.GetUpperBound())] = b.GetCumulativeCount()
	}
	if diff := cmp.Diff(map[string]uint64{"0.1": 2, "1": 4, "10": 6, "+Inf": 8}, counts); diff != "" {
		t.Error(diff)
	}
	if a.GetSampleCount() != 8 || math.Abs(a.GetSampleSum()-1031.250001) > 1e-6 {
		t.Error(a)
	}
	if b := got[1].GetHistogram(); b.GetSampleCount() != 1 || b.GetSampleSum() != 1.5 {
		t.Error(b)
	}
}

func TestTooManySeriesAreOne(t *testing.T) {
	t.Parallel()
	tel := telemetry.New(telemetry.Options{MaxSeries: 10})
	c := tel.Counter("names_total", "By a name that somebody has made up.", "name", "kind")
	for i := range 1000 {
		c.Inc(fmt.Sprint("name ", i), "x")
	}
	c.Inc("name 0", "x")
	got := values(parsed(t, tel)["names_total"])
	if len(got) != 11 || got["kind=other,name=other"]+got["name=other,kind=other"] != 990 || got["name=name 0,kind=x"] != 2 {
		t.Error(got)
	}
}

// TestNilCostsNothing: a domain that nobody listens to pays nothing, and one that
// somebody does allocates nothing.
func TestNilCostsNothing(t *testing.T) {
	var none *telemetry.Telemetry
	ctx := t.Context()
	for name, tel := range map[string]*telemetry.Telemetry{"nil": none, "live": telemetry.New(telemetry.Options{})} {
		c, g := tel.Counter("c_total", "C.", "a", "b"), tel.Gauge("g", "G.")
		h := tel.Histogram("h_seconds", "H.", nil, "a")
		use := func() {
			c.Inc("x", "y")
			g.Add(1)
			h.Seconds(time.Millisecond, "x")
			_, span := tel.Span(tel.Continue(ctx, telemetry.Parent{}), telemetry.Internal, "nothing")
			span.Set("key", "value")
			span.SetInt("n", 1)
			span.End("")
		}
		use()
		if n := testing.AllocsPerRun(100, use); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	none.Read(0, nil, telemetry.Metric{})
	none.ReadProcess()
	none.Start()
	if err := none.WriteText(ctx, &bytes.Buffer{}); err != nil || none.Metrics() != nil || none.Close() != nil {
		t.Error(err)
	}
}

func TestWhatIsReadIsReadOnceASecond(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	tel := telemetry.New(telemetry.Options{Now: func() time.Time { return now }})
	reads := 0
	tel.Read(time.Second, func(_ context.Context, r *telemetry.Report) {
		reads++
		r.Value("depth", float64(reads), "b")
		r.Value("depth", float64(10*reads), "a")
	}, telemetry.Metric{Name: "depth", Help: "Depth.", Kind: telemetry.GaugeKind, Labels: []string{"kind"}})
	if got := parsed(t, tel); len(got) != 0 || reads != 0 {
		t.Error("it was read before the start", got)
	}
	tel.Start()
	want := map[string]float64{"kind=a": 10, "kind=b": 1}
	for range 3 {
		if diff := cmp.Diff(want, values(parsed(t, tel)["depth"])); diff != "" {
			t.Error(diff)
		}
		now = now.Add(333 * time.Millisecond)
	}
	now = now.Add(time.Millisecond)
	if got := values(parsed(t, tel)["depth"]); got["kind=a"] != 20 {
		t.Error(got)
	}
	if err := tel.Close(); err != nil {
		t.Error(err)
	}
	now = now.Add(time.Hour)
	if got := parsed(t, tel); len(got) != 0 || reads != 2 {
		t.Error("it was read after the end", got)
	}
}

// TestWhoGoesAwaySpoilsNothing: what was read for a caller who has gone is not what
// the next one sees.
func TestWhoGoesAwaySpoilsNothing(t *testing.T) {
	t.Parallel()
	tel := telemetry.New(telemetry.Options{})
	tel.Read(time.Hour, func(ctx context.Context, r *telemetry.Report) {
		if ctx.Err() == nil {
			r.Value("depth", 5)
		}
	}, telemetry.Metric{Name: "depth", Help: "Depth.", Kind: telemetry.GaugeKind})
	tel.Start()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tel.WriteText(gone, &bytes.Buffer{}); err != nil {
		t.Error(err)
	}
	if got := values(parsed(t, tel)["depth"]); got[""] != 5 {
		t.Error(got)
	}
}

func TestANameIsOneMetric(t *testing.T) {
	t.Parallel()
	tel := telemetry.New(telemetry.Options{})
	tel.Counter("a_total", "A.", "x")
	tel.Read(0, nil, telemetry.Metric{Name: "read", Help: "R."})
	for name, again := range map[string]func(){
		"another kind":    func() { tel.Histogram("a_total", "A.", nil, "x") },
		"another label":   func() { tel.Counter("a_total", "A.", "y") },
		"more labels":     func() { tel.Counter("a_total", "A.", "x", "y") },
		"read and read":   func() { tel.Read(0, nil, telemetry.Metric{Name: "read", Help: "R."}) },
		"read, counted":   func() { tel.Counter("read", "R.") },
		"counted, read":   func() { tel.Read(0, nil, telemetry.Metric{Name: "a_total", Help: "A."}) },
		"no help":         func() { tel.Counter("b_total", "") },
		"too many labels": func() { tel.Counter("b_total", "B.", "1", "2", "3", "4", "5") },
		"wrong labels":    func() { tel.Counter("a_total", "A.", "x").Inc() },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			again()
		}()
	}
}

func TestManyCountWhileItIsRead(t *testing.T) {
	t.Parallel()
	tel := telemetry.New(telemetry.Options{})
	c := tel.Counter("c_total", "C.", "worker")
	h := tel.Histogram("h_seconds", "H.", nil)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 1000 {
				c.Inc(fmt.Sprint(w, i%10))
				h.Observe(float64(i))
			}
		})
	}
	for range 20 {
		f := parsed(t, tel)["h_seconds"].GetMetric()[0].GetHistogram()
		if last := f.GetBucket()[len(f.GetBucket())-1]; last.GetCumulativeCount() != f.GetSampleCount() {
			t.Error(f)
		}
	}
	wg.Wait()
	sum := 0.0
	for _, v := range values(parsed(t, tel)["c_total"]) {
		sum += v
	}
	if f := parsed(t, tel)["h_seconds"].GetMetric()[0].GetHistogram(); sum != 4000 || f.GetSampleCount() != 4000 || f.GetSampleSum() != 4*999*500 {
		t.Error(sum, f)
	}
}

func TestTheProcessTellsOfItself(t *testing.T) {
	t.Parallel()
	tel := telemetry.New(telemetry.Options{})
	tel.ReadProcess()
	tel.Start()
	got := parsed(t, tel)
	for name, least := range map[string]float64{
		"go_goroutines": 2, "go_memstats_heap_alloc_bytes": 10_000, "process_open_fds": 3, "process_max_fds": 64,
		"process_resident_memory_bytes": 1 << 20, "process_start_time_seconds": 1_600_000_000,
	} {
		if v := values(got[name])[""]; v < least {
			t.Errorf("%s is %v", name, v)
		}
	}
	if at := values(got["process_start_time_seconds"])[""]; at > float64(time.Now().Unix()+1) || at < float64(time.Now().Add(-time.Hour).Unix()) {
		t.Error("it started at", at, "and now is", time.Now().Unix())
	}
	if len(values(got["drover_build_info"])) != 1 {
		t.Error(got["drover_build_info"])
	}
}
