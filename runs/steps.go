package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/internal/secrets"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/plain"
	"github.com/drover-go/drover/storage"
)

// Steps is a run as written steps, which the built-in model follows: the same
// again, without a language model. docs/plain-tasks.md says how they are made.
type Steps struct {
	// Task is for [Create.Task]: one step a line, placeholders as they were. A line
	// that begins with TODO is what could not be said, and refused when the task is
	// run: nothing is done of a task with a gap.
	Task string
	// ResultSchema is for [Create.ResultSchema]; nil for none. Where the run had none
	// it is made of its result, unless the words of the last step return the same.
	ResultSchema json.RawMessage
	// Variables are the names of those that the task needs, sorted.
	Variables []string
}

// Steps implements [Service].
func (s *service) Steps(ctx context.Context, id string) (_ Steps, err error) {
	defer errtypes.Wrap(&err, "runs.Steps(%q)", id)
	r, messages, err := s.whole(ctx, id)
	if err != nil {
		return Steps{}, err
	}
	if r.Status != Completed {
		return Steps{}, errtypes.New(errtypes.Conflict, "run %s is no example to follow: it is %s%s", id, r.Status, r.Cause.suffix())
	}
	exported := plain.Export(plain.Transcript{Messages: allAsMade(messages), Result: r.Result, ResultSchema: r.schema()})
	steps := Steps{Task: exported.Task, ResultSchema: exported.ResultSchema}
	for _, v := range r.variables {
		if strings.Contains(exported.Task, secrets.Placeholder(v.Name)) {
			steps.Variables = append(steps.Variables, v.Name)
		}
	}
	return steps, unsaid(exported.Unsaid)
}

// whole is a run of the caller's project with all its messages, of the same
// moment.
func (s *service) whole(ctx context.Context, id string) (r row, messages []model.Message, err error) {
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return row{}, nil, err
	}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		if _, err := findRun(ctx, q, project.ID, id); err != nil {
			return err
		}
		if r, err = findRow(ctx, q, id); err != nil {
			return err
		}
		all, err := listMessages(ctx, q, id, "", math.MaxInt32)
		for _, m := range all {
			messages = append(messages, m.Message)
		}
		return err
	})
	return r, messages, orNotFound(err, id)
}

// maxUnsaid is how many gaps an error names.
const maxUnsaid = 20

func unsaid(all []plain.Unsaid) error {
	if len(all) == 0 {
		return nil
	}
	var each []string
	for _, u := range all[:min(len(all), maxUnsaid)] {
		each = append(each, u.String())
	}
	if more := len(all) - len(each); more > 0 {
		each = append(each, fmt.Sprintf("and %d more", more))
	}
	return errtypes.New(errtypes.Conflict, "not all of the run can be said in steps: %s", strings.Join(each, "; "))
}
