package sessions

import "github.com/drover-go/drover/internal/limit"

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (l Limits) Validate() error {
	return limit.Check(
		limit.Of("PerProject", l.PerProject),
		limit.Of("DefaultTimeout", l.DefaultTimeout),
		limit.Of("MaxTimeout", l.MaxTimeout),
		limit.Of("ConnectTimeout", l.ConnectTimeout),
		limit.Of("IdleTimeout", l.IdleTimeout),
		limit.Of("PingInterval", l.PingInterval),
		limit.Of("MaxClients", l.MaxClients),
		limit.Of("MaxClientMessage", l.MaxClientMessage),
		limit.Of("MaxMetadata", l.MaxMetadata),
		limit.Of("MaxList", l.MaxList),
		limit.Of("MaxLogEntries", l.MaxLogEntries),
		limit.Of("MaxLog", l.MaxLog),
		limit.Of("MaxFrames", l.MaxFrames),
		limit.Of("FrameInterval", l.FrameInterval),
		limit.Of("MaxRecording", l.MaxRecording),
		limit.Of("MaxSteps", l.MaxSteps),
		limit.Of("MaxEvents", l.MaxEvents),
		limit.Of("MaxActs", l.MaxActs),
		limit.Of("MaxStepBytes", l.MaxStepBytes),
		limit.Of("MaxViewTime", l.MaxViewTime),
		limit.Of("MaxUpload", l.MaxUpload),
		limit.Of("MaxUploads", l.MaxUploads),
	)
}
