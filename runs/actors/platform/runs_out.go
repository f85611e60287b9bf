package platform

import (
	"time"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/records"
)

// runItemJSON is a run in a list (wire-v2, 2).
type runItemJSON struct {
	ID              string        `json:"id"`
	UserID          string        `json:"userId"`
	ActID           string        `json:"actId"`
	ActorTaskID     string        `json:"actorTaskId,omitempty"`
	Status          actors.Status `json:"status"`
	StartedAt       api.Time      `json:"startedAt"`
	FinishedAt      *api.Time     `json:"finishedAt,omitempty"`
	BuildID         string        `json:"buildId"`
	BuildNumber     string        `json:"buildNumber"`
	Meta            runMetaJSON   `json:"meta"`
	KeyValueStoreID string        `json:"defaultKeyValueStoreId"`
	DatasetID       string        `json:"defaultDatasetId"`
	RequestQueueID  string        `json:"defaultRequestQueueId"`
	UsageTotalUsd   float64       `json:"usageTotalUsd"` // a number: clients count on that
}

type runMetaJSON struct {
	Origin    string `json:"origin"`
	ClientIP  string `json:"clientIp,omitempty"`
	UserAgent string `json:"userAgent,omitempty"`
	// The slot of a schedule.
	ScheduleID  string    `json:"scheduleId,omitempty"`
	ScheduledAt *api.Time `json:"scheduledAt,omitempty"`
	ActorAction string    `json:"scheduledAct2Id,omitempty"`
	TaskAction  string    `json:"scheduledActorTaskId,omitempty"`
}

func runMetaOut(r actors.RunInfo) runMetaJSON {
	m := runMetaJSON{Origin: r.Meta.Origin, ClientIP: r.Meta.ClientIP, UserAgent: r.Meta.UserAgent}
	if slot := r.Meta.Slot; slot != nil {
		m.ScheduleID, m.ScheduledAt = slot.ScheduleID, new(api.Time(slot.ScheduledAt))
		if m.ActorAction = slot.ActionID; r.TaskID != "" {
			m.ActorAction, m.TaskAction = "", slot.ActionID
		}
	}
	return m
}

// runJSON is a run by itself.
type runJSON struct {
	runItemJSON
	StatusMessage   string                       `json:"statusMessage,omitempty"`
	MessageTerminal bool                         `json:"isStatusMessageTerminal"`
	ExitCode        *int                         `json:"exitCode,omitempty"`
	Stats           runStatsJSON                 `json:"stats"`
	Usage           usageJSON                    `json:"usage"`
	UsageUsd        usageJSON                    `json:"usageUsd"`
	Options         startOptionsJSON             `json:"options"`
	GeneralAccess   string                       `json:"generalAccess"`
	Pricing         *pricingJSON                 `json:"pricingInfo,omitempty"`
	Charged         map[string]int64             `json:"chargedEventCounts,omitempty"`
	Metamorphs      []metamorphJSON              `json:"metamorphs,omitempty"`
	StorageIDs      map[string]map[string]string `json:"storageIds"`
	Output          map[string]string            `json:"output,omitempty"`
}

// metamorphJSON is what a run has become.
type metamorphJSON struct {
	CreatedAt api.Time `json:"createdAt"`
	ActorID   string   `json:"actorId"`
	BuildID   string   `json:"buildId"`
	InputKey  string   `json:"inputKey"`
}

func metamorphOut(m actors.Metamorphosis) metamorphJSON {
	return metamorphJSON{api.Time(m.At), m.ActorID, m.BuildID, m.InputKey}
}

// usageJSON is what was used of what the hosted service is paid for.
type usageJSON struct {
	ComputeUnits float64 `json:"ACTOR_COMPUTE_UNITS"`
}

// runStatsJSON are numbers of a run. What it sends and receives is not measured, and
// clients show it nevertheless.
type runStatsJSON struct {
	InputBodyLen   int64   `json:"inputBodyLen"`
	MigrationCount int     `json:"migrationCount"`
	RebootCount    int     `json:"rebootCount"`
	RestartCount   int     `json:"restartCount"`
	ResurrectCount int     `json:"resurrectCount"`
	Metamorph      int     `json:"metamorph"`
	MemoryAvg      int64   `json:"memAvgBytes"`
	MemoryMax      int64   `json:"memMaxBytes"`
	MemoryNow      int64   `json:"memCurrentBytes"`
	CPUAvg         float64 `json:"cpuAvgUsage"`
	CPUMax         float64 `json:"cpuMaxUsage"`
	CPUNow         float64 `json:"cpuCurrentUsage"`
	Received       int64   `json:"netRxBytes"`
	Sent           int64   `json:"netTxBytes"`
	DurationMillis int64   `json:"durationMillis"`
	RunTimeSecs    float64 `json:"runTimeSecs"`
	ComputeUnits   float64 `json:"computeUnits"`
}

