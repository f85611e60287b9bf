package extract

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/extract/internal/shape"
	"github.com/drover-go/drover/internal/schema"
)

// complete has somebody else asked for what stayed unsatisfied. What is wrong
// with the answer is problem; err ends the whole.
func complete(ctx context.Context, r *shape.Result, s *Schema, o ShapeOptions) (_ *shape.Result, problem, err error) {
	if o.Complete == nil {
		return r, nil, nil
	}
	q := question(r, s)
	if q == nil {
		return r, nil, nil
	}
	raw, err := o.Complete(ctx, *q)
	switch {
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case err != nil:
		return r, err, nil
	}
	answers, err := readAnswers(raw)
	if err != nil {
		return r, err, nil
	}
	done, refused, err := r.Complete(answers)
	if err != nil {
		return nil, nil, err
	}
	return done, wrong(refused, answers, q.Unsatisfied), nil
}

// wrong tells of answers that do not match their part of the schema, and of those
// for which nobody asked: the name of a property, say, where its pointer is expected.
func wrong(refused []string, answers map[string]any, asked []string) (err error) {
	if len(refused) > 0 {
		err = errtypes.New(errtypes.Invalid, "the model's answer does not match the schema at %s", strings.Join(refused, ", "))
	}
	for _, name := range slices.Sorted(maps.Keys(answers)) {
		if !slices.Contains(asked, name) {
			return errors.Join(err, errtypes.New(errtypes.Invalid, "the model's answer has a member %q that nobody asked for: its members are named by the pointers %s",
				name, strings.Join(asked, ", ")))
		}
	}
	return err
}

// maxAnswer is the size in bytes of the largest answer that is read.
const maxAnswer = 1 << 20

// anyObject is the schema of an answer as a whole.
var anyObject = sync.OnceValues(func() (*schema.Schema, error) {
	return schema.Compile([]byte(`{"type":"object"}`), schema.Options{MaxValueSize: maxAnswer})
})

// readAnswers decodes an answer, as strictly as a value of a stranger.
func readAnswers(raw json.RawMessage) (map[string]any, error) {
	anything, err := anyObject()
	if err != nil {
		return nil, err
	}
	v, err := anything.ValidateJSON(raw)
	if err != nil {
		return nil, errtypes.New(errtypes.Invalid, "the model's answer is not what was asked for: %s", errtypes.Public(err).Message)
	}
	return v.(map[string]any), nil
}

// question describes what is missing; nil if that is nothing that can be asked
// for.
func question(r *shape.Result, s *Schema) *Question {
	q := &Question{Content: r.Content}
	properties := map[string]json.RawMessage{}
	for _, pointer := range r.Unsatisfied {
		if part := r.Part(pointer); part != nil {
			q.Unsatisfied = append(q.Unsatisfied, pointer)
			properties[pointer] = part
		}
	}
	if len(q.Unsatisfied) == 0 {
		return nil
	}
	whole := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	var root map[string]json.RawMessage
	if json.Unmarshal(s.Raw(), &root) == nil {
		for _, name := range []string{"$schema", "$defs", "definitions"} {
			if root[name] != nil {
				whole[name] = root[name]
			}
		}
	}
	var err error
	if q.Schema, err = json.Marshal(whole); err != nil {
		return nil
	}
	return q
}
