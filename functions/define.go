package functions

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/schema"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/runs/sessions/settingsjson"
)

// Handler is the code of a Go function. Its result is encoded as JSON. Its
// context ends when the invocation is cancelled or its time is over.
type Handler func(ctx context.Context, inv *Invocation) (result any, err error)

// FuncOptions configure a Go function. The zero value is useful.
type FuncOptions struct {
	// ParamsSchema is the JSON Schema of the parameters. Default any object.
	// [Typed] infers it.
	ParamsSchema json.RawMessage
	// Session are the settings of the sessions of its invocations. Default: see
	// there.
	Session sessions.Settings
	// Timeout is how long an invocation may take. Default 15 minutes, at most
	// Limits.MaxTimeout.
	Timeout time.Duration
	// Concurrent is how many invocations this process executes at the same time.
	// Default 4.
	Concurrent int
	// Project, by name or id, is whose function it is. Default "default".
	Project string
}

// Definition is a Go function to be registered. [Func] and [Typed] make it.
type Definition struct {
	name string
	run  Handler
	o    FuncOptions
	err  error
}

// Func defines a Go function. What is wrong with it is an error when it is
// registered.
func Func(name string, run Handler, o FuncOptions) Definition {
	return Definition{name: name, run: run, o: o}
}

// Typed defines a Go function with typed parameters, whose schema is inferred from
// In unless the options have one.
func Typed[In, Out any](name string, run func(ctx context.Context, inv *Invocation, in In) (Out, error), o FuncOptions) Definition {
	d := Definition{name: name, o: o}
	if len(o.ParamsSchema) == 0 {
		d.o.ParamsSchema, d.err = schema.For[In]()
	}
	d.run = func(ctx context.Context, inv *Invocation) (any, error) {
		in, err := Params[In](inv)
		if err != nil {
			return nil, err
		}
		return run(ctx, inv, in)
	}
	return d
}

// Params decodes the parameters of an invocation.
func Params[T any](inv *Invocation) (in T, err error) {
	err = json.Unmarshal(inv.Params, &in)
	return in, err
}

const maxName = 255

// definition is a Go function that is in order.
type definition struct {
	Definition
	schema  *schema.Schema // nil takes any object
	session json.RawMessage
	// fingerprint is the same for registrations that say the same.
	fingerprint string
}

// check reads a definition. Error kind: Invalid, for a field of
// Options.Functions.
func (c Config) check(d Definition) (definition, error) {
	field := "Functions." + d.name
	d.o.Timeout = cmp.Or(d.o.Timeout, min(c.Limits.DefaultTimeout, c.Limits.MaxTimeout))
	d.o.Concurrent = cmp.Or(d.o.Concurrent, 4)
	d.o.Project = cmp.Or(d.o.Project, "default")
	switch {
	case d.err != nil:
		return definition{}, errtypes.Field(field, "has parameters without a schema: %s", d.err)
	case d.name == "" || len(d.name) > maxName || !utf8.ValidString(d.name):
		return definition{}, errtypes.Field("Functions", "must have names of 1 to %d bytes of valid UTF-8, not %q", maxName, d.name)
	case d.run == nil:
		return definition{}, errtypes.Field(field, "has no handler")
	case d.o.Timeout < time.Second || d.o.Timeout > c.Limits.MaxTimeout:
		return definition{}, errtypes.Field(field+".Timeout", "must be from 1 second to %v", c.Limits.MaxTimeout)
	case d.o.Concurrent < 0:
		return definition{}, errtypes.Field(field+".Concurrent", "must not be negative")
	}
	out := definition{Definition: d}
	stored := d.o.Session
	stored.Proxies = stored.Proxies.Stored()
	var err error
	if out.session, err = settingsjson.Encode(stored); err != nil {
		return definition{}, err
	}
	if len(d.o.ParamsSchema) > 0 {
		if out.schema, err = schema.Compile(d.o.ParamsSchema, schema.Options{Field: field + ".ParamsSchema"}); err != nil {
			return definition{}, err
		}
	}
	out.fingerprint = out.hash()
	return out, nil
}

// hash tells registrations apart that differ in what a version says.
func (d definition) hash() string {
	b, _ := json.Marshal(struct {
		Schema, Session json.RawMessage
		Timeout         time.Duration
	}{orNull(d.o.ParamsSchema), orNull(d.session), d.o.Timeout})
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}
