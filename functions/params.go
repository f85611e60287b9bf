package functions

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/schema"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/runs/sessions/settingsjson"
	"github.com/drover-go/drover/storage/projects"
)

const paramsField = "params"

// checkParams returns parameters that fit the schema of a version, without white
// space between their parts (DECISIONS 27).
func (s *service) checkParams(v version, raw json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage(`{}`)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil || object == nil {
		return nil, errtypes.Field(paramsField, "must be a JSON object")
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return nil, errtypes.Field(paramsField, "must be a JSON object").WithCause(err)
	}
	if compact.Len() > s.conf.Limits.MaxParams {
		return nil, errtypes.Field(paramsField, "must be at most %d bytes of JSON; it has %d", s.conf.Limits.MaxParams, compact.Len())
	}
	return compact.Bytes(), s.schemas.validate(v, compact.Bytes())
}

// schemas are those of versions, compiled.
type schemas struct{ cache *schema.Cache }

func newSchemas() schemas { return schemas{schema.NewCache(schema.CacheOptions{})} }

// of returns the schema of a version; nil takes any object.
func (c schemas) of(v version) (*schema.Schema, error) {
	raw := v.ParamsSchema
	if len(raw) == 0 {
		return nil, nil
	}
	if v.published() {
		raw = relax(raw)
	}
	return c.cache.Compile(paramsField, raw)
}

// validate checks parameters against the schema of a version. That of a published
// one may be none that can be used: it takes any object then (DECISIONS 27).
func (c schemas) validate(v version, params []byte) error {
	compiled, err := c.of(v)
	if compiled == nil || v.published() && errtypes.Is(err, errtypes.Invalid) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := compiled.ValidateJSON(params); err != nil {
		said := strings.TrimPrefix(errtypes.Public(err).Message, "the value does not match the schema: ")
		return errtypes.Field(paramsField, "do not fit the schema of the function: %s", said).WithCause(err)
	}
	return nil
}

const sessionField = "sessionCreateParams"

// refusedSettings are those of a session that an invocation cannot have
// (DECISIONS 28).
var refusedSettings = []string{"keepAlive", "region", "projectId"}

// checkSession checks the settings of an invocation, merged with those of its
// version, and keeps them: with passwords in memory, without in the row.
func (s *service) checkSession(ctx context.Context, b *invoking, v version, in Invoke) error {
	own := in.Session
	if len(bytes.TrimSpace(own)) == 0 {
		own = nil
	}
	if len(own) > s.conf.Limits.MaxSession {
		return errtypes.Field(sessionField, "must be at most %d bytes of JSON", s.conf.Limits.MaxSession)
	}
	_, err := s.settings(ctx, b.ProjectID, v.Session, own)
	if err != nil || own == nil {
		return err
	}
	alone, err := settingsjson.Decode(own, strictjson.Options{At: sessionField}, refusedSettings...)
	if err != nil {
		return err
	}
	if err := s.checkTimeout(sessionField+".timeout", alone.Timeout); err != nil {
		return err
	}
	if in.Timeout == 0 && alone.Timeout > 0 {
		b.Timeout = alone.Timeout
	}
	if b.session = own; alone.Settings.Proxies.Secret() {
		b.secret, b.full, b.session = true, own, nil
	}
	return nil
}

// settings are those of a session: the version's, with the invocation's merged
// into them.
func (s *service) settings(ctx context.Context, projectID string, base, own json.RawMessage) (sessions.Create, error) {
	merged, err := merge(base, own)
	if err != nil {
		return sessions.Create{}, err
	}
	if merged == nil {
		return sessions.Create{}, nil
	}
	read, err := settingsjson.Decode(merged, strictjson.Options{At: sessionField}, refusedSettings...)
	if err == nil {
		err = read.Named(s.conf.Sessions.Check(projects.With(ctx, projects.Project{ID: projectID}), read.Settings))
	}
	return read.Create, err
}

// merge puts one object into another, member by member. What is no object
// replaces what is there as a whole.
func merge(base, own json.RawMessage) (json.RawMessage, error) {
	if len(own) == 0 || len(base) == 0 {
		if len(own) == 0 {
			own = base
		}
		return own, nil
	}
	var into, from map[string]json.RawMessage
	if err := json.Unmarshal(base, &into); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(own, &from); err != nil || from == nil {
		return nil, errtypes.Field(sessionField, "must be a JSON object")
	}
	out := maps.Clone(into)
	for name, value := range from {
		if old, ok := into[name]; ok && isObject(old) && isObject(value) {
			merged, err := merge(old, value)
			if err != nil {
				return nil, err
			}
			value = merged
		}
		out[name] = value
	}
	return json.Marshal(out)
}

func isObject(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '{'
}
