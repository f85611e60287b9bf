package platform

import (
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/request"
	"github.com/drover-go/drover/runs/actors"
)

// optionsIn are the options of a run in a query (wire-v2, 2).
func optionsIn(q *request.Query) (o actors.RunOptions, err error) {
	const mostSeconds = 999_999_999
	if q.String("timeout") != "" {
		o.Timeout = new(time.Duration(q.Int("timeout", 0, mostSeconds)) * time.Second)
	}
	o.Build = q.String("build")
	if q.String("memory") != "" {
		o.Memory = q.Int("memory", 1, math.MaxInt32)
	}
	o.RestartOnError = q.OptionalFlag("restartOnError")
	if q.String("maxItems") != "" {
		o.MaxItems = int64(q.Int("maxItems", math.MinInt32, most))
		err = above0("maxItems", float64(o.MaxItems), errtypes.TypeMaxItemsMustBeGreaterThanZero)
	}
	if charge, there := numberIn(q, "maxTotalChargeUsd"); there && err == nil {
		o.MaxTotalCharge = charge
		err = above0("maxTotalChargeUsd", charge, errtypes.TypeMaxTotalChargeUsdMustBeGreaterThanZero)
	}
	if q.Err() != nil {
		err = q.Err()
	}
	return o, err
}

// numberIn reads a number that may be below 0, which has an error of its own.
func numberIn(q *request.Query, name string) (n float64, there bool) {
	if n, err := strconv.ParseFloat(q.String(name), 64); err == nil && n < 0 {
		return n, true
	}
	return q.Number(name)
}

// startIn is how a run is to be started, but for its input.
func (x *exchange) startIn(q *request.Query) (actors.Start, error) {
	o, err := optionsIn(q)
	if err != nil {
		return actors.Start{}, err
	}
	o.Permissions = actors.Permissions(q.OneOf("forcePermissionLevel", string(actors.LimitedPermissions), string(actors.FullPermissions)))
	if _, limited := limitedRun(x.R.Context()); limited && o.Permissions == actors.FullPermissions {
		return actors.Start{}, errLimited("The run has limited permissions, and may give nobody full ones")
	}
	webhooks, err := x.webhooksIn(q.String("webhooks"))
	if err != nil {
		return actors.Start{}, err
	}
	return actors.Start{Options: o, Webhooks: webhooks, Meta: x.meta()}, q.Err()
}

// origins are those that a caller may name. The others are given by whoever starts
// a run for it.
var origins = []string{"DEVELOPMENT", "WEB", "API", "TEST", "CLI", "CI", "MCP", "ACTOR"}

// meta is who sends the request.
func (x *exchange) meta() actors.Meta {
	m := actors.Meta{Origin: "API", UserAgent: shortened(x.R.UserAgent())}
	if run, ok := actors.CallerFrom(x.R.Context()); ok {
		m.RunID, m.Origin = run.RunID, "ACTOR"
	} else if origin := strings.ToUpper(x.R.Header.Get("X-Apify-Request-Origin")); slices.Contains(origins, origin) {
		m.Origin = origin
	}
	if ip, _, err := net.SplitHostPort(x.R.RemoteAddr); err == nil {
		m.ClientIP = ip
	}
	return m
}

// shortened bounds what is kept of a header.
func shortened(s string) string {
	const longest = 500
	return strings.ToValidUTF8(s[:min(len(s), longest)], "")
}

// maxPoll is how long a request waits for the end of a run at the most: clients ask
// for longer ones, and ask again (wire-v2, 2).
const maxPoll = 60 * time.Second

// waitIn is how long to wait for the end of a run.
func waitIn(q *request.Query) time.Duration {
	secs, _ := q.Number("waitForFinish")
	return time.Duration(min(secs, maxPoll.Seconds()) * float64(time.Second))
}

// awaited is a run once it has ended, or as it is when the time is over or the
// service closes.
func (x *exchange) awaited(id string, most time.Duration) (actors.RunInfo, error) {
	ctx, cancel := x.untilClosing()
	defer cancel()
	r, err := x.Actors.Wait(ctx, id, most)
	if err != nil && x.R.Context().Err() == nil && (ctx.Err() != nil || errtypes.Is(err, errtypes.Unavailable)) {
		return x.Actors.Run(x.R.Context(), id)
	}
	return r, err
}

// anyInput is an input as the body has it.
func anyInput(x *exchange) (*actors.Input, error) {
	body, err := x.Bytes()
	if body == nil || err != nil {
		return nil, err
	}
	return &actors.Input{Body: body, ContentType: x.R.Header.Get("Content-Type")}, nil
}

// jsonInput is an input that must be JSON.
func jsonInput(x *exchange) (*actors.Input, error) {
	body, err := x.JSON()
	if body == nil || err != nil {
		return nil, err
	}
	return &actors.Input{Body: body, ContentType: x.R.Header.Get("Content-Type")}, nil
}

// noInput is that of a GET.
func noInput(*exchange) (*actors.Input, error) { return nil, nil }
