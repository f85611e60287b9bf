package actors

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
)

// buildOf is a build as it is listed.
func (s *service) buildOf(b builds.Build) Build { return s.listed(b, metas{}, s.now()) }

func (s *service) listed(b builds.Build, known metas, now time.Time) Build {
	return Build{
		ID: b.ID, ProjectID: b.ProjectID, ActorID: b.OwnerID, Number: numberText(b.Number), Status: statusOf(b, now), Meta: known.of(b.Meta), StartedAt: b.CreatedAt, FinishedAt: b.EndedAt,
	}
}

// metas are those of a list, of which most are alike, by their JSON.
type metas map[string]BuildMeta

func (all metas) of(text []byte) BuildMeta {
	m, ok := all[string(text)]
	if !ok {
		_ = json.Unmarshal(text, &m) // as it was written here
		all[string(text)] = m
	}
	return m
}

// statusOf says of a build that is being broken off what breaks it off.
func statusOf(b builds.Build, now time.Time) Status {
	switch b.Status {
	case builds.Pending:
		return Ready
	case builds.Succeeded:
		return Succeeded
	case builds.TimedOut:
		return TimedOut
	case builds.Aborted:
		return Aborted
	case builds.Failed:
		return Failed
	}
	switch {
	case b.Stopping:
		return Aborting
	case !now.Before(b.ExpiresAt):
		return TimingOut
	}
	return Running
}

// wholeBuild is a build with all that is known of it.
func (s *service) wholeBuild(ctx context.Context, b builds.Build) (out Build, err error) {
	return storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (Build, error) { return s.BuildOf(ctx, q, b) })
}

func (s *service) BuildOf(ctx context.Context, q storage.Querier, b builds.Build) (out Build, err error) {
	defer errtypes.Wrap(&err, "actors.BuildOf(%q)", b.ID)
	out = s.buildOf(b)
	var o order
	if err := json.Unmarshal(b.Request, &o); err != nil {
		return out, err
	}
	out.Options = BuildOptions{
		Tag: o.Tag, UseCache: o.UseCache, BetaPackages: o.BetaPackages, Timeout: b.ExpiresAt.Sub(b.CreatedAt),
	}
	if s.conf.Workshop != nil {
		out.Options.Memory = int(s.conf.Workshop.Memory() >> 20)
	}
	if b.Cause != nil {
		out.Message = b.Cause.Message
	}
	if !b.StartedAt.IsZero() && !b.EndedAt.IsZero() {
		out.Stats.Duration = b.EndedAt.Sub(b.StartedAt)
	}
	if b.Status != builds.Succeeded {
		return out, nil
	}
	m, err := s.readMade(ctx, q, b.ID)
	out.Stats.Size, out.Definition, out.InputSchema, out.Readme = m.Size, m.Definition, m.InputSchema, m.Readme
	return out, err
}

// made is what a build has made. The names of its fields are stored.
type made struct {
	Definition  json.RawMessage `json:",omitempty"`
	InputSchema string          `json:",omitempty"`
	Readme      string          `json:",omitempty"`
	Start       []string
	Dir         string
	Env         []string `json:",omitempty"`
	// Lock is the lock file that npm has written for a source without one.
	Lock []byte `json:",omitempty"`
	Size int64
}

// storeSchemas are those of the default stores of runs; nil for none.
type storeSchemas struct{ dataset, keyValueStore json.RawMessage }

// said is what the definition of the Actor says of its runs: what they take, in MB, 0
// where it says nothing that can be honoured, such as an expression, and the schemas of
// their stores.
func (m made) said() (memory int, stores storeSchemas) {
	var d struct {
		Memory   json.RawMessage `json:"defaultMemoryMbytes"`
		Storages struct {
			Dataset, KeyValueStore json.RawMessage
			Datasets               map[string]json.RawMessage
		}
	}
	if len(m.Definition) == 0 || json.Unmarshal(m.Definition, &d) != nil {
		return 0, stores
	}
	if json.Unmarshal(d.Memory, &memory) != nil || (RunOptions{Memory: memory}).Validate() != nil {
		memory = 0
	}
	stores = storeSchemas{objectOrNil(d.Storages.Dataset), objectOrNil(d.Storages.KeyValueStore)}
	if stores.dataset == nil {
		stores.dataset = objectOrNil(d.Storages.Datasets["default"])
	}
	return memory, stores
}

func objectOrNil(value json.RawMessage) json.RawMessage {
	if first(value) != '{' {
		return nil
	}
	return value
}

func (s *service) Definition(ctx context.Context, q storage.Querier, build string) (_ json.RawMessage, err error) {
	defer errtypes.Wrap(&err, "actors.Definition(%q)", build)
	m, err := s.readMade(ctx, q, build)
	return m.Definition, err
}

func (s *service) madeBy(ctx context.Context, id string) (m made, err error) {
	return storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (made, error) { return s.readMade(ctx, q, id) })
}

// readMade is what a build has made; nothing where there is none.
func (s *service) readMade(ctx context.Context, q storage.Querier, id string) (m made, err error) {
	row, key, err := findMade(ctx, q, id)
	if err != nil || len(row) == 0 && key == "" {
		return m, err
	}
	text, err := blob.Kept(ctx, s.conf.Blobs, row, key)
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(text, &m)
}

