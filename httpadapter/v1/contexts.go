package v1

import (
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/storage/contexts"
	"github.com/drover-go/drover/storage/projects"
)

type contextJSON struct {
	ID        string   `json:"id"`
	CreatedAt wireTime `json:"createdAt"`
	UpdatedAt wireTime `json:"updatedAt"`
	ProjectID string   `json:"projectId"`
	Name      string   `json:"name,omitempty"`
}

func (x *exchange) contextOut(c contexts.Context) contextJSON {
	p, _ := projects.From(x.R.Context())
	return contextJSON{c.ID, wireTime(c.CreatedAt), wireTime(c.UpdatedAt), p.ID, c.Name}
}

// contextKeyJSON is what a new context is answered with.
type contextKeyJSON struct {
	ID                       string `json:"id"`
	UploadURL                string `json:"uploadUrl"`
	PublicKey                string `json:"publicKey"`
	CipherAlgorithm          string `json:"cipherAlgorithm"`
	InitializationVectorSize int    `json:"initializationVectorSize"`
}

// contextKeyOut has a URL that clients want to see, and that refuses what they
// send: see uploadContext.
func (x *exchange) contextKeyOut(c contexts.Context) contextKeyJSON {
	return contextKeyJSON{c.ID, x.Base() + "/v1/contexts/" + c.ID + "/upload", c.PublicKeyPEM(), contexts.CipherAlgorithm, contexts.IVSize}
}

// contextCreateIn is the body of a new context.
func contextCreateIn(c *contexts.Create, projectID *string) strictjson.Value {
	var name string
	return strictjson.Open(strictjson.Fields{
		"projectId": strictjson.Text(projectID),
		"name":      strictjson.Then(strictjson.String(&name), func() { c.Name = &name }),
	})
}

func createContext(x *exchange) (answer, error) {
	var c contexts.Create
	var projectID string
	if _, err := x.OptionalBody(contextCreateIn(&c, &projectID)); err != nil {
		return answer{}, err
	}
	if err := x.checkProject(projectID); err != nil {
		return answer{}, err
	}
	made, err := x.Contexts.Create(x.R.Context(), c)
	return api.Created(x.contextKeyOut(made)), err
}

func getContext(x *exchange) (answer, error) {
	c, err := x.Contexts.Get(x.R.Context(), x.id("contextId"))
	return api.OK(x.contextOut(c)), err
}

// renewContext changes nothing: clients ask so for what they were told when they
// made it. A body is not read.
func renewContext(x *exchange) (answer, error) {
	c, err := x.Contexts.Get(x.R.Context(), x.id("contextId"))
	return api.OK(x.contextKeyOut(c)), err
}

func deleteContext(x *exchange) (answer, error) {
	return api.NoContent(), x.Contexts.Delete(x.R.Context(), x.id("contextId"))
}

// uploadContext tells clients of old why nothing becomes of a profile that they
// have packed themselves. A body is not read.
func uploadContext(x *exchange) (answer, error) {
	if _, err := x.Contexts.Get(x.R.Context(), x.id("contextId")); err != nil {
		return answer{}, err
	}
	return answer{}, errtypes.New(errtypes.Gone, "nothing is uploaded to a context: its profile is what sessions with \"persist\" save; the host can bring one with \"drover contexts import\"")
}
