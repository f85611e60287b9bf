package actors

// Status is how far a run or a build has come.
type Status string

// The statuses. READY becomes RUNNING, and that one of SUCCEEDED, FAILED, TIMED-OUT
// by TIMING-OUT, ABORTED by ABORTING. A run that has ended goes on when it is
// resurrected.
const (
	Ready     Status = "READY"
	Running   Status = "RUNNING"
	Succeeded Status = "SUCCEEDED"
	Failed    Status = "FAILED"
	TimingOut Status = "TIMING-OUT"
	TimedOut  Status = "TIMED-OUT"
	Aborting  Status = "ABORTING"
	Aborted   Status = "ABORTED"
)

// Final reports whether nothing changes the status any more, but for a resurrection.
func (s Status) Final() bool {
	return s == Succeeded || s == Failed || s == TimedOut || s == Aborted
}
