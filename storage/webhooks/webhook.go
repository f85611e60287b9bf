// Package webhooks keeps webhooks of projects, and delivers what happened to their
// receivers: at least once, in order for each object, for up to 32 hours.
//
// A domain reports what happened in the transaction in which it happens
// ([Emitter]). If a webhook asks for that, the delivery is written with it, so that
// neither is there without the other; a worker sends it after the commit, and again
// until the receiver has it. Every attempt is kept.
//
// There are two protocols. [Standard] is that of the first interface: an envelope
// that is signed as Standard Webhooks has it. [Platform] is that of the job platform:
// a payload made by a template, without a signature.
package webhooks

import (
	"context"
	"encoding/json"
	"time"
)

// Protocol is the way in which a webhook is sent.
type Protocol string

const (
	// Standard sends {id, type, resourceId, data}, signed with the webhook's secret
	// (Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature). An answer
	// of 2xx within 15 seconds is success; it is sent again after 5 s, 5 m, 30 m, 2 h, 5 h, 10 h
	// and 10 h (wire-v1, 7).
	Standard Protocol = "standard"
	// Platform sends the payload that its template makes. An answer of 2xx within two
	// minutes is success; it is sent again after 1, 2, 4 … minutes, 11 times (wire-v2, 5).
	Platform Protocol = "platform"
)

// Condition says whose events of the job platform a webhook is for: those of one of
// these, or where all are empty those of the whole project.
type Condition struct{ Actor, Task, Run string }

// Webhook is a request that is sent when something happens.
type Webhook struct {
	// ID is a UUID of version 7, or, of Platform, 17 letters and digits.
	ID string
	// ProjectID is the project that it belongs to.
	ProjectID string
	Settings
	// AdHoc webhooks were given to a run when it was started. They go with it.
	AdHoc bool
	// IdempotencyKey is the one that it was made with.
	IdempotencyKey string
	// CreatedAt and ModifiedAt are to the millisecond.
	CreatedAt, ModifiedAt time.Time
	// Last is the newest dispatch; nil if there was none.
	Last *LastDispatch
	// Dispatches is how many there were.
	Dispatches int
}

// LastDispatch is what a webhook shows of its newest dispatch.
type LastDispatch struct {
	Status     Status
	FinishedAt time.Time
}

// Settings are what clients say of a webhook.
type Settings struct {
	// Protocol, default [Platform] where all events begin with "ACTOR.", else [Standard].
	Protocol Protocol
	// URL is where it is sent: https, or http where Limits.AllowHTTP says so or the protocol is
	// Platform. At most 500 bytes. Required.
	URL string
	// Events are those that it is sent for, at least one of [StandardEvents] or, of
	// Platform, [PlatformEvents]. Required.
	Events []string
	// Condition bounds it to an Actor, a task or a run. Only of Platform.
	Condition Condition
	// PayloadTemplate and HeadersTemplate make its body and headers. Default: all that
	// there is; no further headers. Only of Platform.
	PayloadTemplate, HeadersTemplate string
	// Interpolate says that variables inside texts of the template count, too.
	Interpolate bool
	// IgnoreTLSErrors sends it whatever the certificate, DoNotRetry once.
	IgnoreTLSErrors, DoNotRetry bool
	// Title and Description are for people.
	Title, Description string
}

// Create is a new webhook.
type Create struct {
	Settings
	// IdempotencyKey has a second Create with it return the webhook that the first has
	// made. At most 255 bytes. Default none.
	IdempotencyKey string
	// AdHoc makes it go with the run that the condition names.
	AdHoc bool
}

// Update changes what is not nil.
type Update struct {
	URL, PayloadTemplate, HeadersTemplate, Title, Description *string
	Events                                                    []string
	Condition                                                 *Condition
	Interpolate, IgnoreTLSErrors, DoNotRetry                  *bool
}

// Status is how far a dispatch has come.
type Status string

// The statuses of dispatches.
const (
	// Active dispatches wait for their next attempt, or for those before them.
	Active    Status = "ACTIVE"
	Succeeded Status = "SUCCEEDED"
	// Failed dispatches are not sent again, unless somebody asks for it ([Service.Redeliver]).
	Failed Status = "FAILED"
)

