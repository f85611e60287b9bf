package v1

import (
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage/projects"
)

func sessionUpdateIn(status, projectID *string) strictjson.Value {
	return strictjson.Open(strictjson.Fields{
		"status":    strictjson.OneOf(status, "REQUEST_RELEASE"),
		"projectId": strictjson.Text(projectID),
	}, "status")
}

// checkProject refuses a project that is not the caller's.
func (x *exchange) checkProject(ref string) error {
	if p, _ := projects.From(x.R.Context()); ref != "" && !p.Is(ref) {
		return errtypes.New(errtypes.NotFound, "there is no project %q", ref)
	}
	return nil
}

func sessionFilterIn(x *exchange) (f sessions.Filter, err error) {
	q := x.Query()
	f.Status = sessions.Status(q.OneOf("status", each(sessions.Statuses(), func(s sessions.Status) string { return string(s) })...))
	text := q.String("q")
	if err := q.Err(); err != nil || text == "" {
		return f, err
	}
	f.Metadata, err = sessions.ParseQuery(text)
	return f, err
}
