package platform

import (
	"context"
	"encoding/json"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage"
)

// Renderer shows runs and builds of Actors without a request, as they are answered: for
// those whom webhooks tell of them.
type Renderer struct {
	actors  func() actors.Service
	base    string
	outputs outputs
}

// NewRenderer returns a renderer of what a service has, which is asked for when something
// is shown. PublicURL is what URLs begin with that lead here,
// without a slash at its end; empty where nobody has said, when no output of runs is
// shown.
func NewRenderer(s func() actors.Service, publicURL string) *Renderer {
	return &Renderer{actors: s, base: publicURL}
}

// Run shows a run, as it is within a transaction, to the user whose it is.
func (r *Renderer) Run(ctx context.Context, q storage.Querier, userID string, run actors.RunInfo) (json.RawMessage, error) {
	output, err := r.output(ctx, q, run)
	if err != nil {
		return nil, err
	}
	return json.Marshal(runOut(run, userID, output))
}

// Build shows a build, as it is within a transaction, to the user whose it is.
func (r *Renderer) Build(ctx context.Context, q storage.Querier, userID string, of builds.Build) (json.RawMessage, error) {
	b, err := r.actors().BuildOf(ctx, q, of)
	if err != nil {
		return nil, err
	}
	return json.Marshal(buildOut(b, userID))
}

func (r *Renderer) output(ctx context.Context, q storage.Querier, run actors.RunInfo) (out map[string]string, err error) {
	if r.base == "" {
		return nil, nil
	}
	build, _ := run.FirstBuild()
	templates := r.outputs.of(build, func() (definition json.RawMessage, ok bool) {
		definition, err = r.actors().Definition(ctx, q, build)
		return definition, err == nil
	})
	return outputAt(run, r.base, templates), err
}
