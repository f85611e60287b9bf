// Package telemetry is how a Drover tells what it does: metrics and spans. It
// stands on nothing of Drover, so that every package may report to it.
//
// A domain is given a *[Telemetry] and makes its instruments from it when it is
// made itself. On nil everything does nothing and allocates nothing: a package
// that is used without a Drover reports to nobody, and asks nowhere whether it
// does.
//
// Metrics are counted here ([Counter], [Gauge], [Histogram]) or read when somebody asks
// ([Telemetry.Read]). Who reads them is another matter: [Telemetry.WriteText]
// is the text format of Prometheus, and a [Meter] of the host, if there is one,
// is given the same numbers. Spans go to the host's [Tracer] alone.
//
// Values of labels come from closed sets: patterns of routes, kinds of jobs,
// states, models by the name that the host has configured. What a caller or a
// page can choose (an id, a URL, a host, a name) is never one. As the last line
// of defence a metric has at most [Options.MaxSeries] series; what goes beyond
// counts in one whose labels are all "other".
//
// A domain keeps its instruments in one file, metrics.go; what they mean is in
// docs/observability.md, and a test compares both.
package telemetry
