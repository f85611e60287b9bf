package actors

import "context"

// Caller is a run that asks its host for something, at the endpoint of its own: it has
// the rights of the run, and no others.
type Caller struct {
	// RunID, ActorID and ProjectID are whose it is; ActorID is that of the program that
	// runs.
	RunID, ActorID, ProjectID string
	// Permissions are those of the Actor: to its own stores and what its input names, or
	// to all of its project.
	Permissions Permissions
	// The ids of its default stores.
	KeyValueStoreID, DatasetID, RequestQueueID string
	// ProxyPassword is that of the proxy of its process; empty without one.
	ProxyPassword string `json:"-"`
}

type callerKey struct{}

// CallerFrom returns the run that a call comes from; false for a call of anybody else.
func CallerFrom(ctx context.Context) (Caller, bool) {
	c, ok := ctx.Value(callerKey{}).(Caller)
	return c, ok
}

// WithoutCaller returns a context in which a call is one of anybody: of who has shown
// something else than the token of a run.
func WithoutCaller(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, nil)
}

func withCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

func callerOf(r RunInfo, may Permissions) Caller {
	return Caller{
		RunID: r.ID, ActorID: r.ProgramID, ProjectID: r.ProjectID, Permissions: may,
		KeyValueStoreID: r.KeyValueStoreID, DatasetID: r.DatasetID, RequestQueueID: r.RequestQueueID,
	}
}
