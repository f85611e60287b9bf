package publish

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	return p.deps.link(ctx, p.key(how, manifest), dir, log, func(into string) error {
		for name, content := range map[string][]byte{"package.json": manifest, how.lock: how.content, ".npmrc": optional(dir, ".npmrc")} {
			if content == nil {
				continue
			}
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
	program string
	args    []string
}

// howTo chooses by the lock file that there is.
func (p *Publisher) howTo(dir string, log Log) installer {
	scripts := "--ignore-scripts"
	if p.conf.Scripts {
		scripts = "--no-ignore-scripts"
	}
	for _, name := range []string{"package-lock.json", "npm-shrinkwrap.json"} {
		if content := optional(dir, name); content != nil {
			return installer{name, content, p.conf.Npm, []string{"ci", "--no-audit", "--no-fund", scripts}}
		}
	}
	if content := optional(dir, "pnpm-lock.yaml"); content != nil {
		if p.conf.Pnpm != "" {
			return installer{"pnpm-lock.yaml", content, p.conf.Pnpm, []string{"install", "--frozen-lockfile", "--node-linker=hoisted", scripts}}
		}
		log("Warning: there is a pnpm-lock.yaml and no pnpm on this host: npm chooses the versions")
	} else {
		log("Warning: there is no lock file: npm chooses the versions")
	}
	return installer{"", nil, p.conf.Npm, []string{"install", "--no-package-lock", "--no-audit", "--no-fund", scripts}}
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
		if strings.Contains(text, `"file:`) || strings.Contains(text, `"link": true`) || strings.Contains(text, `"workspaces"`) || strings.Contains(text, "link:") {
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
	log("Installing dependencies: " + strings.TrimSuffix(filepath.Base(how.program), "-cli.js") + " " + strings.Join(how.args, " "))
	said := speech{log: log, dir: dir, problem: installProblem}
	end, err := p.child(ctx, child.Spec{
		Path: p.conf.Node, Args: append([]string{how.program}, how.args...), Dir: dir,
		Env: append(p.env("NODE_ENV=development", "npm_config_update_notifier=false", "npm_config_logs_max=0", cacheVariable+filepath.Join(p.conf.Dependencies, ".cache")),
			child.Inherit("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "npm_config_registry", "NODE_EXTRA_CA_CERTS")...),
		Output: said.hear,
	})
	if err != nil || end.OK() {
		return err
	}
	return failed(NoManifests, "installing: %s", said.why(end))
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
