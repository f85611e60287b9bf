package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// actorsCmd are about Actors, of a running service or of the data of one that does not
// run.
type actorsCmd struct {
	Push  actorsPushCmd  `cmd:"" help:"Send the Actor of a directory and build it."`
	Run   actorsRunCmd   `cmd:"" help:"Build the Actor of a directory and run it here, without a service."`
	Call  actorsCallCmd  `cmd:"" help:"Run an Actor or a task, follow its log and print its output."`
	Log   actorsLogCmd   `cmd:"" help:"Print or follow the log of a run or of a build."`
	Abort actorsAbortCmd `cmd:"" help:"Abort a run or a build."`
	List  actorsListCmd  `cmd:"" help:"List Actors with their last runs; or runs, or builds."`
}

// actorState is what matters of an Actor.
type actorState struct {
	ID         string    `json:"id"`
	Name       string    `json:"name"`
	Title      string    `json:"title,omitempty"`
	ModifiedAt time.Time `json:"modifiedAt"`
	LastRun    *jobState `json:"lastRun,omitempty"`
}

// jobState is what matters of a run or a build.
type jobState struct {
	ID            string     `json:"id"`
	ActID         string     `json:"actId"`
	ActorTaskID   string     `json:"actorTaskId,omitempty"`
	Status        string     `json:"status"`
	StatusMessage string     `json:"statusMessage,omitempty"`
	ExitCode      *int       `json:"exitCode,omitempty"`
	BuildID       string     `json:"buildId,omitempty"`
	BuildNumber   string     `json:"buildNumber"`
	StartedAt     time.Time  `json:"startedAt"`
	FinishedAt    *time.Time `json:"finishedAt,omitempty"`
	KeyValueStore string     `json:"defaultKeyValueStoreId,omitempty"`
	Dataset       string     `json:"defaultDatasetId,omitempty"`
	RequestQueue  string     `json:"defaultRequestQueueId,omitempty"`
}

// The ends of runs and builds.
const (
	succeeded = "SUCCEEDED"
	failed    = "FAILED"
	timedOut  = "TIMED-OUT"
	aborted   = "ABORTED"
)

func (j jobState) ended() bool {
	return j.Status == succeeded || j.Status == failed || j.Status == timedOut || j.Status == aborted
}

// took is how long it has run, or ran.
func (j jobState) took() time.Duration {
	if j.FinishedAt == nil {
		return time.Since(j.StartedAt).Round(time.Second)
	}
	return j.FinishedAt.Sub(j.StartedAt).Round(time.Millisecond)
}

// jobKind is what has a log and an end: runs and builds.
type jobKind struct {
	name, path string
}

var (
	runKind   = jobKind{"run", "/v2/actor-runs"}
	buildKind = jobKind{"build", "/v2/actor-builds"}
)

func (k jobKind) of(id, below string) string { return k.path + "/" + url.PathEscape(id) + below }

// endError is the end of a run or a build that is no success.
type endError struct {
	what string
	jobState
}

func (e *endError) Error() string {
	text := fmt.Sprintf("%s %s %s", e.what, e.ID, e.Status)
	if e.StatusMessage != "" {
		text += ": " + strings.Map(printable, e.StatusMessage)
	}
	return text
}

// The exit statuses of commands that wait for a run, besides 0 and 1.
const (
	exitAborted     = 3
	exitTimedOut    = 124 // as of timeout(1)
	exitInterrupted = 130 // as of a shell, after Ctrl-C
)

// ExitStatus is that of the command.
func (e *endError) ExitStatus() int {
	return cmp.Or(map[string]int{timedOut: exitTimedOut, aborted: exitAborted}[e.Status], 1)
}

// failure is the error that an end stands for; nil for a success.
func (j jobState) failure(what string) error {
	if j.Status == succeeded {
		return nil
	}
	return &endError{what, j}
}

// interrupted is the error of a command that somebody broke off.
type interrupted struct{ text string }

func (e *interrupted) Error() string { return e.text }

// ExitStatus is that of the command.
func (*interrupted) ExitStatus() int { return exitInterrupted }

// actor finds an Actor by its id or name.
func (a *apiClient) actor(ctx context.Context, ref string) (s actorState, err error) {
	there, err := a.find(ctx, "/v2/actors", ref, &s)
	if err == nil && !there {
		err = missing("Actor", ref, "drover actors list")
	}
	return s, err
}

// job finds a run or a build by its id.
func (a *apiClient) job(ctx context.Context, id string) (k jobKind, j jobState, err error) {
	for _, k = range []jobKind{runKind, buildKind} {
		if err = a.ask(ctx, "GET", k.of(id, ""), nil, &j); !isMissing(err) {
			return k, j, err
		}
	}
	return k, j, missing("run or build", id, "drover actors list --runs")
}
