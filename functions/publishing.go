package functions

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions/internal/publish"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/runs/sessions/settingsjson"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// Publish is a program that is published.
type Publish struct {
	// Entrypoint is the file that defines the functions, relative to the root of the
	// archive.
	Entrypoint string
	// Archive is a tar file in gzip.
	Archive io.Reader
	// Timeout of the build. Default and range: see builds.Create.
	Timeout time.Duration
}

// Built is a function of a published program, with the version that was made.
type Built struct {
	Function Function
	Version  Version
}

// made is what a build has made, as its result says.
type made struct {
	// Bundle is the file that is run.
	Bundle    string
	Functions []Built
}

// BuiltBy returns the functions that a build has made versions of; none unless it
// has SUCCEEDED.
func BuiltBy(b builds.Build) ([]Built, error) {
	m, err := madeBy(b)
	return m.Functions, err
}

func madeBy(b builds.Build) (m made, err error) {
	if b.Result != nil {
		err = json.Unmarshal(b.Result, &m)
	}
	for i := range m.Functions {
		v := &m.Functions[i].Version
		v.Session, v.ParamsSchema = orNone(v.Session), orNone(v.ParamsSchema)
	}
	return m, err
}

// orNone is the inverse of orNull.
func orNone(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// request is a publish as its build keeps it.
type request struct {
	Entrypoint string `json:"entrypoint"`
}

// Entrypoint returns what a build was asked to run.
func Entrypoint(b builds.Build) string {
	var r request
	_ = json.Unmarshal(b.Request, &r)
	return r.Entrypoint
}

func (s *service) Publish(ctx context.Context, in Publish) (_ builds.Build, err error) {
	defer errtypes.Wrap(&err, "functions.Publish")
	if err := s.closing.err(); err != nil {
		return builds.Build{}, err
	}
	if err := s.conf.Programs.usable(ctx); err != nil {
		return builds.Build{}, err
	}
	entry, err := publish.Entry(in.Entrypoint)
	if err != nil {
		return builds.Build{}, err
	}
	said, err := json.Marshal(request{entry})
	if err != nil {
		return builds.Build{}, err
	}
	return s.conf.Builds.Create(ctx, builds.Create{Kind: builds.Function, Request: said, Source: in.Archive, Timeout: in.Timeout})
}

// builder makes published programs.
type builder struct{ s *service }

func (b builder) Build(ctx context.Context, j builds.Job) (_ builds.Product, err error) {
	defer func() { err = orFull(err) }()
	p := b.s.conf.Programs
	if err := p.begin(ctx); err != nil {
		return nil, err
	}
	dir, err := p.fresh()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	log := func(line string) { j.Log.Append(joblog.Stdout, line) }
	prog, err := p.publisher.Build(ctx, publish.Source{Project: j.Build.ProjectID, Archive: j.Source, Entry: Entrypoint(j.Build)}, dir, log)
	if err != nil {
		return nil, err
	}
	out := &product{s: b.s, bundle: filepath.ToSlash(prog.Entrypoint), lock: prog.Lock}
	ctx = projects.With(ctx, projects.Project{ID: j.Build.ProjectID})
	for _, m := range prog.Manifests {
		v, err := b.version(ctx, j.Build, m, log)
		if err != nil {
			return nil, err
		}
		out.made = append(out.made, named{m.Name, v})
	}
	return out, p.keep(dir, built{id: j.Build.ID, bundle: out.bundle})
}

// minTimeout is the least that a published function, or its caller, can ask for.
const minTimeout = time.Minute

// version is what a manifest says of a function. A [*builds.Failure] is what is
// wrong with it.
func (b builder) version(ctx context.Context, build builds.Build, m publish.Manifest, log publish.Log) (v version, err error) {
	for _, r := range b.s.registered {
		if r.function.ProjectID == build.ProjectID && r.name == m.Name {
			return v, hostsOwn(m.Name)
		}
	}
	v.ProjectID, v.BuildID, v.Session, v.ParamsSchema, v.askedAt = build.ProjectID, build.ID, m.Session, m.Params, build.CreatedAt
	v.Timeout = min(b.s.conf.Limits.DefaultTimeout, b.s.conf.Limits.MaxTimeout)
	if m.Session != nil {
		read, err := settingsjson.Decode(m.Session, strictjson.Options{At: "sessionConfig"}, publish.RefusedSettings...)
		if err == nil {
			err = read.Named(b.s.conf.Sessions.Check(ctx, read.Settings))
		}
		if err == nil {
			err = b.s.checkTimeout("sessionConfig.timeout", read.Timeout)
		}
		if errtypes.Is(err, errtypes.Invalid) {
			return v, &builds.Failure{Code: publish.InvalidSession, Message: m.Name + ": " + errtypes.Public(err).Message}
		}
		if err != nil {
			return v, err
		}
		v.Timeout = cmp.Or(read.Timeout, v.Timeout)
		if err := b.s.conceal(&v, read.Settings); err != nil {
			return v, err
		}
	}
	if _, err := b.s.schemas.of(v); err != nil {
		log("Warning: the parameters of " + m.Name + " are not checked, for their schema cannot be: " + errtypes.Public(err).Message)
	}
	return v, nil
}

// conceal takes the passwords of proxies out of what is shown and stored in the clear.
func (s *service) conceal(v *version, settings sessions.Settings) error {
	if !settings.Proxies.Secret() {
		return nil
	}
	if s.conf.Keys == nil {
		return &builds.Failure{Code: publish.InvalidSession, Message: "this host can keep no passwords of proxies; give them with each invocation"}
	}
	clean, err := settingsjson.Encode(sessions.Settings{Proxies: settings.Proxies.Stored()})
	if err != nil {
		return err
	}
	v.private = v.Session
	v.Session, err = merge(v.Session, clean)
	return err
}

// hostsOwn refuses a name.
func hostsOwn(name string) error {
	return &builds.Failure{Code: publish.NoManifests, Message: "the function " + name + " is one of the host's own; choose another name, or delete it"}
}

// checkTimeout checks the time of an invocation among settings; 0 is none.
func (s *service) checkTimeout(field string, d time.Duration) error {
	if d != 0 && (d < minTimeout || d > s.conf.Limits.MaxTimeout) {
		return errtypes.Field(field, "must be from %d to %d seconds", int(minTimeout/time.Second), int(s.conf.Limits.MaxTimeout/time.Second))
	}
	return nil
}

// product is a program that was made.
type product struct {
	s      *service
	bundle string
	lock   []byte // that the build has written; nil for none
	made   []named
}

type named struct {
	name    string
	version version
}

func (p *product) Commit(ctx context.Context, tx *storage.Tx, b builds.Build) (json.RawMessage, error) {
	for _, one := range p.made {
		if err := refuseHostsOwn(ctx, tx, b.ProjectID, one.name); err != nil {
			return nil, err
		}
	}
	m := made{Bundle: p.bundle}
	for _, one := range p.made {
		f, v, err := p.s.newVersion(ctx, tx, Function{ProjectID: b.ProjectID, Name: one.name}, one.version)
		if err != nil {
			return nil, err
		}
		m.Functions = append(m.Functions, Built{f, v.Version})
	}
	if p.lock != nil {
		if err := insertLock(ctx, tx, b.ID, p.lock); err != nil {
			return nil, err
		}
	}
	return json.Marshal(m)
}

// refuseHostsOwn refuses the name of a Go function, which another process may have.
func refuseHostsOwn(ctx context.Context, tx *storage.Tx, projectID, name string) error {
	f, err := findFunctionNamed(ctx, tx, projectID, name)
	if errors.Is(err, storage.ErrNoRow) {
		return nil
	}
	if err != nil {
		return err
	}
	v, err := newestVersion(ctx, tx, f.ID)
	if err == nil && !v.published() {
		err = hostsOwn(name)
	}
	return err
}

func (p *product) Discard() {
	for _, one := range p.made[:min(1, len(p.made))] {
		p.s.conf.Programs.built.Remove(one.version.BuildID)
	}
}

// newVersion makes a version of the function of that name, which is made where
// there is none, the current one.
func (s *service) newVersion(ctx context.Context, tx *storage.Tx, f Function, v version) (Function, version, error) {
	found, err := findFunctionNamed(ctx, tx, f.ProjectID, f.Name)
	switch {
	case err == nil:
		f = found
	case errors.Is(err, storage.ErrNoRow):
		f.ID, f.CreatedAt = cmp.Or(f.ID, ids.New()), s.now()
		err = insertFunction(ctx, tx, f)
	}
	if err != nil {
		return f, v, err
	}
	v.ID, v.FunctionID, v.CreatedAt = ids.New(), f.ID, s.now()
	if v.private != nil {
		v.sealed = s.conf.Keys.Seal(passwords.Purpose(v.ID), v.private)
	}
	insert := s.newRegistered
	if v.published() {
		insert = s.newPublished
	}
	if f, v, err = insert(ctx, tx, f, v); err == nil {
		err = s.prune(ctx, tx, f.ID)
	}
	return f, v, err
}

// newPublished makes a published version the current one, unless one is there that
// was published after it and was built faster.
func (s *service) newPublished(ctx context.Context, tx *storage.Tx, f Function, v version) (Function, version, error) {
	v, err := insertVersion(ctx, tx, v)
	if err != nil {
		return f, v, err
	}
	if latest, err := isLatest(ctx, tx, v); err != nil || !latest {
		return f, v, err
	}
	f, err = setCurrent(ctx, tx, f.ID, v.ID, s.now())
	return f, v, err
}

// newRegistered makes a version of a Go function the current one, and records it.
func (s *service) newRegistered(ctx context.Context, tx *storage.Tx, f Function, v version) (Function, version, error) {
	v.askedAt = v.CreatedAt
	recorded := s.conf.Builds != nil
	if recorded {
		v.BuildID = ids.New()
	}
	v, err := insertVersion(ctx, tx, v)
	if err != nil {
		return f, v, err
	}
	if f, err = setCurrent(ctx, tx, f.ID, v.ID, s.now()); err == nil && recorded {
		err = s.record(ctx, tx, f, v)
	}
	return f, v, err
}

// record notes the registration of a Go function as a build that nobody did.
func (s *service) record(ctx context.Context, tx *storage.Tx, f Function, v version) error {
	said, err := json.Marshal(request{"go:" + f.Name})
	if err != nil {
		return err
	}
	result, err := json.Marshal(made{Functions: []Built{{f, v.Version}}})
	if err != nil {
		return err
	}
	_, err = s.conf.Builds.Record(ctx, tx, builds.Build{ID: v.BuildID, ProjectID: f.ProjectID, Kind: builds.Function, Request: said, Result: result})
	return err
}
