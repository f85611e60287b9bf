package actors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/redact"
	"github.com/drover-go/drover/runs/actors/internal/recipe"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/records"
)

// CauseBuild is the code of the cause of builds that made nothing of their source.
const CauseBuild = "BUILD_FAILED"

func buildFailure(format string, args ...any) error {
	return &builds.Failure{Code: CauseBuild, Message: fmt.Sprintf(format, args...)}
}

// failedBuild gives what is wrong with a source the code of Actors.
func failedBuild(err error) error {
	var f *builds.Failure
	if errors.As(err, &f) {
		return &builds.Failure{Code: CauseBuild, Message: f.Message}
	}
	return err
}

// builder builds Actors.
type builder struct{ s *service }

func (b builder) Build(ctx context.Context, j builds.Job) (_ builds.Product, err error) {
	defer func() { err = failedBuild(err) }()
	var o order
	if err := json.Unmarshal(j.Build.Request, &o); err != nil {
		return nil, err
	}
	env, err := b.s.buildEnv(ctx, j.Build.OwnerID, o.Version)
	if err != nil {
		return nil, err
	}
	hide := redact.Secrets(env.secrets)
	w := work{project: j.Build.ProjectID, check: b.s.checkInputSchema, env: env.all, say: func(line string) { j.Log.Append(joblog.System, hide(line)) }, log: func(line string) { j.Log.Append(joblog.Stdout, hide(line)) }}
	w.say("Building version " + o.Version + " as " + numberText(j.Build.Number))
	if o.BetaPackages {
		w.say("No beta versions of packages are chosen here: what package.json and the lock file name is installed")
	}
	source, done, err := b.s.sourceFor(ctx, j, o, w.say)
	if err != nil {
		return nil, err
	}
	defer done()
	w.source = source
	return b.s.produce(ctx, j.Build, o, w)
}

// sourceFor returns the source of a build, which is fetched where that was not done
// before.
func (s *service) sourceFor(ctx context.Context, j builds.Job, o order, say func(string)) (_ io.ReadSeeker, done func(), err error) {
	if j.Source != nil {
		return j.Source, func() {}, nil
	}
	body, err := s.fetchArchive(ctx, o.URL, say)
	if err != nil {
		return nil, nil, err
	}
	defer body.Close()
	kept, err := j.Keep(ctx, body)
	if errtypes.Is(err, errtypes.TooLarge) {
		return nil, nil, buildFailure("the archive of the source: %s", errtypes.Public(err).Message)
	}
	if err != nil && ctx.Err() == nil && body.broken() {
		return nil, nil, buildFailure("the archive of the source could not be fetched: the connection was lost")
	}
	return kept, func() { kept.Close() }, err
}

