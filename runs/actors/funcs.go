package actors

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/execution"
)

// Handler is the program of a Go Actor. Its context ends with the run, and before a
// reboot or a metamorph; it names the project of the run, for calls of other services.
type Handler func(ctx context.Context, a *Run) error

// FuncOptions configure a Go Actor. The zero value is useful.
type FuncOptions struct {
	// Title and Description are for people: see [Details].
	Title, Description string
	// InputSchema says what the input is: an object in the form of the hosted service's
	// input schemas. Default any input.
	InputSchema json.RawMessage
	// Runs are the options of runs that say nothing else. Default as in [RunOptions], but
	// for Memory, which is 128: the handler works in the memory of the host.
	Runs RunOptions
	// Concurrent is how many runs this process executes at the same time. Default 16.
	Concurrent int
}

// Definition is a Go Actor to be registered. [Func] makes it.
type Definition struct {
	name string
	run  Handler
	o    FuncOptions
}

// Func defines a Go Actor, which every project has under that name: 3 to 57 characters
// of those that names of Actors have. It has one build, which is implied: 0.0.1, tagged
// latest. What is wrong with it is an error when it is registered.
func Func(name string, run Handler, o FuncOptions) Definition {
	return Definition{name, run, o}
}

// maxFuncName leaves room in the kind of a job.
const maxFuncName = 57

// function is a Go Actor that is in order.
type function struct {
	Definition
	details  Details
	executor *execution.Executor[runRow, runEnd]
}

// check reads a definition. Error kind: Invalid, for a field of Options.Actors.
func (s *service) check(d Definition) (*function, error) {
	field := "Actors." + d.name
	d.o.Concurrent = cmp.Or(d.o.Concurrent, 16)
	d.o.Runs.Memory = cmp.Or(d.o.Runs.Memory, minMemory)
	f := &function{Definition: d, details: Details{Title: d.o.Title, Description: d.o.Description, Permissions: LimitedPermissions, Runs: d.o.Runs}}
	switch {
	case validateName(d.name) != nil || len(d.name) > maxFuncName:
		return nil, errtypes.Field("Actors", "must have names of 3 to %d letters of ASCII, digits and dashes, not %q", maxFuncName, d.name)
	case d.run == nil:
		return nil, errtypes.Field(field, "has no handler")
	case d.o.Concurrent < 0:
		return nil, errtypes.Field(field+".Concurrent", "must not be negative")
	}
	if err := f.details.validate(); err != nil {
		return nil, errtypes.Field(field, "is not in order: %s", errtypes.Public(err).Message)
	}
	if _, err := s.schemas.of(d.o.InputSchema); err != nil {
		return nil, errtypes.Field(field+".InputSchema", "is not in order: %s", errtypes.Public(err).Message)
	}
	return f, nil
}

// register registers with the queue what executes the runs of Go Actors.
func (s *service) register(all []Definition) error {
	for _, d := range all {
		f, err := s.check(d)
		if err != nil {
			return err
		}
		key := keyOf(d.name)
		if s.funcs[key] != nil {
			return errtypes.Field("Actors", "has %q twice", d.name)
		}
		s.funcs[key] = f
		f.executor = s.newExecutor(kindOf(key))
		s.conf.Jobs.Register(kindOf(key), f.executor.Work, s.kindOptions(f))
	}
	return nil
}

// registerBuilt registers what executes the runs of built Actors.
func (s *service) registerBuilt() {
	if s.conf.Workshop == nil || s.conf.Builds == nil {
		return
	}
	built := &function{Definition: Definition{o: FuncOptions{Concurrent: s.conf.Limits.Concurrent}}}
	built.executor = s.newExecutor(kindOf(""))
	s.built = built.executor
	s.conf.Jobs.Register(kindOf(""), built.executor.Work, s.kindOptions(built))
}

// kindOf is the kind of the jobs of a Go Actor: a process that has not registered it
// leaves them alone. That of built ones has no name.
func kindOf(program string) string { return "actor/" + program }

// names are those of the Go Actors of this process, in order.
func (s *service) names() (all []string) {
	for name := range s.funcs {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}
