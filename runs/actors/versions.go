package actors

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
)

// prepared is a version that is ready to be stored: what is large of it is written.
type prepared struct {
	versionRow
	env []EnvVar
}

// prepare checks a version and writes what is large of it. Who does not store it
// drops its blob.
func (s *service) prepare(ctx context.Context, v Version) (p prepared, err error) {
	if err := v.Validate(); err != nil {
		return p, err
	}
	v = v.withDefaults()
	p.number, _ = parseNumber(v.Number)
	p.env, v.EnvVars, v.Number = v.EnvVars, nil, ""
	size := 0
	for _, f := range v.Files {
		size += len(f.Name) + len(f.Content)
	}
	if size > s.conf.Limits.MaxSource {
		return p, errtypes.OfType(errtypes.TypeVersionsSizeExceeded, "sourceFiles must be at most %d bytes together", s.conf.Limits.MaxSource)
	}
	encoded, err := json.Marshal(v) // the names of the fields are stored
	if err != nil {
		return p, err
	}
	p.source, p.blob, err = blob.Keep(ctx, s.conf.Blobs, encoded)
	return p, err
}

func (s *service) prepareAll(ctx context.Context, all []Version) (ready []prepared, err error) {
	if len(all) > s.conf.Limits.Versions {
		return nil, s.tooManyVersions()
	}
	for _, v := range all {
		p, err := s.prepare(ctx, v)
		if err != nil {
			return nil, s.orDrop(ctx, err, ready...)
		}
		ready = append(ready, p)
	}
	return ready, nil
}

func (s *service) tooManyVersions() error {
	return errtypes.OfType(errtypes.TypeTooManyVersions, "an Actor may have %d versions", s.conf.Limits.Versions)
}

// orDrop drops, after an error, what was prepared in vain.
func (s *service) orDrop(ctx context.Context, err error, all ...prepared) error {
	if err != nil {
		for _, p := range all {
			s.dropBlobs(ctx, p.blob)
		}
	}
	return err
}

// dropBlobs deletes blobs that nothing names any more. One that stays is swept.
func (s *service) dropBlobs(ctx context.Context, keys ...string) {
	for _, key := range keys {
		if key == "" {
			continue
		}
		if err := s.conf.Blobs.Delete(context.WithoutCancel(ctx), key); err != nil {
			s.conf.Logger.Warn("actors: a blob cannot be deleted; it is tried again later", "error", err)
		}
	}
}

// version reads what a row has, without secret values.
func (s *service) version(ctx context.Context, q storage.Querier, r versionRow) (v Version, err error) {
	encoded, err := blob.Kept(ctx, s.conf.Blobs, r.source, r.blob)
	if err != nil {
		return v, err
	}
	if err := json.Unmarshal(encoded, &v); err != nil {
		return v, err
	}
	v.Number = r.number.String()
	env, err := listEnv(ctx, q, r.actorID, r.number)
	for _, e := range env {
		v.EnvVars = append(v.EnvVars, e.variable())
	}
	return v, err
}

// readVersions fills in the versions and the tags of an Actor.
func (s *service) readVersions(ctx context.Context, q storage.Querier, a *Actor) error {
	rows, err := listVersions(ctx, q, a.ID)
	if err != nil {
		return err
	}
	a.Versions = make([]Version, len(rows))
	for i, r := range rows {
		if a.Versions[i], err = s.version(ctx, q, r); err != nil {
			return err
		}
	}
	return readTags(ctx, q, a)
}

func (s *service) putVersions(ctx context.Context, tx *storage.Tx, actorID string, all []prepared) error {
	for _, p := range all {
		if err := s.putVersion(ctx, tx, actorID, p, nil); err != nil {
			return err
		}
	}
	return nil
}

// putVersion adds a version. Secrets without a value take that of the environment
// that was.
func (s *service) putVersion(ctx context.Context, tx *storage.Tx, actorID string, p prepared, was []envRow) error {
	p.actorID = actorID
	fits, err := insertVersion(ctx, tx, p.versionRow, s.conf.Limits.Versions)
	switch {
	case errors.Is(err, storage.ErrConflict):
		return errtypes.OfType(errtypes.TypeVersionAlreadyExists, "the Actor has a version %s already", p.number)
	case err != nil:
		return err
	case !fits:
		return s.tooManyVersions()
	}
	return replaceEnv(ctx, tx, actorID, p.number, s.environment(was, p.env))
}

// replaceVersions puts versions in the place of all that there are, and returns the
// blobs of those.
func (s *service) replaceVersions(ctx context.Context, tx *storage.Tx, actorID string, all []prepared) (former []string, err error) {
	rows, err := listVersions(ctx, tx, actorID)
	if err != nil {
		return nil, err
	}
	was := map[number][]envRow{}
	for _, r := range rows {
		if was[r.number], err = listEnv(ctx, tx, actorID, r.number); err != nil {
			return nil, err
		}
		if _, err := deleteVersion(ctx, tx, actorID, r.number); err != nil {
			return nil, err
		}
		former = append(former, r.blob)
	}
	for _, p := range all {
		if err := s.putVersion(ctx, tx, actorID, p, was[p.number]); err != nil {
			return nil, err
		}
	}
	return former, nil
}

