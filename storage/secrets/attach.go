package secrets

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

func (s *service) Attach(ctx context.Context, function, secretID string) (err error) {
	defer errtypes.Wrap(&err, "secrets.Attach(%q, %q)", function, secretID)
	return s.change(ctx, function, func(ctx context.Context, tx *storage.Tx, projectID, functionID string) error {
		if _, err := findRow(ctx, tx, projectID, secretID); err != nil {
			if errtypes.Is(orNotFound(err, secretID), errtypes.NotFound) {
				err = errtypes.Field("secretId", "names no secret of the project")
			}
			return err
		}
		return attach(ctx, tx, functionID, secretID, s.conf.Clock.Now())
	})
}

func (s *service) Detach(ctx context.Context, function, secretID string) (err error) {
	defer errtypes.Wrap(&err, "secrets.Detach(%q, %q)", function, secretID)
	return s.change(ctx, function, func(ctx context.Context, tx *storage.Tx, projectID, functionID string) error {
		return detach(ctx, tx, functionID, secretID)
	})
}

// change changes what a function has.
func (s *service) change(ctx context.Context, function string, do func(ctx context.Context, tx *storage.Tx, projectID, functionID string) error) error {
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return err
	}
	id, err := s.conf.Function(ctx, function)
	if err != nil {
		return err
	}
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error { return do(ctx, tx, project.ID, id) })
}

func (s *service) Attached(ctx context.Context, function string, f Filter) (_ Page, err error) {
	defer errtypes.Wrap(&err, "secrets.Attached(%q)", function)
	id, err := s.conf.Function(ctx, function)
	if err != nil {
		return Page{}, err
	}
	return s.page(ctx, f, attachedQuery, "function-secrets", id)
}

func (s *service) Secrets(ctx context.Context, projectID, functionID string) (_ map[string]string, err error) {
	defer errtypes.Wrap(&err, "secrets.Secrets(%q)", functionID)
	var rows []row
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
		rows, err = storage.Collect(ctx, q, scanValue, ofQuery, projectID, functionID)
		return err
	})
	all := make(map[string]string, len(rows))
	for _, r := range rows {
		if err == nil {
			all[r.Name], err = s.open(r)
		}
	}
	if err != nil {
		return nil, err
	}
	return all, nil
}
