package egress

import (
	"context"
	"errors"

	"github.com/drover-go/drover/internal/telemetry"
)

// metrics are what is counted of a gate.
type metrics struct{ refusals, connections *telemetry.Counter }

func newMetrics(t *telemetry.Telemetry) metrics {
	return metrics{
		refusals:    t.Counter("drover_egress_refused_total", "Connections that the gate or the policy of a session has refused, by the class of the address, or not_allowed, advertising or port.", "reason"),
		connections: t.Counter("drover_egress_connections_total", "Connections that were tried: connected, failed, or canceled by whoever wanted it.", "outcome"),
	}
}

// reasons are the labels of what is refused.
var reasons = map[string]string{
	string(ClassLoopback): "loopback", string(ClassPrivate): "private", string(ClassShared): "shared", string(ClassLinkLocal): "link_local",
	string(ClassUnspecified): "unspecified", string(ClassMulticast): "multicast", string(ClassBroadcast): "broadcast", string(ClassReserved): "reserved",
	string(ClassProtocol): "protocol", string(ClassDocumentation): "documentation", string(ClassBenchmark): "benchmark", string(ClassAnycast): "anycast",
	string(ClassDiscard): "discard", string(ClassCompatible): "ipv4_compatible", string(ClassTranslated): "ipv4_translated", string(ClassNAT64): "nat64",
	string(Class6to4): "6to4", string(ClassTeredo): "teredo", string(ClassUnallocated): "unallocated", string(ClassMetadata): "metadata",
	string(ClassZone): "zone", string(ClassOwn): "own", string(ClassInvalid): "invalid", string(ClassPort): "port",
	string(BlockedDomain): "not_allowed", string(BlockedAd): "advertising",
}

// refused counts a refusal.
func (m metrics) refused(err error) {
	if reason := refusalReason(err); reason != "" {
		m.refusals.Inc(reasons[reason])
	}
}

// tried counts a connection.
func (m metrics) tried(ctx context.Context, err error) {
	switch {
	case err == nil:
		m.connections.Inc("connected")
	case errors.Is(context.Cause(ctx), context.Canceled) || errors.Is(err, context.Canceled):
		m.connections.Inc("canceled")
	default:
		m.connections.Inc("failed")
	}
}
