package telemetry

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	goGoroutines  = "go_goroutines"
	goHeap        = "go_memstats_heap_alloc_bytes"
	goGC          = "go_gc_cycles_total"
	processCPU    = "process_cpu_seconds_total"
	processMemory = "process_resident_memory_bytes"
	processFiles  = "process_open_fds"
	processMax    = "process_max_fds"
	processStart  = "process_start_time_seconds"
	buildInfo     = "drover_build_info"
)

// ReadProcess has the metrics of the process: those that every program in Go has
// by these names. A [Meter] gets drover_build_info alone: a host
// counts its process itself.
func (t *Telemetry) ReadProcess() {
	version, revision := built()
	t.Read(0, func(_ context.Context, r *Report) {
		r.Value(buildInfo, 1, version, revision, runtime.Version())
	}, Metric{Name: buildInfo, Help: "The version of Drover, its commit where that is known, and of Go. The value is 1.", Kind: GaugeKind, Labels: []string{"version", "revision", "goversion"}})
	t.register(&reader{read: readProcess, alone: true}, []Metric{
		Metric{Name: goGoroutines, Help: "Goroutines of the process.", Kind: GaugeKind},
		Metric{Name: goHeap, Help: "Bytes of objects on the heap of Go.", Kind: GaugeKind},
		Metric{Name: goGC, Help: "Collections of garbage that were completed.", Kind: CounterKind},
		Metric{Name: processCPU, Help: "Time of processors that the process has used.", Kind: CounterKind},
		Metric{Name: processMemory, Help: "Resident memory of the process.", Kind: GaugeKind},
		Metric{Name: processFiles, Help: "Open file descriptors of the process.", Kind: GaugeKind},
		Metric{Name: processMax, Help: "How many file descriptors the process may have.", Kind: GaugeKind},
		Metric{Name: processStart, Help: "When the process started, in seconds since 1970.", Kind: GaugeKind},
	})
}

func readProcess(_ context.Context, r *Report) {
	samples := []metrics.Sample{{Name: "/sched/goroutines:goroutines"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(samples)
	for i, name := range []string{goGoroutines, goHeap, goGC} {
		if samples[i].Value.Kind() == metrics.KindUint64 {
			r.Value(name, float64(samples[i].Value.Uint64()))
		}
	}
	readSystem(r)
}

// built is what the Go tool has recorded of Drover in the program, whose main
// package may be another.
func built() (version, revision string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown", ""
	}
	const module = "github.com/drover-go/drover"
	version = "unknown"
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == module && m.Version != "" {
			version = m.Version
		}
	}
	if info.Main.Path == module {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = s.Value
			}
		}
	}
	return version, revision
}
