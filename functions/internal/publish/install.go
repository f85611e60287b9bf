package publish

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/child"
)

// install puts what the program depends on into its directory.
func (p *Publisher) install(ctx context.Context, dir string, log Log) error {
	manifest, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if errors.Is(err, fs.ErrNotExist) {
		log("There is no package.json: nothing is installed")
		return nil
	}
	if err != nil {
		return err
	}
	how := p.howTo(dir, log)
	if how.lock == "" || local(manifest, how.content) {
		return p.run(ctx, dir, how, log) // nothing that others could have the same of
	}
	inputs := map[string][]byte{"package.json": manifest, how.lock: how.content}
	for _, name := range how.settings {
		if content := optional(dir, name); content != nil {
			inputs[name] = content
		}
	}
	return p.deps.link(ctx, p.key(how, inputs), dir, log, func(into string) error {
		for name, content := range inputs {
			if err := os.WriteFile(filepath.Join(into, name), content, 0o644); err != nil {
				return err
			}
		}
		return p.run(ctx, into, how, log)
	})
}

// installer is how the dependencies of a program are installed.
type installer struct {
	// lock is the name of the lock file; empty for none.
	lock    string
	content []byte
	// settings are files that say more of how.
	settings []string
	program  string
	args     []string
	// lacking is what this host should have had for it; empty for nothing.
	lacking string
}

// howTo chooses by the lock file that there is.
func (p *Publisher) howTo(dir string, log Log) installer {
	how := installer{program: p.conf.Npm, settings: []string{".npmrc"}}
	for _, how.lock = range []string{"package-lock.json", "npm-shrinkwrap.json"} {
		if how.content = optional(dir, how.lock); how.content != nil {
			how.args = []string{"ci", "--no-audit", "--no-fund", p.scripts()}
			return how
		}
	}
	if how.content = optional(dir, pnpmLock); how.content != nil && p.conf.Pnpm != "" {
		return p.pnpm(how)
	}
	if how.content != nil {
		how.lacking = "pnpm, whose lock file there is"
		log("Warning: there is a " + pnpmLock + " and no pnpm on this host: npm chooses the versions")
	} else {
		log("Warning: there is no lock file: npm chooses the versions")
	}
	how.lock, how.content = "", nil
	how.args = []string{"install", "--no-package-lock", "--no-audit", "--no-fund", p.scripts()}
	return how
}

const pnpmLock = "pnpm-lock.yaml"

// pnpm installs with the pnpm that there is: it would fetch another one, or refuse,
// where package.json says so. What may run scripts it would want to be told one by one.
func (p *Publisher) pnpm(how installer) installer {
	how.lock, how.settings, how.program = pnpmLock, append(how.settings, "pnpm-workspace.yaml"), p.conf.Pnpm
	how.args = []string{
		"install", "--frozen-lockfile", "--node-linker=hoisted", p.scripts(), "--config.manage-package-manager-versions=false", "--config.package-manager-strict=false",
	}
	if p.conf.Scripts {
		how.args = append(how.args, "--config.dangerously-allow-all-builds=true")
	}
	return how
}

// scripts says whether those of packages run.
func (p *Publisher) scripts() string {
	if p.conf.Scripts {
		return "--no-ignore-scripts"
	}
	return "--ignore-scripts"
}

func optional(dir, name string) []byte {
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil
	}
	return content
}

// local reports whether dependencies lie in the archive itself.
func local(manifest, lock []byte) bool {
	for _, text := range []string{string(manifest), string(lock)} {
		if strings.Contains(text, `"file:`) || strings.Contains(text, `"link": true`) || strings.Contains(text, `"workspaces"`) || strings.Contains(text, "link:") || strings.Contains(text, "patchedDependencies") {
			return true
		}
	}
	return false
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
		Path: p.conf.Node, Args: append([]string{how.program}, how.args...), Dir: dir,
		Env: append(p.env("NODE_ENV=development", "npm_config_update_notifier=false", "npm_config_logs_max=0", cacheVariable+filepath.Join(p.conf.Dependencies, ".cache")),
			child.Inherit("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "npm_config_registry", "NODE_EXTRA_CA_CERTS")...),
		Output: said.hear,
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
