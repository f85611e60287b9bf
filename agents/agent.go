// Package agents keeps reusable agents: a name, an instruction and the shape
// of the result, which steer every run that refers to them.
package agents

import (
	"context"
	"encoding/json"
	"iter"
	"time"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
)

// Agent is a saved agent of a project.
type Agent struct {
	// ID is a UUID.
	ID string
	// Name is 1 to 255 characters. It need not be unique.
	Name string
	// SystemPrompt is the instruction for every run; empty for none.
	SystemPrompt string
	// ResultSchema is the JSON Schema that results aim to conform to; nil for
	// none.
	ResultSchema json.RawMessage
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Create are the fields of a new agent.
type Create struct {
	// Name is required: 1 to 255 characters.
	Name string
	// SystemPrompt, default none.
	SystemPrompt string
	// ResultSchema is any JSON Schema in form of an object. Default none.
	ResultSchema json.RawMessage
}

// Update are the changes of an agent. A nil field stays as it is.
type Update struct {
	// Name is 1 to 255 characters.
	Name *string
	// SystemPrompt is at least 1 character.
	SystemPrompt *string
	// ResultSchema is any JSON Schema in form of an object.
	ResultSchema json.RawMessage
}

// Filter selects a page of agents, newest first.
type Filter struct {
	// StartAt and EndAt bound the creation time, both inclusive and to the
	// millisecond. Zero does not bound.
	StartAt, EndAt time.Time
	// Limit is the size of the page, 1 to 1000. Default 20.
	Limit int
	// Cursor is the NextCursor of the page before. Default the first page.
	Cursor string
}

// Page is one page of agents.
type Page struct {
	// Agents is never nil.
	Agents []Agent
	// Limit is the size that was asked for.
	Limit int
	// NextCursor is empty on the last page.
	NextCursor string
}

// Service manages agents. Every method acts for the caller's project, whose
// agents are the only ones there are for it, and may also fail with
// Unauthenticated where the host requires a project and the context has none.
//
// The interface may gain methods; implement it only inside Drover.
type Service interface {
	// Create saves an agent. Error kind Invalid.
	Create(ctx context.Context, c Create) (Agent, error)
	// Get returns an agent. Error kind NotFound.
	Get(ctx context.Context, id string) (Agent, error)
	// List returns a page, newest first. Error kind Invalid.
	List(ctx context.Context, f Filter) (Page, error)
	// All walks through every agent that the filter selects, page by page of
	// f.Limit, from f.Cursor on. It ends after the first error.
	All(ctx context.Context, f Filter) iter.Seq2[Agent, error]
	// Update changes the fields that are given. Error kinds: Invalid, NotFound.
	Update(ctx context.Context, id string, u Update) (Agent, error)
	// Delete removes an agent. It is no error when there is none. Runs that
	// referred to it stay as they are.
	Delete(ctx context.Context, id string) error
}

// maxName is the specification's limit, in Unicode characters.
const maxName = 255

func validateName(name string) error {
	n := utf8.RuneCountInString(name)
	if !utf8.ValidString(name) || n < 1 || n > maxName {
		return errtypes.Field("name", "must be 1 to %d characters of valid UTF-8", maxName)
	}
	return nil
}
