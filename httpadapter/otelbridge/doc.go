// Package otelbridge gives what a Drover tells of itself to OpenTelemetry: spans
// to a TracerProvider of the host, metrics to a MeterProvider.
//
//	d, err := drover.Open(ctx, drover.Options{
//		Tracer: otelbridge.Tracer(tracerProvider),
//		Meter:  otelbridge.Meter(meterProvider, nil),
//	})
//
// It links the interfaces of OpenTelemetry and no SDK, which is the host's choice,
// with exporters and sampling. Nothing else of Drover imports it, so a program that
// does not import it links nothing of OpenTelemetry. It stands below httpadapter
// because it is of the same sort: it ties Drover to a protocol of others, and only
// hosts import it.
package otelbridge

// scope is what instruments and spans are said to be of.
const scope = "github.com/drover-go/drover"
