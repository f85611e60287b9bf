package actors

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"mime"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

const (
	// inputKey is the key of an input in the key-value store.
	inputKey  = "INPUT"
	outputKey = "OUTPUT"
	jsonType  = "application/json; charset=utf-8"
)

// isJSON reports whether an input is JSON. What says nothing is.
func (in Input) isJSON() bool {
	kind, _, err := mime.ParseMediaType(in.ContentType)
	return in.ContentType == "" || err == nil && (kind == "application/json" || strings.HasSuffix(kind, "+json"))
}

// acceptInput is what a run of a build of an Actor gets: nil for nothing. The input is
// checked, filled in, and sealed where the schema of the build says so.
func (s *service) acceptInput(ctx context.Context, actorID string, b buildRef, in *Input) (*Input, error) {
	in, secret, err := s.prepareInput(b, in)
	if err == nil && len(secret) > 0 {
		in.Body, err = s.sealInput(ctx, actorID, secret, in.Body)
	}
	return in, err
}

// prepareInput checks an input, and fills it in, where the build has a schema; which of
// its fields are secret.
func (s *service) prepareInput(b buildRef, in *Input) (_ *Input, secret []string, err error) {
	rules, err := s.schemas.of(b.schema)
	if err != nil {
		return nil, nil, err
	}
	if in == nil || len(in.Body) == 0 {
		if rules == nil {
			return nil, nil, nil
		}
		in = &Input{Body: []byte("{}")}
	}
	if len(in.Body) > s.conf.Limits.MaxInput {
		return nil, nil, errtypes.New(errtypes.TooLarge, "the input is %d bytes long; the limit is %d bytes", len(in.Body), s.conf.Limits.MaxInput).WithType(errtypes.TypeRequestTooLarge)
	}
	if !in.isJSON() {
		return in, nil, nil
	}
	out := Input{Body: in.Body, ContentType: in.ContentType}
	if out.ContentType == "" {
		out.ContentType = jsonType
	}
	if rules == nil {
		return &out, nil, checkJSON(in.Body)
	}
	if _, err := objectOf(in.Body); err != nil {
		return nil, nil, err
	}
	out.Body, err = rules.fill(in.Body)
	return &out, rules.secret(), err
}

func (s *service) ValidateInput(ctx context.Context, actor, build string, in *Input) (err error) {
	defer errtypes.Wrap(&err, "actors.ValidateInput(%q, %q)", actor, build)
	a, err := s.find(ctx, actor)
	if err != nil {
		return err
	}
	b, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (buildRef, error) {
		return s.resolveBuild(ctx, q, a, cmp.Or(build, a.Runs.Build, defaultBuild))
	})
	if err == nil {
		_, _, err = s.prepareInput(b, in)
	}
	return err
}

// checkJSON refuses what is none.
func checkJSON(body []byte) error {
	var v json.RawMessage
	if err := json.Unmarshal(body, &v); err != nil {
		return invalidInput("Cannot parse body of provided input: %s", err)
	}
	return nil
}

// objectOf reads an input that must be an object.
func objectOf(body []byte) (object map[string]json.RawMessage, err error) {
	if err := checkJSON(body); err != nil {
		return nil, err
	}
	if json.Unmarshal(body, &object) != nil || object == nil {
		return nil, invalidInput("Provided input must be object, got %q instead.", kindOfJSON(body))
	}
	return object, nil
}

func kindOfJSON(body []byte) string {
	switch bytes.TrimSpace(body)[0] {
	case '[':
		return "array"
	case '"':
		return "string"
	case 'n':
		return "null"
	case 't', 'f':
		return "boolean"
	}
	return "number"
}

// taskInput is the input of a task's run: that of the task, whose members those of the
// run take the place of.
func taskInput(saved json.RawMessage, in *Input) (*Input, error) {
	if in == nil || len(in.Body) == 0 {
		if saved == nil {
			return nil, nil
		}
		return &Input{Body: saved, ContentType: jsonType}, nil
	}
	if !in.isJSON() {
		return nil, errtypes.OfType(errtypes.TypeInvalidContentTypeHeader, "Actor task input must have content type \"application/json\", not %.100q", in.ContentType)
	}
	own, err := objectOf(in.Body)
	if err != nil || saved == nil {
		return &Input{Body: in.Body, ContentType: jsonType}, err
	}
	merged, err := objectOf(saved)
	if err != nil {
		return nil, err
	}
	maps.Copy(merged, own)
	body, err := json.Marshal(merged)
	return &Input{Body: body, ContentType: jsonType}, err
}
