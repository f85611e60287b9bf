package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/schema"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/tools"
)

// Tool is a tool of the host's, which agents have beside those of Drover. [NewTool]
// makes one of a Go function.
type Tool struct {
	// Name is a letter and up to 63 letters, digits, _ and -, and not that of
	// another tool. Required.
	Name string
	// Description tells the model what it does and when to use it. Required; at most
	// 8 KiB.
	Description string
	// Input is the JSON Schema of the input, an object. A call whose input does not
	// fit is an error for the model that names the place, and is not made. Required.
	Input json.RawMessage
	// Call does it. The input is valid, with placeholders where values of variables
	// would go. What it returns is a text, or marshals to JSON; the model sees it
	// without the values of variables, and cut to Limits.MaxOutput. The text of its
	// error is for the model, too; one of kind Invalid says that nothing was done.
	// A panic is an error. The context is of the run's project, and ends with the
	// run or after Timeout: a Call that goes on for longer than a second then is left
	// behind. Required.
	Call func(ctx context.Context, c ToolContext, input json.RawMessage) (any, error)
	// ReadOnly says that a call changes nothing: that it failed then means that
	// nothing was done. Default false.
	ReadOnly bool
	// Trusted says that what it returns are the host's own words. Default false: the
	// model is told that they are data and no instruction, as it is of pages.
	Trusted bool
	// Timeout bounds a call. Default Limits.ToolTimeout.
	Timeout time.Duration
	// For says which runs have it. It is asked when a run begins. Default all.
	For func(r Run) bool

	fault error // of its type
}

// ToolContext is what a tool of the host's knows of the call.
type ToolContext struct {
	// RunID and AgentID are those of the run; AgentID is empty where it has none.
	RunID, AgentID, ProjectID string
	// Step counts from 1.
	Step int
	// Logger is for what the call is to say. Values of variables do not belong there.
	Logger *slog.Logger

	browser *toolBrowser
}

// Browser returns the session of the run, opening it if it has none yet. It is good
// until the call ends, and the run's to close. An answer of a tool that has asked for
// it has the page behind it, as it is then. Error kinds: those of sessions.Service;
// Gone when the call is over. An error ends the run.
func (c ToolContext) Browser() (browser.Session, error) { return c.browser.get() }

// NewTool returns a tool of a function. The schema of its input is that of In, a
// struct: fields are named by their json tags and described by their jsonschema tags;
// one with omitempty or omitzero is optional. A type without a schema is an error when
// the Drover is opened. Fields of what it returns may be changed.
func NewTool[In any](name, description string, call func(ctx context.Context, c ToolContext, in In) (any, error)) Tool {
	input, err := schema.For[In]()
	t := Tool{Name: name, Description: description, Input: input, fault: err}
	if call != nil {
		t.Call = func(ctx context.Context, c ToolContext, raw json.RawMessage) (any, error) {
			var in In
			if err := json.Unmarshal(raw, &in); err != nil {
				return nil, errtypes.New(errtypes.Invalid, "input: %s", err)
			}
			return call(ctx, c, in)
		}
	}
	return t
}

// hostTool is one that was checked.
type hostTool struct {
	Tool
	schema *schema.Schema
}

var toolName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]{0,63}$`)

// maxToolDescription bounds a description, in bytes.
const maxToolDescription = 8 << 10

// readTools checks the tools of a host. Error kind Invalid, which names the field.
func readTools(all []Tool) (read []hostTool, err error) {
	taken := tools.BuiltIn()
	for i, t := range all {
		h, err := readTool(fmt.Sprintf("Tools[%d]", i), t)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(taken, func(name string) bool { return strings.EqualFold(name, t.Name) }) {
			return nil, errtypes.Field(fmt.Sprintf("Tools[%d].Name", i), "is that of another tool: %q", t.Name)
		}
		taken = append(taken, t.Name)
		read = append(read, h)
	}
	return read, nil
}

func readTool(field string, t Tool) (hostTool, error) {
	switch {
	case !toolName.MatchString(t.Name):
		return hostTool{}, errtypes.Field(field+".Name", "must be a letter and up to 63 letters, digits, _ and -; it is %.100q", t.Name)
	case t.fault != nil:
		return hostTool{}, errtypes.Field(field+".Input", "cannot be had of its type: %s", t.fault)
	case t.Description == "" || len(t.Description) > maxToolDescription:
		return hostTool{}, errtypes.Field(field+".Description", "must be 1 to %d bytes", maxToolDescription)
	case t.Call == nil:
		return hostTool{}, errtypes.Field(field+".Call", "is required")
	case t.Timeout < 0:
		return hostTool{}, errtypes.Field(field+".Timeout", "must not be below 0; it is %v", t.Timeout)
	}
	compiled, err := schema.Compile(t.Input, schema.Options{Field: field + ".Input"})
	if err != nil {
		return hostTool{}, err
	}
	var root struct{ Type string }
	if json.Unmarshal(t.Input, &root) != nil || root.Type != "object" {
		return hostTool{}, errtypes.Field(field+".Input", `must have the type "object"`)
	}
	return hostTool{t, compiled}, nil
}

// ownTools are the tools of the host that the run has.
func (x *activeRun) ownTools() (all []tools.Own) {
	for _, t := range x.hostTools {
		if t.For == nil || t.For(x.Run) {
			all = append(all, x.ownTool(t))
		}
	}
	return all
}

func (x *activeRun) ownTool(t hostTool) tools.Own {
	return tools.Own{
		Tool: model.Tool{Name: t.Name, Description: t.Description, Input: t.Input},
		Acts: !t.ReadOnly, Timeout: t.Timeout,
		Validate: func(raw json.RawMessage) error {
			_, err := t.schema.ValidateJSON(raw)
			return unfit(err)
		},
		Call: func(ctx context.Context, raw json.RawMessage) (tools.OwnAnswer, error) {
			return x.callHost(ctx, t, raw)
		},
	}
}

// unfit is why an input does not fit its schema, in words for the model.
func unfit(err error) error {
	if m, ok := errors.AsType[*schema.Mismatch](err); ok {
		return errors.New(m.Text())
	}
	if err != nil {
		return errtypes.Public(err)
	}
	return nil
}