// produce makes the program and writes down what was made.
func (s *service) produce(ctx context.Context, b builds.Build, o order, w work) (builds.Product, error) {
	var m made
	err := s.conf.Workshop.Make(ctx, b.ID, func(ctx context.Context, p builds.Workplace) (err error) {
		m, err = w.make(ctx, p)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.checkStores(m, w.say)
	text, err := json.Marshal(m)
	p := &product{s: s, id: b.ID, tag: o.Tag}
	if err == nil {
		p.row, p.blob, err = blob.Keep(ctx, s.conf.Blobs, text)
	}
	if err != nil {
		p.Discard()
		return nil, err
	}
	w.say(fmt.Sprintf("The build %s has %d bytes of files; it starts with: %s", numberText(b.Number), m.Size, strings.Join(m.Start, " ")))
	return p, nil
}

// checkInputSchema refuses a schema that no input could be held against, which runs would
// find out else.
func (s *service) checkInputSchema(schema string) error {
	if _, err := s.schemas.of([]byte(schema)); err != nil {
		return buildFailure("Input schema is not valid (%s)", errtypes.Public(err).Message)
	}
	return nil
}

// checkStores says which schemas of stores runs will not have.
func (s *service) checkStores(m made, say func(string)) {
	_, stores := m.said()
	for kind, schema := range map[records.Kind]json.RawMessage{records.Dataset: stores.dataset, records.KeyValueStore: stores.keyValueStore} {
		if err := s.conf.Stores.CheckSchema(kind, schema); err != nil {
			say(fmt.Sprintf("Warning: the schema of the %s is not valid, and counts as none: %s", kind, errtypes.Public(err).Message))
		}
	}
}

// work is the making of a program.
type work struct {
	project string
	source  io.ReadSeeker
	// check refuses an input schema that runs could not be held against.
	check func(schema string) error
	// lock is what was installed when it was made before; nil for the first time.
	lock     []byte
	env      []string
	say, log func(line string)
}

// make makes the program in a place.
func (w work) make(ctx context.Context, p builds.Workplace) (m made, err error) {
	w.say("Unpacking the source")
	left, err := p.Unpack(ctx, w.source, leftAtHome)
	if err != nil {
		return m, err
	}
	for _, name := range left {
		w.say("Left out " + name + ": only files and directories are taken")
	}
	r, err := readRecipe(p.Dir())
	if err != nil {
		return m, err
	}
	for _, note := range r.Notes {
		w.say(note)
	}
	if err := w.check(r.InputSchema); err != nil {
		return m, err
	}
	m = made{Definition: r.Definition, InputSchema: r.InputSchema, Readme: r.Readme, Start: r.Start, Dir: r.Dir, Env: r.Env}
	if m.Lock, err = w.install(ctx, p, r); err != nil {
		return m, err
	}
	if info, err := os.Lstat(filepath.Join(p.Dir(), filepath.FromSlash(r.Dir))); err != nil || !info.IsDir() {
		return m, buildFailure("the WORKDIR %s of the Dockerfile is no directory of the source", r.Dir)
	}
	m.Size, err = sizeOf(p.Dir())
	return m, err
}

func readRecipe(dir string) (recipe.Recipe, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return recipe.Recipe{}, err
	}
	defer root.Close()
	r, err := recipe.Read(root.FS())
	if errtypes.Is(err, errtypes.Invalid) {
		err = buildFailure("%s", errtypes.Public(err).Message)
	}
	return r, err
}

// install installs what the program needs and runs its scripts.
func (w work) install(ctx context.Context, p builds.Workplace, r recipe.Recipe) (lock []byte, err error) {
	if !r.Package {
		w.say("There is no package.json: nothing is installed")
		return nil, nil
	}
	wanted := builds.Wanted{Project: w.project, Lock: w.lock, Omit: r.Omit, Log: w.log}
	if len(r.Scripts) == 0 {
		return p.Install(ctx, wanted)
	}
	wanted.Alone, wanted.Omit = true, nil
	if lock, err = p.Install(ctx, wanted); err != nil {
		return nil, err
	}
	for _, name := range r.Scripts {
		if err := p.Script(ctx, name, w.env, w.log); err != nil {
			return nil, err
		}
	}
	if len(r.Omit) > 0 {
		err = p.Prune(ctx, r.Omit, w.log)
	}
	return lock, err
}

// sizeOf are the bytes of the files in a directory. Links are not followed.
func sizeOf(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}

// product is a program that was made.
type product struct {
	s    *service
	id   string
	tag  string
	row  []byte
	blob string
}

func (p *product) Commit(ctx context.Context, tx *storage.Tx, b builds.Build) (json.RawMessage, error) {
	there, err := actorIs(ctx, tx, b.OwnerID)
	if err != nil {
		return nil, err
	}
	if !there {
		return nil, buildFailure("the Actor was deleted while it was built")
	}
	if err := insertMade(ctx, tx, b.ID, p.row, p.blob); err != nil {
		return nil, err
	}
	return json.RawMessage(`{}`), setTag(ctx, tx, b.OwnerID, p.tag, b.ID)
}

func (p *product) Discard() {
	p.s.conf.Workshop.Drop(p.id)
	p.s.dropBlobs(context.Background(), p.blob)
}

// program is what a build has made, ready to be run. Runs make copies of its
// directory: they may not change it.
type program struct {
	made
	path string
}

// openBuilt returns the program of a build, which is made again where it is gone.
func (s *service) openBuilt(ctx context.Context, projectID, id string) (p program, err error) {
	if s.conf.Workshop == nil {
		return p, errNoBuilds
	}
	if p.made, err = s.madeBy(ctx, id); err != nil {
		return p, err
	}
	if len(p.Start) == 0 {
		return p, buildFailure("the build was deleted")
	}
	p.path, err = s.conf.Workshop.Ready(ctx, id, func(ctx context.Context, at builds.Workplace) error {
		return s.makeAgain(ctx, at, projectID, id, p.Lock)
	})
	return p, err
}

func (s *service) makeAgain(ctx context.Context, at builds.Workplace, projectID, id string, lock []byte) error {
	ctx = projects.With(ctx, projects.Project{ID: projectID})
	b, err := s.conf.Builds.Get(ctx, builds.Actor, id)
	if err != nil {
		return err
	}
	source, err := s.conf.Builds.OpenSource(ctx, builds.Actor, id)
	if err != nil {
		return err
	}
	defer source.Close()
	var o order
	if err := json.Unmarshal(b.Request, &o); err != nil {
		return err
	}
	env, err := s.buildEnv(ctx, b.OwnerID, o.Version)
	if err != nil {
		return err
	}
	nothing := func(string) {}
	_, err = work{project: projectID, source: source, lock: lock, check: func(string) error { return nil }, env: env.all, say: nothing, log: nothing}.make(ctx, at)
	return err
}

// environment is that of a build.
type environment struct {
	all     []string
	secrets map[string]string
}

// buildEnv is the environment of a version, where its builds have it. One that is
// gone has none.
func (s *service) buildEnv(ctx context.Context, actorID, version string) (e environment, err error) {
	at, _ := parseNumber(version)
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		r, err := findVersion(ctx, q, actorID, at)
		if errors.Is(err, storage.ErrNoRow) {
			return nil
		}
		if err != nil {
			return err
		}
		if v, err := s.version(ctx, q, r); err != nil || !v.EnvVarsAtBuild {
			return err
		}
		rows, err := listEnv(ctx, q, actorID, at)
		if err != nil {
			return err
		}
		e, err = s.openEnv(rows)
		return err
	})
	return e, err
}

func (s *service) openEnv(rows []envRow) (e environment, err error) {
	e.secrets = map[string]string{}
	for _, r := range rows {
		if r.sealed != nil {
			plain, err := s.conf.Keys.Open(values.Purpose(r.id), r.sealed)
			if err != nil {
				return e, values.Explain(r.id, err)
			}
			r.value = string(plain)
			e.secrets[r.name] = r.value
		}
		e.all = append(e.all, r.name+"="+r.value)
	}
	return e, nil
}
