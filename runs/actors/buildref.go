package actors

import (
	"context"
	"encoding/json"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// impliedBuild is the number of the one build of a Go Actor, which is tagged latest.
const impliedBuild = "0.0.1"

// buildRef is the build that a run runs.
type buildRef struct {
	id, number string
	// program is the name of the Go function; empty for a program of a build.
	program string
	// schema is that of the input; nil for none.
	schema json.RawMessage
}

// resolveBuild finds the build of an Actor that has the tag or the number.
func (s *service) resolveBuild(_ context.Context, _ storage.Querier, a Actor, wanted string) (buildRef, error) {
	if a.Registered && (wanted == defaultBuild || wanted == impliedBuild) {
		ref := buildRef{id: a.ID, number: impliedBuild, program: keyOf(a.Name)}
		if f := s.funcs[ref.program]; f != nil { // else another process has it
			ref.schema = f.o.InputSchema
		}
		return ref, nil
	}
	if numberForm.MatchString(wanted) {
		return buildRef{}, errtypes.OfType(errtypes.TypeBuildNotFound, "The Actor has no build with the number %q", wanted)
	}
	return buildRef{}, errtypes.OfType(errtypes.TypeUnknownBuildTag, "Build with tag %q was not found. Has the Actor been built already?", wanted)
}
