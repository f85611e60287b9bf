package chrome

import (
	"cmp"

	"github.com/drover-go/drover/internal/limit"
)

// Validate refuses limits below 0, but for those in which that has a meaning:
// see there. Error kind: Invalid, which names the field.
func (o Options) Validate() error {
	return cmp.Or(
		limit.Check(
			limit.Of("MaxSessions", o.MaxSessions),
			limit.Of("MaxTabs", o.MaxTabs),
			limit.Of("MaxMemory", o.MaxMemory),
		),
		limit.Within("Timeouts", o.Timeouts.Validate()),
		limit.Within("Settle", o.Settle.Validate()),
		limit.Within("Limits", o.Limits.Validate()),
		limit.Within("Clients", o.Clients.Validate()),
	)
}

// Validate refuses limits below 0, but for Queue, Idle and Hung. Error kind: Invalid, which
// names the field.
func (t Timeouts) Validate() error {
	return limit.Check(
		limit.Of("Start", t.Start),
		limit.Of("Close", t.Close),
		limit.Of("Navigate", t.Navigate),
		limit.Of("Call", t.Call),
		limit.Of("Dialog", t.Dialog),
		limit.Of("HandOver", t.HandOver),
	)
}

// Validate refuses times below 0. Error kind: Invalid, which names the field.
func (s Settle) Validate() error {
	return limit.Check(
		limit.Of("Watch", s.Watch),
		limit.Of("Load", s.Load),
		limit.Of("Requests", s.Requests),
		limit.Of("Quiet", s.Quiet),
		limit.Of("Document", s.Document),
		limit.Of("NavigateLoad", s.NavigateLoad),
		limit.Of("AfterLoad", s.AfterLoad),
		limit.Of("Still", s.Still),
		limit.Of("Linger", s.Linger),
	)
}

// Validate refuses limits below 0, but for ProfileBytes. Error kind: Invalid, which
// names the field.
func (l Limits) Validate() error {
	return limit.Check(
		limit.Of("Elements", l.Elements),
		limit.Of("Text", l.Text),
		limit.Of("Frames", l.Frames),
		limit.Of("FrameDepth", l.FrameDepth),
		limit.Of("Dialogs", l.Dialogs),
		limit.Of("Message", l.Message),
		limit.Of("Downloads", l.Downloads),
		limit.Of("DownloadBytes", l.DownloadBytes),
		limit.Of("UploadBytes", l.UploadBytes),
		limit.Of("UploadedBytes", l.UploadedBytes),
		limit.Of("UploadFiles", l.UploadFiles),
		limit.Of("Events", l.Events),
		limit.Of("EventRate", l.EventRate),
		limit.Of("PDFBytes", l.PDFBytes),
		limit.Of("Pixels", l.Pixels),
	)
}

// Validate refuses limits below 0. Error kind: Invalid, which names the field.
func (c Clients) Validate() error {
	return limit.Check(
		limit.Of("Max", c.Max),
		limit.Of("Message", c.Message),
		limit.Of("Queue", c.Queue),
		limit.Of("Unread", c.Unread),
		limit.Of("Contexts", c.Contexts),
		limit.Of("Dialog", c.Dialog),
		limit.Of("Hold", c.Hold),
	)
}
