package providertest

import (
	"encoding/json"
	"net/http"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
)

// Key is the secret of every request. It may be in no error.
const Key = "sk-pr0v1d3r-s3cr3t"

// A Wire is how a provider speaks. Fields that may be nil leave rows out, aloud.
type Wire struct {
	// New makes the model under test.
	New func(Setup) (model.Model, error)
	// Route ends the path of every request.
	Route string
	// Authorised reports whether a request carries the Key.
	Authorised func(http.Header) bool
	// Read reads a request back.
	Read func(body []byte) (Asked, error)

	// Document is an answer in one piece. Events are the same as a stream, each
	// with its blank line: what is said, and then what ends it.
	Document func(Answer) string
	Events   func(Answer) (said, end []string)
	// StreamType is the media type of a stream. Default that of server-sent events.
	StreamType string
	// TextArguments says that the arguments of calls are sent as text, which may
	// be anything, in a document or in a stream.
	TextArguments func(streamed bool) bool

	// Fault is the provider's own form of an error.
	Fault func(status int, message string) string
	// NoModel, NoQuota and TooLong are refusals whose cause is in the words of
	// the provider.
	NoModel, NoQuota, TooLong Reply
	// Slowly are refusals of too many requests that say to wait for a minute.
	Slowly map[string]Reply
	// BadSchema refuses the schema of a tool. The ladder of schemas has Rungs
	// below the first.
	BadSchema Reply
	Rungs     int
	// Fields are optional fields that a model may refuse, and in how many ways
	// each is tried before it is left out; BadField is how.
	Fields   map[string]int
	BadField func(name string) Reply
	// BadReplay refuses what was kept of an earlier answer; nil where nothing is.
	BadReplay *Reply
	// EventFault is an error in the middle of a stream: the provider has too much
	// to do.
	EventFault string

	// NoAnswer are documents that are fine but for the answer in them. Blocked
	// are those that a filter keeps back.
	NoAnswer, Blocked map[string]string
	// Contents are documents with unusual contents, by the text in them.
	Contents map[string][]string
	// Unknown are events that nobody knows yet.
	Unknown []string
}

// Setup is what a model under test is made of.
type Setup struct {
	// BaseURL is the root of the server, without a path.
	BaseURL   string
	Transport http.RoundTripper
	Clock     clock.Clock // nil for the system's
	// NoTools says that the model cannot call tools.
	NoTools bool
	// Every field of Wire.Fields is to be sent; MaxOutput is the limit of an
	// answer.
	MaxOutput int
}

// An Answer is what a model says, in any wire.
type Answer struct {
	Reasoning string // with whatever the provider wants back of it
	Text      string // in two pieces, if streamed
	Calls     []Call
	Refusal   string // in words, behind the text
	Stop      Stop
	Usage     *model.Usage // nil: nothing is told
	// UsageNull has null where the usage would be; UsageEach tells it in every
	// event that can have it.
	UsageNull, UsageEach bool
}

// A Call of a tool. Its arguments are sent as they are.
type Call struct{ ID, Name, Arguments string }

// Stop is why an answer ends.
type Stop string

// The reasons. Natural is that of the parts.
const (
	Natural  Stop = ""
	Length   Stop = "length"
	Filtered Stop = "filtered"
	Strange  Stop = "strange" // a word that nobody knows yet
	SaysStop Stop = "stop"    // also with calls
	SaysCall Stop = "call"    // also without
)

// Asked is a request that was read back.
type Asked struct {
	Tools  []string // their names
	Forced string   // the tool that must be called
	Limit  int      // of the answer, in tokens
	System string
	// Calls and Results are the ids of those in the conversation, in order.
	Calls, Results []string
	// Replayed says that something that was kept of an answer is sent back.
	Replayed bool
}

// streamed or not, the successful reply of an answer.
func (w Wire) reply(a Answer, streamed bool) Reply {
	if !streamed {
		return Reply{Body: w.Document(a)}
	}
	said, end := w.Events(a)
	return Reply{Body: join(said, end)}
}

func join(lists ...[]string) (all string) {
	for _, list := range lists {
		for _, e := range list {
			all += e
		}
	}
	return all
}

// Tools are what a model may call in every row.
func Tools() []model.Tool {
	schema := json.RawMessage(`{"type":"object","properties":{"x":{"type":"integer"},"note":{"type":"string"}},"required":["x"],"additionalProperties":false}`)
	return []model.Tool{
		{Name: "click", Description: "clicks", Input: schema},
		{Name: "read", Description: "reads", Input: json.RawMessage(`{"type":"object","properties":{"x":{"type":"integer"}},"required":[],"additionalProperties":false}`)},
	}
}

// Request is the question of every row.
func Request() model.Request {
	return model.Request{System: "You act in a browser.", Task: "Do it.", Tools: Tools(), Step: 1, MaxSteps: 10}
}