// environment is what is stored of variables: a secret without a value keeps the one
// that it had.
func (s *service) environment(was []envRow, now []EnvVar) []envRow {
	rows := make([]envRow, len(now))
	for i, e := range now {
		rows[i] = sealVariable(s.conf.Keys, e)
		for _, w := range was {
			if e.Secret && e.Value == "" && w.name == e.Name && w.sealed != nil {
				rows[i] = w
			}
		}
	}
	return rows
}

func noVersion(n string) error {
	return errtypes.New(errtypes.NotFound, "the Actor has no version %q", n).WithType(errtypes.TypeRecordNotFound)
}

func (s *service) CreateVersion(ctx context.Context, actor string, v Version) (_ Version, err error) {
	defer errtypes.Wrap(&err, "actors.CreateVersion(%q, %q)", actor, v.Number)
	p, err := s.prepare(ctx, v)
	if err != nil {
		return Version{}, err
	}
	err = s.change(ctx, actor, func(ctx context.Context, tx *storage.Tx, a Actor) error {
		if err := s.putVersion(ctx, tx, a.ID, p, nil); err != nil {
			return err
		}
		return touchActor(ctx, tx, a.ID, s.now())
	})
	if s.orDrop(ctx, err, p) != nil {
		return Version{}, err
	}
	return s.Version(ctx, actor, v.Number)
}

func (s *service) Version(ctx context.Context, actor, n string) (v Version, err error) {
	defer errtypes.Wrap(&err, "actors.Version(%q, %q)", actor, n)
	v, _, err = s.stored(ctx, actor, n)
	return v, err
}

// stored reads a version and the row that it is in.
func (s *service) stored(ctx context.Context, actor, n string) (v Version, r versionRow, err error) {
	at, ok := parseNumber(n)
	if !ok {
		return v, r, noVersion(n)
	}
	project, err := s.current(ctx)
	if err != nil {
		return v, r, err
	}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		a, err := findActor(ctx, q, project.ID, selectorOf(project, actor))
		if err != nil {
			return orNoActor(err, actor)
		}
		if r, err = findVersion(ctx, q, a.ID, at); err != nil {
			if errors.Is(err, storage.ErrNoRow) {
				err = noVersion(n)
			}
			return err
		}
		v, err = s.version(ctx, q, r)
		return err
	})
	return v, r, err
}

// updateTries is how often a change is made again that another one has overtaken.
const updateTries = 10

func (s *service) UpdateVersion(ctx context.Context, actor, n string, change func(v *Version)) (v Version, err error) {
	defer errtypes.Wrap(&err, "actors.UpdateVersion(%q, %q)", actor, n)
	for range updateTries {
		var was versionRow
		if v, was, err = s.stored(ctx, actor, n); err != nil {
			return Version{}, err
		}
		change(&v)
		if v.Number != was.number.String() {
			return Version{}, errtypes.Field("versionNumber", "cannot be changed")
		}
		done, err := s.replace(ctx, was, v)
		if err != nil {
			return Version{}, err
		}
		if done {
			return s.Version(ctx, actor, n)
		}
	}
	return Version{}, errtypes.New(errtypes.Unavailable, "the version is being changed by others; try again")
}

// replace puts a version in the place of one that is still as it was.
func (s *service) replace(ctx context.Context, was versionRow, v Version) (done bool, err error) {
	p, err := s.prepare(ctx, v)
	if err != nil {
		return false, err
	}
	p.actorID, p.revision = was.actorID, was.revision
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if done, err = replaceVersion(ctx, tx, p.versionRow); err != nil || !done {
			return err
		}
		env, err := listEnv(ctx, tx, p.actorID, p.number)
		if err != nil {
			return err
		}
		return errors.Join(replaceEnv(ctx, tx, p.actorID, p.number, s.environment(env, p.env)), touchActor(ctx, tx, p.actorID, s.now()))
	})
	if err != nil || !done {
		s.dropBlobs(ctx, p.blob)
		return false, err
	}
	s.dropBlobs(ctx, was.blob)
	return true, nil
}

func (s *service) DeleteVersion(ctx context.Context, actor, n string) (err error) {
	defer errtypes.Wrap(&err, "actors.DeleteVersion(%q, %q)", actor, n)
	at, ok := parseNumber(n)
	return s.change(ctx, actor, func(ctx context.Context, tx *storage.Tx, a Actor) error {
		done := false
		if ok {
			var err error
			if done, err = deleteVersion(ctx, tx, a.ID, at); err != nil {
				return err
			}
		}
		if !done {
			return noVersion(n)
		}
		return touchActor(ctx, tx, a.ID, s.now())
	})
}
