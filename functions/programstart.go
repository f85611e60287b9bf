package functions

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/internal/child"
)

// copyDir is where the copy of a program lies in the directory of its process.
const copyDir = "program"

func (w workshop) Start(ctx context.Context, r builds.Run) (_ *child.Process, err error) {
	defer func() { err = orFull(err) }()
	if err := w.p.begin(ctx); err != nil {
		return nil, err
	}
	dir := w.p.built.Path(r.ID)
	user, release, err := w.p.isolation.toRun(dir)
	if err != nil {
		return nil, err
	}
	s := w.p.spec(r)
	s.User = user
	names := strings.NewReplacer()
	s.Prepare = func(home string, s *child.Spec) error {
		at := filepath.Join(home, copyDir)
		names = strings.NewReplacer(at+string(filepath.Separator), "", dir+string(filepath.Separator), "")
		if err := copyProgram(ctx, dir, at); err != nil {
			return err
		}
		return w.p.command(r, at, s)
	}
	if r.Output != nil {
		s.Output = func(l child.Line) {
			l.Text = names.Replace(l.Text)
			r.Output(l)
		}
	}
	p, err := w.p.conf.Children.Start(s)
	if err != nil {
		release()
		return nil, err
	}
	w.p.lent.Go(func() {
		<-p.Done()
		release()
	})
	return p, nil
}

// spec is what all processes of programs of other kinds have in common with each other.
func (p *Programs) spec(r builds.Run) child.Spec {
	c := p.conf
	return child.Spec{
		Path: p.tools.Node, Env: slices.Clone(r.Env), Wrapper: c.Isolation.Sandbox, Grace: r.Grace, OutputLimits: child.OutputLimits{Total: -1},
		Limits:   child.Limits{Memory: r.Memory, CPUs: c.ProcessCPUs, Processes: c.ProcessChildren, Disk: c.ProcessDisk, FileSize: c.FileSize},
		Measured: p.used(r.ID),
	}
}

// used notes now and then that a program is used, whose dependencies a copy of it is
// linked to: what is used is not removed for others.
func (p *Programs) used(id string) func(child.Usage) {
	const often = time.Minute
	next := p.conf.Clock.Now().Add(often)
	return func(child.Usage) {
		if now := p.conf.Clock.Now(); now.After(next) {
			next = now.Add(often)
			p.whole(built{id: id, bundle: "."})
		}
	}
}

// command says what is started in a copy of a program, and where.
func (p *Programs) command(r builds.Run, at string, s *child.Spec) error {
	s.Dir = filepath.Join(at, filepath.FromSlash(r.Dir))
	places := []string{filepath.Join(at, modulesDir, ".bin"), filepath.Dir(p.tools.Node), "/usr/local/bin", "/usr/bin", "/bin"}
	if !slices.ContainsFunc(s.Env, func(e string) bool { return strings.HasPrefix(e, "PATH=") }) {
		s.Env = append(s.Env, "PATH="+strings.Join(places, string(os.PathListSeparator)))
	}
	name, args := r.Command[0], r.Command[1:]
	switch {
	case name == "node":
		s.Path, s.Args = p.tools.Node, args
	case name == "npm" && p.tools.Npm != "":
		s.Path, s.Args = p.tools.Node, append([]string{p.tools.Npm}, args...)
	case name == "npx" && p.tools.Npm != "":
		s.Path, s.Args = p.tools.Node, append([]string{filepath.Join(filepath.Dir(p.tools.Npm), "npx-cli.js")}, args...)
	case filepath.IsAbs(name):
		s.Path, s.Args = existing(name), args
	case strings.ContainsRune(name, '/'):
		s.Path, s.Args = existing(filepath.Join(s.Dir, filepath.FromSlash(name))), args
	default:
		s.Path, s.Args = "", args
		for _, place := range places {
			s.Path = cmp.Or(s.Path, existing(filepath.Join(place, name)))
		}
	}
	if s.Path == "" {
		return &builds.Failure{Message: "there is no " + name + " to start it with on this host"}
	}
	return nil
}

// existing is a path of a file that is there, else empty.
func existing(path string) string {
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return ""
	}
	return path
}
