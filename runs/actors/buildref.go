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
func (s *service) resolveBuild(ctx context.Context, q storage.Querier, a Actor, wanted string) (buildRef, error) {
	if a.Registered && (wanted == defaultBuild || wanted == impliedBuild) {
		ref := buildRef{id: a.ID, number: impliedBuild, program: keyOf(a.Name)}
		if f := s.funcs[ref.program]; f != nil { // else another process has it
			ref.schema = f.o.InputSchema
		}
		return ref, nil
	}
	built, err := resolveBuilt(ctx, q, a.ID, wanted)
	if err != nil {
		return buildRef{}, err
	}
	return buildRef{}, errtypes.New(errtypes.Invalid, "runs of built Actors are not implemented: the build %s cannot be run", built.number).WithType(errtypes.TypeNotImplemented)
}
