package builds

import (
	"context"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

func (s *service) Delete(ctx context.Context, kind Kind, id string, check func(ctx context.Context, tx *storage.Tx, b Build) error) (err error) {
	defer errtypes.Wrap(&err, "builds.Delete(%q)", id)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return err
	}
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		r, err := findBuild(ctx, tx, project.ID, kind, id)
		switch {
		case err != nil:
			return orNotFound(err, id)
		case !r.Status.Final():
			return errtypes.New(errtypes.Conflict, "the build has not ended yet")
		}
		if err := check(ctx, tx, r.Build); err != nil {
			return err
		}
		return s.remove(ctx, tx, r)
	})
}

// remove removes a build that has ended, with its log and its source.
func (s *service) remove(ctx context.Context, tx *storage.Tx, r row) error {
	if err := s.conf.Logs.Delete(ctx, tx, logOf(r.Build).ID()); err != nil {
		return err
	}
	s.dropBlob(tx, r.source)
	return deleteBuild(ctx, tx, r.ID)
}

func (s *service) DeleteAll(ctx context.Context, tx *storage.Tx, kind Kind, ownerID string) (err error) {
	defer errtypes.Wrap(&err, "builds.DeleteAll(%q)", ownerID)
	rows, err := buildsOf(ctx, tx, kind, ownerID)
	for _, r := range rows {
		if err != nil {
			return err
		}
		if !r.Status.Final() {
			r, err = s.executor(kind).Stop(ctx, tx, r.ProjectID, r.ID)
			if errors.Is(err, storage.ErrNoRow) {
				err = nil
			}
		}
		if err == nil && r.Status.Final() {
			err = s.remove(ctx, tx, r)
		}
	}
	return err
}

func buildsOf(ctx context.Context, q storage.Querier, kind Kind, ownerID string) ([]row, error) {
	return storage.Collect(ctx, q, scanRow, `SELECT `+columns+` FROM builds WHERE owner_id = $1 AND kind = $2`, ownerID, string(kind))
}
