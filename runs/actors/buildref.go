package actors

import (
	"context"
	"encoding/json"

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
	// stores are the schemas of the default stores.
	stores storeSchemas
	// memory is what a run takes that nothing else is said of, in MB; 0 for none.
	memory int
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
	m, err := s.readMade(ctx, q, built.id)
	memory, stores := m.said()
	return buildRef{id: built.id, number: built.number, schema: json.RawMessage(m.InputSchema), memory: memory, stores: stores}, err
}
