package actors

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// registerBuilds has Actors built here.
func (s *service) registerBuilds() {
	if s.conf.Builds == nil || s.conf.Workshop == nil {
		return
	}
	s.conf.Builds.Register(builds.Actor, builder{s})
	s.conf.Workshop.Needs(func(ctx context.Context, id string) (bool, error) {
		return storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (bool, error) { return needsBuild(ctx, q, id) })
	})
}

// deleteBuilds removes the builds of an Actor that is deleted; those that are not at
// their end are aborted.
func (s *service) deleteBuilds(ctx context.Context, tx *storage.Tx, actorID string) error {
	if s.conf.Builds == nil {
		return nil
	}
	return s.conf.Builds.DeleteAll(ctx, tx, builds.Actor, actorID)
}

func (s *service) AbortBuild(ctx context.Context, id string) (_ Build, err error) {
	defer errtypes.Wrap(&err, "actors.AbortBuild(%q)", id)
	if _, err := s.record(ctx, id); err != nil {
		return Build{}, err
	}
	b, err := s.conf.Builds.Abort(ctx, builds.Actor, id)
	if errtypes.Is(err, errtypes.Conflict) { // it has ended
		return s.GetBuild(ctx, id)
	}
	if err != nil {
		return Build{}, orNoBuild(err, id)
	}
	return s.wholeBuild(ctx, b)
}

func (s *service) DeleteBuild(ctx context.Context, id string) (err error) {
	defer errtypes.Wrap(&err, "actors.DeleteBuild(%q)", id)
	if _, err := s.record(ctx, id); err != nil {
		return err
	}
	err = s.conf.Builds.Delete(ctx, builds.Actor, id, func(ctx context.Context, tx *storage.Tx, b builds.Build) error {
		_, key, err := findMade(ctx, tx, id)
		if err != nil {
			return err
		}
		tx.AfterCommit(func() {
			s.dropBlobs(context.Background(), key)
			if s.conf.Workshop != nil {
				s.conf.Workshop.Drop(id)
			}
		})
		return s.mayDelete(ctx, tx, b)
	})
	if errtypes.Is(err, errtypes.Conflict) {
		return errtypes.OfType(errtypes.TypeDeletingUnfinishedBuild, "The build has not finished yet and cannot be deleted.").WithCause(err)
	}
	return orNoBuild(err, id)
}

// mayDelete refuses to delete the build that an Actor is run with, and one that a run
// executes.
func (s *service) mayDelete(ctx context.Context, tx *storage.Tx, b builds.Build) error {
	used, err := isRun(ctx, tx, b.ProjectID, b.ID)
	if err != nil {
		return err
	}
	if used {
		return errtypes.OfType(errtypes.TypeDeletingUnfinishedBuild, "The build %s is that of a run which has not ended and cannot be deleted.", numberText(b.Number))
	}
	a, err := findActor(ctx, tx, b.ProjectID, selector{id: b.OwnerID})
	if errors.Is(err, storage.ErrNoRow) {
		return nil
	}
	if err != nil {
		return err
	}
	standard, err := resolveBuilt(ctx, tx, a.ID, cmp.Or(a.Runs.Build, latest))
	if err == nil && standard.id == b.ID {
		return errtypes.OfType(errtypes.TypeDeletingDefaultBuild, "The build %s is the default build of the Actor and cannot be deleted.", standard.number)
	}
	if err != nil && !errtypes.Is(err, errtypes.Forbidden) {
		return err
	}
	return nil
}

func (s *service) DefaultBuild(ctx context.Context, actor string) (_ Build, err error) {
	defer errtypes.Wrap(&err, "actors.DefaultBuild(%q)", actor)
	a, err := s.find(ctx, actor)
	if err != nil {
		return Build{}, err
	}
	var found buildRef
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
		found, err = s.resolveBuild(ctx, q, a, cmp.Or(a.Runs.Build, latest))
		return err
	})
	if err != nil {
		return Build{}, err
	}
	return s.GetBuild(ctx, found.id)
}

// readTags fills in the tags of an Actor.
func readTags(ctx context.Context, q storage.Querier, a *Actor) error {
	rows, err := listTags(ctx, q, a.ID)
	a.Tags = make(map[string]Tagged, len(rows))
	if a.Registered {
		a.Tags[latest] = Tagged{BuildID: a.ID, Number: impliedBuild, FinishedAt: a.CreatedAt}
	}
	for _, r := range rows {
		a.Tags[r.tag] = Tagged{BuildID: r.id, Number: numberText(r.number), FinishedAt: storage.Time(r.finished)}
	}
	return err
}

// changeTags has tags of an Actor name other builds, or none.
func changeTags(ctx context.Context, tx *storage.Tx, actorID string, tags map[string]string) error {
	for _, tag := range slices.Sorted(maps.Keys(tags)) {
		id := tags[tag]
		if !tagForm.MatchString(tag) {
			return errtypes.Field("taggedBuilds", "%q must be at most 30 letters, digits, dots, dashes and underscores", tag)
		}
		if id == "" {
			if err := deleteTag(ctx, tx, actorID, tag); err != nil {
				return err
			}
			continue
		}
		b, err := findBuildOf(ctx, tx, actorID, id)
		switch {
		case errors.Is(err, storage.ErrNoRow):
			return errtypes.Field("taggedBuilds", "%q names the build %q, which the Actor does not have", tag, id)
		case err != nil:
			return err
		case b.status != string(builds.Succeeded):
			return errtypes.Field("taggedBuilds", "%q names the build %s, which has not succeeded", tag, numberText(b.number))
		}
		if err := setTag(ctx, tx, actorID, tag, id); err != nil {
			return err
		}
	}
	return nil
}
