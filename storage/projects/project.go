// Package projects holds who may call and on whose behalf.
//
// A project owns every row that a caller can see. It is what v1 calls a
// project and v2 a user, and has an id of each kind. The project of a call
// travels in the context: an adapter finds it from a key ([Service.Authenticate]),
// a host sets it with [With] or [Service.In], and a host that sets none acts
// for the project [Default].
package projects

import (
	"context"
	"regexp"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// Default is the name of the project that every database has.
const Default = "default"

// Project owns rows. Its rows do not exist for any other project.
type Project struct {
	// ID is a UUID, the projectId of v1.
	ID string
	// UserID is 17 letters and digits, the userId of v2.
	UserID string
	// Name is unique: 1 to 64 lower-case letters, digits, "-" and "_".
	Name string
	// Username is the owner in names of v2 such as "acme~my-task". It is
	// unique and has the form of Name.
	Username  string
	CreatedAt time.Time
}

// Is reports whether ref names the project by its id or its name.
func (p Project) Is(ref string) bool { return ref == p.ID || ref == p.Name }

// Create are the fields of a new project.
type Create struct {
	// Name is required; see [Project].
	Name string
	// Username, default Name.
	Username string
}

var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// Validate returns an Invalid error that names the field at fault.
func (c Create) Validate() error {
	for field, value := range map[string]string{"name": c.Name, "username": c.Username} {
		if !nameForm.MatchString(value) {
			return errtypes.Field(field, "must be 1 to 64 lower-case letters, digits, - and _, and begin with a letter or digit")
		}
	}
	return nil
}

// Key is an API key of a project, without its secret.
type Key struct {
	// ID is a UUID.
	ID        string
	ProjectID string
	// Name says what the key is for. It may be empty and need not be unique.
	Name string
	// Prefix is the beginning of the secret, for people to tell keys apart.
	Prefix    string
	CreatedAt time.Time
	// RevokedAt is zero while the key is good.
	RevokedAt time.Time
}

// Service manages projects and their keys.
//
// The interface may gain methods; implement it only inside Drover.
type Service interface {
	Resolver

	// Create makes a project. Error kinds: Invalid, Conflict if the name or
	// the username is taken.
	Create(ctx context.Context, c Create) (Project, error)
	// Get returns a project by id or name. Error kind NotFound.
	Get(ctx context.Context, ref string) (Project, error)
	// List returns every project, oldest first.
	List(ctx context.Context) ([]Project, error)
	// In returns a context for calls on behalf of the project with that id or
	// name. Error kind NotFound.
	In(ctx context.Context, ref string) (context.Context, error)

	// CreateKey makes a key and returns its secret, which is shown this once
	// and stored only as a hash. Error kinds: Invalid for a name of more than
	// 255 characters, NotFound for the project.
	CreateKey(ctx context.Context, project, name string) (Key, string, error)
	// PresetKey makes secret the one good key with that name in the project;
	// an earlier one with the name is revoked. Doing so again changes nothing.
	// Error kinds: Invalid for an empty secret or one with spaces or control
	// characters, NotFound, Conflict if another project has the same secret.
	PresetKey(ctx context.Context, project, name, secret string) (Key, error)
	// Keys returns the keys of a project, revoked ones too, oldest first.
	// Error kind NotFound for the project.
	Keys(ctx context.Context, project string) ([]Key, error)
	// RevokeKey makes a key useless for good. Revoking it again changes
	// nothing. Error kind NotFound.
	RevokeKey(ctx context.Context, id string) (Key, error)
	// Authenticate returns the project that a secret belongs to. Error kind
	// Unauthenticated for a missing, wrong or revoked one.
	Authenticate(ctx context.Context, secret string) (Project, error)
	// As returns a context for calls of who has a secret, on behalf of its
	// project: what they open lasts no longer than the key. Error kinds: those of
	// Authenticate.
	As(ctx context.Context, secret string) (context.Context, error)
}

// Resolver finds who a call acts for. It is all that most domains
// need of a [Service].
type Resolver interface {
	// Current returns the project in the context, or else the default one.
	// Where the host requires a project, a context without one is
	// Unauthenticated.
	Current(ctx context.Context) (Project, error)
	// CheckKey returns nil while the key with that id is good. Error kind
	// Unauthenticated for a revoked or unknown one. Who changes that publishes
	// [KeyTopic].
	CheckKey(ctx context.Context, id string) error
}

// Read reads one value for the project of the caller.
func Read[T any](ctx context.Context, callers Resolver, db *storage.DB, read func(ctx context.Context, q storage.Querier, projectID string) (T, error)) (v T, err error) {
	project, err := callers.Current(ctx)
	if err != nil {
		return v, err
	}
	return storage.ReadOne(ctx, db, func(ctx context.Context, q storage.Querier) (T, error) { return read(ctx, q, project.ID) })
}

// KeyTopic is the topic of package notify on which those are told who wait for a
// key to be revoked.
func KeyTopic(id string) string { return "key/" + id }

type (
	contextKey struct{}
	callerKey  struct{}
)

// With returns a context for calls on behalf of p, a project that the service
// has returned.
func With(ctx context.Context, p Project) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// From returns the project in the context.
func From(ctx context.Context) (Project, bool) {
	p, ok := ctx.Value(contextKey{}).(Project)
	return p, ok
}

// KeyFrom returns the id of the key that a call was made with; "" for one that
// the host makes by itself.
func KeyFrom(ctx context.Context) string {
	id, _ := ctx.Value(callerKey{}).(string)
	return id
}
