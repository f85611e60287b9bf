package v1json

import (
	"encoding/json"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/wire/api"
)

// Function is a function.
type Function struct {
	ID        string   `json:"id"`
	ProjectID string   `json:"projectId"`
	Name      string   `json:"name"`
	CreatedAt api.Time `json:"createdAt"`
	UpdatedAt api.Time `json:"updatedAt"`
	// CurrentVersionID is an addition.
	CurrentVersionID string `json:"currentVersionId"`
}

// FunctionOf returns a function as JSON has it.
func FunctionOf(f functions.Function) Function {
	return Function{f.ID, f.ProjectID, f.Name, api.Time(f.CreatedAt), api.Time(f.UpdatedAt), f.CurrentVersionID}
}

// Version is a version of a function.
type Version struct {
	ID                  string          `json:"id"`
	ProjectID           string          `json:"projectId"`
	FunctionID          string          `json:"functionId"`
	FunctionBuildID     string          `json:"functionBuildId"`
	CreatedAt           api.Time        `json:"createdAt"`
	UpdatedAt           api.Time        `json:"updatedAt"`
	SessionCreateParams json.RawMessage `json:"sessionCreateParams,omitempty"`
	UserParamsSchema    json.RawMessage `json:"userParamsSchema,omitempty"`
}

// VersionOf returns a version as JSON has it.
func VersionOf(v functions.Version) Version {
	return Version{v.ID, v.ProjectID, v.FunctionID, v.BuildID, api.Time(v.CreatedAt), api.Time(v.UpdatedAt), v.Session, v.ParamsSchema}
}

// Built is a function that a build has made a version of.
type Built struct {
	Function
	CreatedVersion Version `json:"createdVersion"`
}

func builtOf(b functions.Built) Built { return Built{FunctionOf(b.Function), VersionOf(b.Version)} }

// BuildRequest is what was asked for with a program.
type BuildRequest struct {
	Entrypoint string `json:"entrypoint"`
}

// Build is a build of functions.
type Build struct {
	ID             string       `json:"id"`
	ProjectID      string       `json:"projectId"`
	Request        BuildRequest `json:"request"`
	Status         string       `json:"status"`
	CreatedAt      api.Time     `json:"createdAt"`
	UpdatedAt      api.Time     `json:"updatedAt"`
	StartedAt      api.Time     `json:"startedAt"`
	ExpiresAt      api.Time     `json:"expiresAt"`
	EndedAt        *api.Time    `json:"endedAt,omitempty"`
	BuiltFunctions []Built      `json:"builtFunctions,omitempty"`
	Cause          *Cause       `json:"cause,omitempty"`
}

// BuildOf returns a build as this interface has it: with four states, and the causes that
// there are for builds (DECISIONS 26).
func BuildOf(b builds.Build) Build {
	built, _ := functions.BuiltBy(b)
	out := Build{
		ID: b.ID, ProjectID: b.ProjectID, Request: BuildRequest{functions.Entrypoint(b)}, Status: string(b.Status),
		CreatedAt: api.Time(b.CreatedAt), UpdatedAt: api.Time(b.UpdatedAt), StartedAt: api.Time(b.StartedAt), ExpiresAt: api.Time(b.ExpiresAt),
		EndedAt: api.OptionalTime(b.EndedAt), BuiltFunctions: each(built, builtOf),
	}
	if b.StartedAt.IsZero() {
		out.StartedAt = out.CreatedAt
	}
	switch b.Status {
	case builds.Succeeded:
		out.Status = "COMPLETED"
	case builds.Failed, builds.TimedOut, builds.Aborted:
		out.Status = "FAILED"
	}
	if c := b.Cause; c != nil {
		out.Cause = &Cause{c.Code, c.Message}
		if c.Code == builds.CauseInternal || c.Code == builds.CauseAborted {
			out.Cause.Code = "NO_MANIFESTS_FOUND"
		}
	}
	return out
}

// Invocation is an invocation.
type Invocation struct {
	ID         string          `json:"id"`
	ProjectID  string          `json:"projectId"`
	FunctionID string          `json:"functionId"`
	VersionID  string          `json:"versionId"`
	SessionID  string          `json:"sessionId"`
	Status     string          `json:"status"`
	CreatedAt  api.Time        `json:"createdAt"`
	UpdatedAt  api.Time        `json:"updatedAt"`
	StartedAt  api.Time        `json:"startedAt"`
	ExpiresAt  api.Time        `json:"expiresAt"`
	EndedAt    *api.Time       `json:"endedAt,omitempty"`
	Params     json.RawMessage `json:"params"`
	Results    json.RawMessage `json:"results,omitempty"`
	Cause      *Cause          `json:"cause,omitempty"`
}

// InvocationOf returns an invocation as JSON has it.
func InvocationOf(inv functions.Invocation) Invocation {
	out := ListedInvocationOf(inv)
	if inv.Cause != nil {
		out.Cause = &Cause{inv.Cause.Code, inv.Cause.Message}
	}
	return out
}

// ListedInvocationOf returns one without the cause of its failure, which lists leave out.
func ListedInvocationOf(inv functions.Invocation) Invocation {
	out := Invocation{
		ID: inv.ID, ProjectID: inv.ProjectID, FunctionID: inv.FunctionID, VersionID: inv.VersionID, SessionID: inv.SessionID, Status: string(inv.Status),
		CreatedAt: api.Time(inv.CreatedAt), UpdatedAt: api.Time(inv.UpdatedAt), StartedAt: api.Time(inv.StartedAt), ExpiresAt: api.Time(inv.ExpiresAt()),
		EndedAt: api.OptionalTime(inv.EndedAt), Params: inv.Params, Results: inv.Result,
	}
	if inv.StartedAt.IsZero() {
		out.StartedAt = out.CreatedAt
	}
	return out
}
