package functions

import (
	"context"
	"time"

	"github.com/drover-go/drover/storage"
)

// prune deletes the versions of a function beyond those that are kept.
func (s *service) prune(ctx context.Context, tx *storage.Tx, functionID string) error {
	gone, err := deleteUnwanted(ctx, tx, functionID, s.conf.Limits.MaxVersions)
	if err != nil {
		return err
	}
	return s.deletedVersions(ctx, tx, gone)
}

// pruneBefore deletes versions that were made at that time or before and have become
// unwanted without a newer one: the last invocation that used them has ended, or the
// host keeps fewer.
func (s *service) pruneBefore(ctx context.Context, before time.Time) (n int, err error) {
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		gone, err := deleteUnwantedBefore(ctx, tx, before, s.conf.Limits.MaxVersions, retainBatch)
		if n = len(gone); err != nil {
			return err
		}
		return s.deletedVersions(ctx, tx, gone)
	})
	return n, err
}

// deletedVersions has all go with versions that were needed for them alone.
func (s *service) deletedVersions(ctx context.Context, tx *storage.Tx, gone []deleted) error {
	asked := map[string]bool{}
	for _, v := range gone {
		tx.AfterCommit(func() { s.conf.Programs.dropVersion(v.id) })
		if asked[v.build] {
			continue
		}
		asked[v.build] = true
		if err := s.releaseBuild(ctx, tx, v.build); err != nil {
			return err
		}
	}
	return nil
}

// releaseBuild lets go of a build whose versions are gone, with its archive and its
// files, unless an invocation uses it that has not ended: that asks again.
func (s *service) releaseBuild(ctx context.Context, tx *storage.Tx, buildID string) error {
	if buildID == "" || s.conf.Builds == nil {
		return nil
	}
	used, err := usesBuild(ctx, tx, buildID)
	if used || err != nil {
		return err
	}
	tx.AfterCommit(func() { s.conf.Programs.drop(buildID) })
	return s.conf.Builds.Release(ctx, tx, buildID)
}
