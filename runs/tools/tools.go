// Package tools is what an agent can do in a run: one file a tool.
//
// A [Set] belongs to one run. Every tool answers with what it did and what the
// page looks like afterwards, as an outline whose elements carry references;
// whatever goes wrong is an answer, too, in words that help a model to do
// better. Nothing that a tool says has a variable's value in it.
package tools

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/pagedata"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/secrets"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/search"
)

// Options configure [New]. Session is required.
type Options struct {
	// Session returns the browser session, opening it at the first call. An
	// error ends the run.
	Session func(ctx context.Context) (browser.Session, error)
	// Task is the run's task: where it has a placeholder in an address, the
	// value may become part of that address. Default empty.
	Task string
	// Variables are the values of placeholders. Default none.
	Variables *secrets.Vault
	// ResultSchema is the JSON Schema of the result, for the model to see.
	// Default none.
	ResultSchema json.RawMessage
	// Validate checks a result against that schema; its error is for the
	// model. Default accepts everything.
	Validate func(result json.RawMessage) error
	// Shape fills schemas with what pages say. Default nil: there is no tool extract.
	Shape Shape
	// AskHuman says that a person can be asked. Default false.
	AskHuman bool
	// Search searches the web. Default nil: there is no tool for it, as with
	// search.Off.
	Search search.Searcher
	// Fetch gets what an address has, as the run may. Default nil: there is no tool
	// for it.
	Fetch func(ctx context.Context, url string) (Fetched, error)
	// PDF reads a file as text for the tool fetch. Default nil: it is told that there
	// is one.
	PDF func(ctx context.Context, file []byte) (string, error)
	// Own are tools of the host's, behind those of Drover. Default none.
	Own []Own
	// AcceptDialogs leaves all dialogs to the session, which accepts them, but for
	// prompts. Default false: those that ask something wait for the tool dialog.
	AcceptDialogs bool
	// Files returns the stored files that the run may use, beside those that were
	// offered to its session: those it was given, and those that the session with the
	// id has downloaded. Default none.
	Files func(ctx context.Context, sessionID string) ([]File, error)
	// Timeout bounds each call. Default 30 seconds.
	Timeout time.Duration
	// MaxOutput is the size at which an answer is cut, in bytes; the answer
	// says so and how to see the rest. Default 40,000.
	MaxOutput int
	// MaxHTML is how much of a page's HTML is read, in bytes; data of a longer
	// page are marked as incomplete. Default 4 MiB.
	MaxHTML int
	// MaxResult is the largest result, in bytes of JSON. Default 64 KiB.
	MaxResult int
	// Images says that the model sees pictures: there is a tool that takes them.
	// Default false.
	Images bool
	// MaxImageEdge is the longer side of a picture in pixels at which it is made
	// smaller. Default 1568.
	MaxImageEdge int
	// MaxImage is the largest picture in bytes. Default 750 KB.
	MaxImage int
	// Clock bounds the calls. Default the system's.
	Clock clock.Clock
	// Logger hears of faults of a tool. Default discards.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.MaxOutput = cmp.Or(o.MaxOutput, 40_000)
	o.MaxHTML = cmp.Or(o.MaxHTML, 4<<20)
	o.MaxImageEdge = cmp.Or(o.MaxImageEdge, 1568)
	o.MaxImage = cmp.Or(o.MaxImage, 750_000)
	o.MaxResult = cmp.Or(o.MaxResult, 64<<10)
	if o.Validate == nil {
		o.Validate = func(json.RawMessage) error { return nil }
	}
	if o.Clock == nil {
		o.Clock = clock.System()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Set is the tools of one run. It is used by one goroutine at a time.
type Set struct {
	opts  Options
	tools []tool
	// fence marks what comes from a page. It is random, so that no page can
	// write the end of itself; mark finds it in what pages write.
	fence string
	mark  *regexp.Regexp
	view  lastView
	typed map[browser.Ref]typed
	// boundTyped says that a variable which may only go to some sites was typed.
	boundTyped bool
	// picture is what the model has seen last in a picture.
	picture picture
	// lastRead is the page that is being read part by part; nil once another
	// tool has been used.
	lastRead *pagedata.Data
	fetched  fetchedPage // what is being read of another page
	// opened are addresses that variables are part of.
	opened []opened
	// stopAsking is set while the session asks about dialogs.
	stopAsking func()
}

// New returns the tools of a run.
func New(o Options) *Set {
	s := &Set{opts: o.withDefaults(), typed: map[browser.Ref]typed{}}
	for s.fence == "" || s.clean(s.fence) != s.fence { // a value may be in it by chance
		var nonce [6]byte
		rand.Read(nonce[:]) // never fails since Go 1.24
		s.fence = hex.EncodeToString(nonce[:])
	}
	s.mark = regexp.MustCompile(`(?i)` + s.fence)
	s.tools = s.list()
	return s
}

// tool is one thing that an agent can do.
type tool struct {
	model.Tool
	// acts says that it changes something, so that doing it again is not the
	// same as doing it once.
	acts bool
	// opensItself says that it needs no browser, or asks for it when it does.
	opensItself bool
	// own says that it is the host's; timeout bounds a call, 0 for as the others.
	own     bool
	timeout time.Duration
	// run does it. The input is a JSON object.
	run func(ctx context.Context, input json.RawMessage) (Result, error)
}

// Result is what came of a call.
type Result struct {
	Output model.Output
	// Files are pictures for the model, which belong to the output.
	Files []model.Part
	// Moved says that the page is another one now: what the model planned for
	// the old one does not hold.
	Moved bool
	// End is set by the tool that ends the run.
	End *End
	// Noted is a partial result that is to be kept; nil for none.
	Noted json.RawMessage
	// Question is for a person, whose answer becomes the output.
	Question string
	// Refused says that the result given to the tool that ends the run is not
	// accepted; the model may try again.
	Refused bool
	// Fatal ends the run: there is no browser.
	Fatal error
}

// End is how a run wants to end.
type End struct {
	// Success is the agent's own judgement.
	Success bool
	// Reason is why it could not do the task, or a remark.
	Reason string
	// Result is valid; nil for none.
	Result json.RawMessage
}

// DoneName is the tool that ends a run.
const DoneName = "done"

// Definitions describes the tools to a model. On the last step only the one
// that ends the run is left.
func (s *Set) Definitions(last bool) []model.Tool {
	var all []model.Tool
	for _, t := range s.tools {
		if !last || t.Name == DoneName {
			all = append(all, t.Tool)
		}
	}
	return all
}

// Call does what the model asks for. It never panics.
func (s *Set) Call(ctx context.Context, call model.Part) Result {
	t, ok := s.find(call.ToolName)
	if !ok {
		return failed("there is no tool %q; there are %s", s.clean(call.ToolName), s.names())
	}
	if t.Name != readName {
		s.lastRead = nil
	}
	ctx, cancel := clock.WithTimeout(ctx, s.opts.Clock, s.timeoutOf(t), errTimeout)
	defer cancel()
	r, err := s.guard(ctx, t, call.Input)
	if err != nil && t.acts {
		err = unsure(ctx, err)
	}
	if err != nil {
		said := s.explain(ctx, err)
		if stands(err) {
			said = s.withStanding(ctx, said)
		}
		r.Output = model.ErrorOutput(said)
	}
	s.redact(&r.Output)
	return r
}

// guard turns a panic into an error: a fault in a tool must not take the
// process with it.
func (s *Set) guard(ctx context.Context, t tool, input json.RawMessage) (r Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.opts.Logger.Error("tools: a tool panicked", "tool", t.Name, "panic", s.clean(fmt.Sprint(p)))
			r, err = Result{}, errFault
		}
	}()
	return t.run(ctx, input)
}

func (s *Set) find(name string) (tool, bool) {
	for _, t := range s.tools {
		if t.Name == name {
			return t, true
		}
	}
	return tool{}, false
}

func (s *Set) names() string {
	var all []string
	for _, t := range s.tools {
		all = append(all, t.Name)
	}
	return strings.Join(all, ", ")
}

// OnlyLooks reports whether a tool leaves the page as it is.
func OnlyLooks(name string) bool {
	switch name {
	case snapshotName, findName, extractName, readName, fetchName, searchName, downloadsName, screenshotName, NoteAnswerName, DoneName:
		return true
	}
	return false
}

// errTimeout is the cause with which the context of a call ends.
var errTimeout = errors.New("the tool took too long and was stopped")

var errFault = errors.New("the tool has a fault; try another way")

func failed(format string, args ...any) Result {
	return Result{Output: model.ErrorOutput(fmt.Sprintf(format, args...))}
}

// redact is the second net under an answer that was made of clean pieces.
func (s *Set) redact(out *model.Output) {
	if out.Type == model.OutputText || out.Type == model.OutputErrorText {
		*out = model.Output{Type: out.Type, Value: model.TextOutput(s.opts.Variables.RedactOutput(out.Text())).Value}
	}
}
