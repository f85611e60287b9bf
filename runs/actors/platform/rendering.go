package platform

import (
	"encoding/json"

	"github.com/drover-go/drover/runs/actors"
)

// Renderer shows runs and builds of Actors without a request, as they are answered: for
// those whom webhooks tell of them.
type Renderer struct {
	base    string
	outputs outputs
}

// NewRenderer returns a renderer. PublicURL is what URLs begin with that lead here,
// without a slash at its end; empty where nobody has said, when no output of runs is
// shown.
func NewRenderer(publicURL string) *Renderer { return &Renderer{base: publicURL} }

// Run shows a run to the user whose it is. Definition returns the definition of its Actor
// that a build has read, which is remembered.
func (r *Renderer) Run(userID string, run actors.RunInfo, definition func(build string) (json.RawMessage, error)) (json.RawMessage, error) {
	output, err := r.output(run, definition)
	if err != nil {
		return nil, err
	}
	return json.Marshal(runOut(run, userID, output))
}

// Build shows a build to the user whose it is.
func (r *Renderer) Build(userID string, b actors.Build) (json.RawMessage, error) {
	return json.Marshal(buildOut(b, userID))
}

func (r *Renderer) output(run actors.RunInfo, definition func(build string) (json.RawMessage, error)) (out map[string]string, err error) {
	if r.base == "" {
		return nil, nil
	}
	build, _ := run.FirstBuild()
	templates := r.outputs.of(build, func() (text json.RawMessage, ok bool) {
		text, err = definition(build)
		return text, err == nil
	})
	return outputAt(run, r.base, templates), err
}
