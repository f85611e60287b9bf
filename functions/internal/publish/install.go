package publish

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/child"
)

// The lock files that are known.
const (
	npmLock    = "package-lock.json"
	shrinkwrap = "npm-shrinkwrap.json"
	pnpmLock   = "pnpm-lock.yaml"
	manifestOf = "package.json"

	pnpmWorkspace = "pnpm-workspace.yaml"
)

// Wanted says what is installed of what a program depends on.
type Wanted struct {
	// Project is whose program it is.
	Project string
	// Lock is what an earlier installation returned; nil for none.
	Lock []byte
	// Omit are kinds of dependencies that are left out: dev, optional or peer.
	Omit []string
	// Alone has them installed into the directory of the program, for that to change
	// them, and not shared with others.
	Alone bool
}

// Install puts what a program depends on into its directory. It returns the lock
// file that npm has written where there was none.
func (p *Publisher) Install(ctx context.Context, w Wanted, dir string, log Log) (lock []byte, err error) {
	manifest, err := optional(dir, manifestOf, maxSettings)
	if err != nil {
		return nil, err
	}
	if manifest == nil {
		log("There is no package.json: nothing is installed")
		return nil, nil
	}
	settings, err := readRC(dir, log)
	if err != nil {
		return nil, err
	}
	how, err := p.howToWith(w, dir)
	switch {
	case err != nil:
		return nil, err
	case how.lock == "":
		log("Warning: " + how.warning)
		if err := p.run(ctx, dir, how, log); err != nil {
			return nil, err
		}
		return generated(dir)
	case w.Alone || !shareable(dir, manifest, how):
		return nil, p.run(ctx, dir, how, log)
	}
	files := map[string][]byte{manifestOf: manifest, how.lock: how.content}
	if settings != nil {
		files[rcFile] = settings
	}
	return nil, p.deps.link(ctx, p.key(how, files, w.Project), dir, log, func(into string) error {
		for name, content := range files {
			if err := os.WriteFile(filepath.Join(into, name), content, 0o644); err != nil {
				return err
			}
		}
		return p.run(ctx, into, how, log)
	})
}

// installer is how the dependencies of a program are installed.
type installer struct {
	// lock is the name of the lock file; empty for none, and warning says why.
	lock, warning string
	// lacking is what this host should have had for it; empty for nothing.
	lacking string
	content []byte
	program string
	args    []string
}

// scripts are whether packages may run theirs.
func (p *Publisher) scripts() string {
	if p.conf.Scripts {
		return "--no-ignore-scripts"
	}
	return "--ignore-scripts"
}

// omitted are arguments of npm's, which leaves out what is needed to develop a program
// by itself.
func omitted(omit []string) (args []string) {
	for _, kind := range omit {
		args = append(args, "--omit="+kind)
	}
	if !slices.Contains(omit, "dev") {
		args = append(args, "--include=dev")
	}
	return args
}

// howToWith is howTo with the lock file of an earlier installation, where there is none.
func (p *Publisher) howToWith(w Wanted, dir string) (installer, error) {
	how, err := p.howTo(dir, w.Omit)
	if err != nil {
		return how, err
	}
	if how.lock == pnpmLock {
		workspace, err := optional(dir, pnpmWorkspace, maxSettings)
		if err == nil && fillsIn(workspace) {
			err = failed(NoManifests, "installing: %s: variables of the environment are not filled in", pnpmWorkspace)
		}
		return how, err
	}
	if how.lock != "" || w.Lock == nil {
		return how, nil
	}
	if err := os.WriteFile(filepath.Join(dir, npmLock), w.Lock, 0o644); err != nil {
		return how, err
	}
	return p.howTo(dir, w.Omit)
}

// howTo chooses by the lock file that there is.
func (p *Publisher) howTo(dir string, omit []string) (how installer, err error) {
	npm := append([]string{"--no-audit", "--no-fund", p.scripts()}, omitted(omit)...)
	for _, name := range []string{npmLock, shrinkwrap} {
		if content, err := optional(dir, name, maxLock); content != nil || err != nil {
			return installer{lock: name, content: content, program: p.conf.Npm, args: append([]string{"ci"}, npm...)}, err
		}
	}
	none := installer{warning: `there is no lock file: npm chooses the versions, and all packages are installed anew for each build; "npm install --package-lock-only" makes one`, program: p.conf.Npm, args: append([]string{"install", "--package-lock"}, npm...)}
	content, err := optional(dir, pnpmLock, maxLock)
	switch {
	case content == nil || err != nil:
		return none, err
	case p.conf.Pnpm == "":
		none.warning, none.lacking = "there is a pnpm-lock.yaml and no pnpm on this host: npm chooses the versions", "pnpm, whose lock file there is"
		return none, nil
	}
	return installer{lock: pnpmLock, content: content, program: p.conf.Pnpm, args: p.pnpm(omit)}, nil
}

