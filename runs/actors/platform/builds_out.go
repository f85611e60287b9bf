package platform

import (
	"encoding/json"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
)

// buildItemJSON is a build in a list (wire-v2, 3).
type buildItemJSON struct {
	ID             string        `json:"id"`
	UserID         string        `json:"userId"`
	ActID          string        `json:"actId"`
	Status         actors.Status `json:"status"`
	StartedAt      api.Time      `json:"startedAt"`
	FinishedAt     *api.Time     `json:"finishedAt"`
	BuildNumber    string        `json:"buildNumber"`
	BuildNumberInt int           `json:"buildNumberInt"`
	Meta           runMetaJSON   `json:"meta"`
	UsageTotalUsd  float64       `json:"usageTotalUsd"` // a number: clients count on that
}

// buildJSON is a build by itself.
type buildJSON struct {
	buildItemJSON
	StatusMessage   string           `json:"statusMessage,omitempty"`
	Stats           buildStatsJSON   `json:"stats"`
	Options         buildOptionsJSON `json:"options"`
	Usage           usageJSON        `json:"usage"`
	UsageUsd        usageJSON        `json:"usageUsd"`
	ActorDefinition json.RawMessage  `json:"actorDefinition"`
	InputSchema     string           `json:"inputSchema,omitempty"`
	Readme          string           `json:"readme,omitempty"`
}

type buildStatsJSON struct {
	DurationMillis int64   `json:"durationMillis"`
	RunTimeSecs    float64 `json:"runTimeSecs"`
	ComputeUnits   float64 `json:"computeUnits"`
	ImageSizeBytes int64   `json:"imageSizeBytes"`
}

type buildOptionsJSON struct {
	UseCache     bool   `json:"useCache"`
	BetaPackages bool   `json:"betaPackages"`
	Tag          string `json:"tag,omitempty"`
	MemoryMbytes int    `json:"memoryMbytes"`
	DiskMbytes   int    `json:"diskMbytes"`
}

// taggedJSON is what a tag of an Actor names.
type taggedJSON struct {
	BuildID     string   `json:"buildId"`
	BuildNumber string   `json:"buildNumber"`
	FinishedAt  api.Time `json:"finishedAt"`
}

func (x *exchange) buildItem(b actors.Build) buildItemJSON { return buildItemOut(b, x.user().UserID) }

func buildItemOut(b actors.Build, userID string) buildItemJSON {
	return buildItemJSON{
		ID: b.ID, UserID: userID, ActID: b.ActorID, Status: b.Status, StartedAt: api.Time(b.StartedAt), FinishedAt: api.OptionalTime(b.FinishedAt),
		BuildNumber: b.Number, BuildNumberInt: b.NumberInt(), Meta: runMetaJSON{Origin: b.Meta.Origin, ClientIP: b.Meta.ClientIP, UserAgent: b.Meta.UserAgent},
	}
}

func (x *exchange) buildOut(b actors.Build) buildJSON { return buildOut(b, x.user().UserID) }

func buildOut(b actors.Build, userID string) buildJSON {
	units := float64(b.Options.Memory) / 1024 * b.Stats.Duration.Hours()
	return buildJSON{
		buildItemJSON: buildItemOut(b, userID), StatusMessage: b.Message,
		Stats: buildStatsJSON{b.Stats.Duration.Milliseconds(), b.Stats.Duration.Seconds(), units, b.Stats.Size},
		Options: buildOptionsJSON{
			UseCache: b.Options.UseCache, BetaPackages: b.Options.BetaPackages, Tag: b.Options.Tag, MemoryMbytes: b.Options.Memory, DiskMbytes: 2 * b.Options.Memory,
		},
		Usage:           usageJSON{units},
		ActorDefinition: orNull(b.Definition), InputSchema: b.InputSchema, Readme: b.Readme,
	}
}

func tagsOut(tags map[string]actors.Tagged) map[string]taggedJSON {
	out := make(map[string]taggedJSON, len(tags))
	for tag, t := range tags {
		out[tag] = taggedJSON{t.BuildID, t.Number, api.Time(t.FinishedAt)}
	}
	return out
}