func orNoBuild(err error, id string) error {
	if errtypes.Is(err, errtypes.NotFound) {
		return errtypes.New(errtypes.NotFound, "there is no build %q", id).WithType(errtypes.TypeRecordNotFound).WithCause(err)
	}
	return err
}

// record returns the record of a build.
func (s *service) record(ctx context.Context, id string) (builds.Build, error) {
	if s.conf.Builds == nil {
		return builds.Build{}, orNoBuild(errtypes.New(errtypes.NotFound, "this host has no builds"), id)
	}
	b, err := s.conf.Builds.Get(ctx, builds.Actor, id)
	return b, orNoBuild(err, id)
}

func (s *service) GetBuild(ctx context.Context, id string) (_ Build, err error) {
	defer errtypes.Wrap(&err, "actors.GetBuild(%q)", id)
	b, err := s.record(ctx, id)
	if errtypes.Is(err, errtypes.NotFound) {
		return s.impliedBuildOf(ctx, id, err)
	}
	if err != nil {
		return Build{}, err
	}
	return s.wholeBuild(ctx, b)
}

// impliedBuildOf is the one build of a Go Actor, which has the id of that; else the
// error.
func (s *service) impliedBuildOf(ctx context.Context, id string, otherwise error) (Build, error) {
	a, err := s.find(ctx, id)
	switch {
	case errtypes.Is(err, errtypes.NotFound), err == nil && (!a.Registered || a.ID != id):
		return Build{}, otherwise
	case err != nil:
		return Build{}, err
	}
	b := Build{
		ID: a.ID, ProjectID: a.ProjectID, ActorID: a.ID, Number: impliedBuild, Status: Succeeded, Meta: BuildMeta{Origin: "API"}, StartedAt: a.CreatedAt, FinishedAt: a.CreatedAt,
		Options: BuildOptions{Tag: latest},
	}
	if f := s.funcs[keyOf(a.Name)]; f != nil { // else another process has it
		b.InputSchema = string(f.o.InputSchema)
	}
	return b, nil
}

// errBuildWaited ends the waiting for a build, and not that of its caller.
var errBuildWaited = errors.New("actors: the time to wait is over")

func (s *service) WaitBuild(ctx context.Context, id string, most time.Duration) (_ Build, err error) {
	defer errtypes.Wrap(&err, "actors.WaitBuild(%q)", id)
	b, err := s.record(ctx, id)
	if errtypes.Is(err, errtypes.NotFound) {
		return s.impliedBuildOf(ctx, id, err)
	}
	if err != nil {
		return Build{}, err
	}
	if !b.Status.Final() && most != 0 {
		within, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		if most > 0 {
			defer s.conf.Clock.AfterFunc(most, func() { cancel(errBuildWaited) }).Stop()
		}
		_, err = s.conf.Builds.Wait(within, builds.Actor, id)
		if err != nil && !errors.Is(context.Cause(within), errBuildWaited) {
			return Build{}, orNoBuild(err, id)
		}
	}
	return s.GetBuild(ctx, id)
}

func (s *service) ListBuilds(ctx context.Context, actor string, f Filter) (l List[Build], err error) {
	defer errtypes.Wrap(&err, "actors.ListBuilds(%q)", actor)
	if f, err = f.checked(); err != nil {
		return l, err
	}
	page := builds.PageFilter{Offset: f.Offset, Limit: f.Limit, Desc: f.Desc}
	if actor != "" {
		a, err := s.find(ctx, actor)
		if err != nil {
			return l, err
		}
		page.OwnerID = a.ID
	}
	var found builds.List
	if s.conf.Builds != nil {
		if found, err = s.conf.Builds.Page(ctx, page); err != nil {
			return l, err
		}
	}
	l = List[Build]{Items: make([]Build, 0, len(found.Builds)), Total: found.Total}
	known, now := metas{}, s.now()
	for _, b := range found.Builds {
		l.Items = append(l.Items, s.listed(b, known, now))
	}
	return l, nil
}

// find returns an Actor of the caller's project without its versions.
func (s *service) find(ctx context.Context, ref string) (a Actor, err error) {
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return a, err
	}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
		a, err = findActor(ctx, q, project.ID, selectorOf(project, ref))
		return orNoActor(err, ref)
	})
	return a, err
}

func (s *service) BuildLog(ctx context.Context, id string, follow bool) iter.Seq2[builds.LogEntry, error] {
	return func(yield func(builds.LogEntry, error) bool) {
		if _, err := s.record(ctx, id); err != nil {
			yield(builds.LogEntry{}, err)
			return
		}
		if follow {
			s.conf.Builds.Follow(ctx, builds.Actor, id)(yield)
			return
		}
		all, err := s.conf.Builds.Logs(ctx, builds.Actor, id)
		for _, e := range all {
			if !yield(e, nil) {
				return
			}
		}
		if err != nil {
			yield(builds.LogEntry{}, err)
		}
	}
}