// pnpm are the arguments of the pnpm that there is: it would fetch another one, or
// refuse, where package.json says so. What may run scripts it would want to be told one
// by one.
func (p *Publisher) pnpm(omit []string) []string {
	args := []string{"install", "--frozen-lockfile"}
	if slices.Contains(omit, "dev") {
		args = append(args, "--prod")
	} else {
		args = append(args, "--prod=false")
	}
	if slices.Contains(omit, "optional") {
		args = append(args, "--no-optional")
	}
	args = append(args, "--node-linker=hoisted", p.scripts(), "--config.manage-package-manager-versions=false", "--config.package-manager-strict=false")
	if p.conf.Scripts {
		return append(args, "--config.dangerously-allow-all-builds=true")
	}
	return append(args, "--ignore-pnpmfile") // which is one
}

// maxSettings are the most bytes of a file that the host itself reads and that says how a
// program is installed. What compresses to nothing in an archive would take gigabytes of
// its memory.
const maxSettings = 4 << 20

// optional reads a file of a program, which may not be too large. Nil is that there is
// none.
func optional(dir, name string, most int64) ([]byte, error) {
	content, err := regular(dir, name, most)
	if int64(len(content)) > most {
		return nil, failed(NoManifests, "installing: %s has more than %d bytes", name, most)
	}
	return content, err
}

// run runs an installer in a directory.
func (p *Publisher) run(ctx context.Context, dir string, how installer, log Log) error {
	if how.program == "" {
		return errtypes.New(errtypes.Unavailable, "there is no npm on this host")
	}
	name := filepath.Base(how.program)
	log("Installing dependencies: " + strings.TrimSuffix(strings.TrimSuffix(name, filepath.Ext(name)), "-cli") + " " + strings.Join(how.args, " "))
	said := speech{log: log, dir: dir, problem: installProblem}
	end, err := p.child(ctx, child.Spec{
		Path: p.conf.Node, Args: append([]string{how.program}, how.args...), Dir: dir, Env: p.installing("NODE_ENV=production"), Output: said.hear,
	})
	switch {
	case err != nil:
		return err
	case said.full: // of half a package npm only warns
		return fmt.Errorf("publish: the installer has told of a full disk: %w", syscall.ENOSPC)
	case end.OK():
		return nil
	}
	why := said.why(end)
	if how.lacking != "" {
		why += "; this host lacks " + how.lacking
	}
	return failed(NoManifests, "installing: %s", why)
}

// installing is the environment of an installer.
func (p *Publisher) installing(more ...string) []string {
	return append(p.env(append(more, "npm_config_update_notifier=false", "npm_config_logs_max=0", cacheVariable+filepath.Join(p.conf.Dependencies, ".cache"))...),
		child.Inherit("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "npm_config_registry", "NODE_EXTRA_CA_CERTS")...)
}

// cacheVariable says where npm keeps what it has downloaded. Default its home.
const cacheVariable = "npm_config_cache="

// env is the environment of every process of a build.
func (p *Publisher) env(more ...string) []string {
	return append([]string{"PATH=" + filepath.Dir(p.conf.Node) + ":/usr/local/bin:/usr/bin:/bin", "CI=true", "LANG=C.UTF-8"}, more...)
}

// child runs a process to its end, or until ctx ends.
func (p *Publisher) child(ctx context.Context, s child.Spec) (_ child.End, err error) {
	user, takeBack, err := p.conf.User(s.Dir)
	if err != nil {
		return child.End{}, err
	}
	defer func() { err = errors.Join(err, takeBack()) }()
	s.User, s.Wrapper = user, p.conf.Wrapper
	if user != nil { // what others have left in a cache is theirs
		s.Env = slices.DeleteFunc(s.Env, func(e string) bool { return strings.HasPrefix(e, cacheVariable) })
	}
	if s.Limits == (child.Limits{}) {
		s.Limits = p.conf.Limits
	}
	s.Grace, s.Fills = -1, []string{s.Dir}
	process, err := p.conf.Children.Start(s)
	if err != nil {
		return child.End{}, err
	}
	stop := context.AfterFunc(ctx, func() { process.Kill(context.Cause(ctx)) })
	end := process.Wait()
	if !stop() {
		return end, context.Cause(ctx)
	}
	return end, nil
}