// Dispatch is an event on its way to the receiver of a webhook.
type Dispatch struct {
	// ID is what a receiver tells a repetition by: it stays the same over all attempts.
	ID        string
	ProjectID string
	WebhookID string
	// Event is its type.
	Event string
	// Object is the id of what it happened to.
	Object string
	// EventData are the ids that Platform sends as eventData.
	EventData map[string]string
	Status    Status
	// CreatedAt is when it happened, NextAt when it is sent next; FinishedAt is zero while
	// it is active.
	CreatedAt, NextAt, FinishedAt time.Time
	// Attempts are the requests so far, the oldest first.
	Attempts []Attempt
	// Webhook is the webhook as it is now.
	Webhook Webhook
}

// Attempt is a request of a dispatch.
type Attempt struct {
	StartedAt, FinishedAt time.Time
	// ResponseStatus is 0 where there was no answer.
	ResponseStatus int
	// ResponseBody is the beginning of the answer, at most Limits.MaxResponse bytes.
	ResponseBody string
	// Error says why it failed; empty where it did not.
	Error string
}

// Filter asks for a part of a list by offset.
type Filter struct {
	// Protocol bounds a list. Actor, Task and Run bound one of webhooks; Webhook and Status
	// one of dispatches. Default: all.
	Protocol                  Protocol
	Actor, Task, Run, Webhook string
	Status                    Status
	// Offset is how many are passed over.
	Offset int
	// Limit is how many are returned at the most, 1 to 1000. Default 1000.
	Limit int
	// Desc lists the newest first.
	Desc bool
}

// List is a part of a list.
type List[T any] struct {
	Items []T
	// Total is how many there are in all.
	Total int
	Limit int
}

// Service keeps webhooks. Every method acts for the caller's project, whose webhooks
// are the only ones there are for it.
//
// The interface may gain methods; implement it only inside Drover.
type Service interface {
	// Create makes a webhook. Secret is what Standard signs with ("whsec_…"), and is
	// never returned again. Error kinds: Invalid about a field; NotFound for the Actor, task or
	// run of the condition; Forbidden for more than the project may have; Conflict for
	// a second one of Standard with the same URL.
	Create(ctx context.Context, c Create) (w Webhook, secret string, err error)
	// Get returns a webhook. Error kind NotFound.
	Get(ctx context.Context, id string) (Webhook, error)
	// List returns webhooks, the oldest first. Ad hoc ones are among them only where the filter names
	// their run.
	List(ctx context.Context, f Filter) (List[Webhook], error)
	// Page returns those of Standard, the newest first, by cursor.
	Page(ctx context.Context, f PageFilter) (Page, error)
	// Update changes a webhook; what is on its way goes where it says then. Error kinds: those of Create; NotFound.
	Update(ctx context.Context, id string, u Update) (Webhook, error)
	// Delete deletes a webhook, and its dispatches. Error kind NotFound.
	Delete(ctx context.Context, id string) error
	// RotateSecret makes another secret for a webhook of Standard. The former one counts
	// beside it for 24 hours, unless revoke is set; at most four former ones do. Error
	// kinds: NotFound; Invalid for one of Platform.
	RotateSecret(ctx context.Context, id string, revoke bool) (secret string, err error)
	// Test sends an event of type "TEST". Error kind NotFound.
	Test(ctx context.Context, id string) (Dispatch, error)

	// Dispatches returns dispatches, the oldest first.
	Dispatches(ctx context.Context, f Filter) (List[Dispatch], error)
	// Dispatch returns a dispatch with its attempts. Error kind NotFound.
	Dispatch(ctx context.Context, id string) (Dispatch, error)
	// Wait returns a dispatch as soon as it has ended. Error kinds: NotFound; Unavailable when the
	// service closes; those of the context.
	Wait(ctx context.Context, id string) (Dispatch, error)
	// Redeliver sends what was sent before, or failed, once more, under the same id. Error
	// kinds: NotFound; Conflict while it is active, and after Limits.MaxAttempts attempts.
	Redeliver(ctx context.Context, id string) (Dispatch, error)
}

// PageFilter asks for a page.
type PageFilter struct {
	// Limit is the size of the page, 1 to 1000. Default 20.
	Limit int
	// Cursor is the one that the page before returned. Default the first page.
	Cursor string
}

// Page is a part of a list, newest first.
type Page struct {
	Webhooks []Webhook
	// Limit is the size that was asked for.
	Limit int
	// NextCursor is empty on the last page.
	NextCursor string
}

// Resource is an object as receivers get it: what the interface's GET of it answers.
type Resource = json.RawMessage
