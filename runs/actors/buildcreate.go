package actors

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage"
)

// maxBuildCount is the highest count of builds of a version that a number can have.
const maxBuildCount = 99_999

// order is what a build was asked for with. The names of its fields are stored.
type order struct {
	Version                string
	Tag                    string
	UseCache, BetaPackages bool `json:",omitempty"`
	// URL is where the source is fetched; empty where it came with the order.
	URL string `json:",omitempty"`
}

var errNoBuilds = errtypes.New(errtypes.Unavailable, "this host builds no Actors")

// mayBuild returns why nothing is built here.
func (s *service) mayBuild(ctx context.Context) error {
	if s.conf.Builds == nil || s.conf.Workshop == nil {
		return errNoBuilds
	}
	return s.conf.Workshop.Usable(ctx)
}

func (c CreateBuild) validate() error {
	const longest = 1000
	switch {
	case c.Version == "":
		return errtypes.Field("version", "is required")
	case c.Tag != "" && (!tagForm.MatchString(c.Tag) || numberForm.MatchString(c.Tag)):
		return errtypes.Field("tag", "must be at most 30 letters, digits, dots, dashes and underscores, and no number of a build")
	case len(c.Meta.Origin) > longest || len(c.Meta.UserAgent) > longest || len(c.Meta.ClientIP) > longest:
		return errtypes.Field("meta", "must have texts of at most %d bytes", longest)
	}
	return nil
}

func (s *service) Build(ctx context.Context, actor string, c CreateBuild) (_ Build, err error) {
	defer errtypes.Wrap(&err, "actors.Build(%q, %q)", actor, c.Version)
	if err := c.validate(); err != nil {
		return Build{}, err
	}
	if err := s.mayBuild(ctx); err != nil {
		return Build{}, err
	}
	v, row, err := s.stored(ctx, actor, c.Version)
	if err != nil {
		return Build{}, err
	}
	o := order{Version: row.number.String(), Tag: cmp.Or(c.Tag, v.BuildTag), UseCache: c.UseCache, BetaPackages: c.BetaPackages}
	source, err := sourceOf(v, c.Dir, &o)
	if err != nil {
		return Build{}, err
	}
	if source != nil {
		defer source.Close()
	}
	return s.createBuild(ctx, row, o, c.Meta, source)
}

// sourceOf is what a version is built of; nil where the order says where that is.
func sourceOf(v Version, dir string, o *order) (io.ReadCloser, error) {
	switch {
	case dir != "":
		return packDir(dir)
	case v.SourceType == Tarball:
		o.URL = v.TarballURL
		return nil, nil
	}
	packed, err := packFiles(v.Files)
	return io.NopCloser(bytes.NewReader(packed)), err
}

func (s *service) createBuild(ctx context.Context, v versionRow, o order, meta BuildMeta, source io.ReadCloser) (Build, error) {
	request, err := json.Marshal(o)
	if err != nil {
		return Build{}, err
	}
	meta.Origin = cmp.Or(meta.Origin, "API")
	said, err := json.Marshal(meta)
	if err != nil {
		return Build{}, err
	}
	b, err := s.conf.Builds.Create(ctx, builds.Create{
		Kind: builds.Actor, ID: ids.NewShort(), OwnerID: v.actorID, Request: request, Meta: said, Source: source, Timeout: s.conf.Limits.BuildTimeout, Ranked: true,
		Number: func(ctx context.Context, tx *storage.Tx) (int, error) { return numberBuild(ctx, tx, v) },
	})
	return s.buildOf(b), err
}

// numberBuild gives a build of a version its number, while there is the Actor.
func numberBuild(ctx context.Context, tx *storage.Tx, v versionRow) (int, error) {
	there, err := actorIs(ctx, tx, v.actorID)
	if err == nil && !there {
		err = noActor(v.actorID)
	}
	if err != nil {
		return 0, err
	}
	count, err := nextNumber(ctx, tx, v.actorID, v.number)
	if err == nil && count > maxBuildCount {
		err = errtypes.Field("version", "has been built %d times, and no number is left", maxBuildCount)
	}
	return intOf(v.number, count), err
}