// startOptionsJSON are what a run is run with. What there is of disk is said and not
// measured out: twice the memory, as clients expect.
type startOptionsJSON struct {
	Build          string  `json:"build"`
	TimeoutSecs    int64   `json:"timeoutSecs"`
	MemoryMbytes   int     `json:"memoryMbytes"`
	DiskMbytes     int     `json:"diskMbytes"`
	MaxItems       int64   `json:"maxItems,omitempty"`
	MaxTotalCharge float64 `json:"maxTotalChargeUsd,omitempty"`
	RestartOnError bool    `json:"restartOnError"`
}

// generalAccess is that of everything here: a project has its own.
var generalAccess = records.GeneralAccesses[0]

func (x *exchange) runItem(r actors.RunInfo) runItemJSON { return runItemOut(r, x.user().UserID) }

func runItemOut(r actors.RunInfo, userID string) runItemJSON {
	build, number := r.FirstBuild() // it stays, as the Actor does (wire-v2-stores, 8)
	return runItemJSON{
		ID: r.ID, UserID: userID, ActID: r.ActorID, ActorTaskID: r.TaskID, Status: r.Status,
		StartedAt: api.Time(r.StartedAt), FinishedAt: api.OptionalTime(r.FinishedAt), BuildID: build, BuildNumber: number,
		Meta:            runMetaOut(r),
		KeyValueStoreID: r.KeyValueStoreID, DatasetID: r.DatasetID, RequestQueueID: r.RequestQueueID,
	}
}

func (x *exchange) runOut(r actors.RunInfo) runJSON {
	return runOut(r, x.user().UserID, x.runOutput(r))
}

// runOut shows a run that has put out something there.
func runOut(r actors.RunInfo, userID string, output map[string]string) runJSON {
	stats := runStatsOut(r)
	return runJSON{
		runItemJSON: runItemOut(r, userID), StatusMessage: r.StatusMessage, MessageTerminal: r.MessageTerminal, ExitCode: r.ExitCode,
		Stats: stats, Usage: usageJSON{stats.ComputeUnits}, Options: startOptionsOut(r.Options), GeneralAccess: generalAccess, Pricing: runPricingOut(r.Pricing), Charged: r.Charged,
		Metamorphs: api.Each(r.Metamorphs, metamorphOut), Output: output,
		StorageIDs: map[string]map[string]string{
			"keyValueStores": {"default": r.KeyValueStoreID}, "datasets": {"default": r.DatasetID}, "requestQueues": {"default": r.RequestQueueID},
		},
	}
}

func runStatsOut(r actors.RunInfo) runStatsJSON {
	s, u := r.Stats, r.Stats.Usage
	gigabytes := float64(r.Options.Memory) / 1024
	return runStatsJSON{
		InputBodyLen: s.InputBytes, MigrationCount: s.Migrations, RebootCount: s.Reboots, RestartCount: s.Restarts, ResurrectCount: s.Resurrects,
		Metamorph: s.Metamorphs, MemoryAvg: u.MemoryAvg, MemoryMax: u.MemoryMax, MemoryNow: u.MemoryNow, CPUAvg: u.CPUAvg, CPUMax: u.CPUMax, CPUNow: u.CPUNow,
		DurationMillis: s.RunTime.Milliseconds(), RunTimeSecs: s.RunTime.Seconds(), ComputeUnits: gigabytes * s.RunTime.Hours(),
	}
}

func startOptionsOut(o actors.RunOptions) startOptionsJSON {
	out := startOptionsJSON{
		Build: o.Build, MemoryMbytes: o.Memory, DiskMbytes: 2 * o.Memory, MaxItems: o.MaxItems, MaxTotalCharge: o.MaxTotalCharge,
		RestartOnError: o.RestartOnError != nil && *o.RestartOnError,
	}
	if o.Timeout != nil {
		out.TimeoutSecs = int64(*o.Timeout / time.Second)
	}
	return out
}
