package main

import (
	"fmt"
	"time"

	"github.com/drover-go/drover"
)

// limits are the flags for the limits that an operator changes first; 0 is the
// library's default. A program that imports Drover can set them all.
type limits struct {
	MaxSessions        int           `group:"limits" help:"Browser sessions at a time. Default 10." placeholder:"N"`
	MaxProjectSessions int           `group:"limits" help:"Browser sessions of a project at a time. Default 10." placeholder:"N"`
	SessionTime        time.Duration `group:"limits" help:"Life of a session that names none. Default 1h." placeholder:"TIME"`
	SessionRetention   time.Duration `group:"limits" help:"How long an ended session, its log and recording are kept; less than 0 for ever. Default 720h." placeholder:"TIME"`
	MaxRuns            int           `group:"limits" help:"Agent runs at a time; more wait. Default 4." placeholder:"N"`
	MaxRunTime         time.Duration `group:"limits" help:"Time of an agent run. Default 20m." placeholder:"TIME"`
	MaxFetches         int           `group:"limits" help:"Fetches of a project at a time. Default 32." placeholder:"N"`
	FetchTime          time.Duration `group:"limits" help:"Time of a fetch. Default 1m." placeholder:"TIME"`
	MaxFetchSize       int64         `group:"limits" help:"Bytes of a fetched page. Default 5242880." placeholder:"BYTES"`
}

// Validate refuses what is less than nothing, where that means nothing; the command line calls it.
func (l limits) Validate() error {
	for flag, value := range map[string]int64{
		"max-sessions": int64(l.MaxSessions), "max-project-sessions": int64(l.MaxProjectSessions), "session-time": int64(l.SessionTime), "max-runs": int64(l.MaxRuns), "max-run-time": int64(l.MaxRunTime),
		"max-fetches": int64(l.MaxFetches), "fetch-time": int64(l.FetchTime), "max-fetch-size": l.MaxFetchSize,
	} {
		if value < 0 {
			return fmt.Errorf("--%s must be more than 0", flag)
		}
	}
	return nil
}

func (l limits) apply(o *drover.Options) {
	o.Chromium.MaxSessions = l.MaxSessions
	o.Sessions.PerProject, o.Sessions.DefaultTimeout = l.MaxProjectSessions, l.SessionTime
	o.SessionRetention = l.SessionRetention
	o.Runs.Concurrent, o.Runs.MaxDuration = l.MaxRuns, l.MaxRunTime
	o.Fetch.MaxConcurrent, o.Fetch.Timeout, o.Fetch.MaxBody = l.MaxFetches, l.FetchTime, l.MaxFetchSize
}
