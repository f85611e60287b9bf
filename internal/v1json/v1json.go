// Package v1json has the objects of the first interface as JSON: what its routes answer, and
// what webhooks send. There is nothing in them that opens a session.
package v1json

import (
	"bytes"
	"encoding/json"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/sessions"
)

// Cause is why something failed.
type Cause struct {
	Code    string `json:"code"`
	Message string `json:"message,omitempty"`
}

// Object returns what the GET of an object answers, as JSON: a builds.Build of a function, a
// functions.Invocation, a runs.Run or a sessions.Session, the last one without what opens it. It
// is nil for anything else.
func Object(row any) (json.RawMessage, error) {
	switch row := row.(type) {
	case builds.Build:
		return encode(BuildOf(row))
	case functions.Invocation:
		return encode(InvocationOf(row))
	case runs.Run:
		return encode(RunOf(row))
	case sessions.Session:
		return encode(SessionOf(row))
	}
	return nil, nil
}

// encode writes JSON as answers have it: texts stand as they are.
func encode(object any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(object)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// each is never nil: an empty list is [] on the wire.
func each[T, J any](all []T, out func(T) J) []J { return api.Each(all, out) }
