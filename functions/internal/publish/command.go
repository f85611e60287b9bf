package publish

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions/internal/source"
	"github.com/drover-go/drover/internal/child"
)

// Script has npm run a script of a program's package.json in its directory, with
// variables beside those of a build. A [*builds.Failure] says how it failed.
func (p *Publisher) Script(ctx context.Context, dir, name string, env []string, log Log) error {
	env = append(p.env("npm_config_update_notifier=false", "npm_config_logs_max=0"), env...) // and no proxy of the host's
	return p.npm(ctx, dir, []string{"run", name}, env, runProblem, log)
}

// Prune removes of what was installed with [Wanted].Alone the kinds that are left out.
func (p *Publisher) Prune(ctx context.Context, dir string, omit []string, log Log) error {
	how, err := p.howTo(dir, omit)
	if err != nil {
		return err
	}
	if how.lock == pnpmLock {
		log("The dependencies that only building needs stay: pnpm has installed them")
		return nil
	}
	return p.npm(ctx, dir, append([]string{"prune", "--no-audit", "--no-fund", p.scripts()}, omitted(omit)...), p.installing(), installProblem, log)
}

func (p *Publisher) npm(ctx context.Context, dir string, args, env []string, problem *regexp.Regexp, log Log) error {
	if p.conf.Npm == "" {
		return errtypes.New(errtypes.Unavailable, "there is no npm on this host")
	}
	said := strings.Join(slices.Insert(slices.Clone(args), 0, "npm"), " ")
	log("Running " + said)
	heard := speech{log: log, dir: dir, problem: problem}
	end, err := p.child(ctx, child.Spec{
		Path: p.conf.Node, Args: append([]string{p.conf.Npm}, args...), Dir: dir, Env: env, Output: heard.hear,
	})
	switch {
	case err != nil:
		return err
	case !end.OK():
		return failed(NoManifests, "%s: %s", said, heard.why(end))
	}
	return nil
}

// Unpack unpacks any archive into dir, which is there and empty, and returns what it
// has left out. A folder that holds everything is taken for the root. A
// [*builds.Failure] says what is wrong with the archive.
func (p *Publisher) Unpack(ctx context.Context, archive io.ReadSeeker, dir string, skip []string) (left []string, err error) {
	left, err = source.Unpack(ctx, archive, dir, source.Options{Limits: p.conf.Source, Skip: skip, Any: true})
	if errtypes.Is(err, errtypes.Invalid) {
		return nil, failed(NoManifests, "unpacking: %s", errtypes.Public(err).Message)
	}
	if err == nil {
		err = raise(dir)
	}
	return left, err
}

// raise moves what a directory has in a single folder up into it.
func raise(dir string) error {
	all, err := os.ReadDir(dir)
	if err != nil || len(all) != 1 || !all[0].IsDir() || strings.HasPrefix(all[0].Name(), ".") {
		return err
	}
	folder := filepath.Join(dir, ".raised")
	if err := os.Rename(filepath.Join(dir, all[0].Name()), folder); err != nil {
		return err
	}
	inside, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range inside {
		if e.Name() == filepath.Base(folder) {
			return failed(NoManifests, "unpacking: the archive has a file with the name %q", e.Name())
		}
		if err := os.Rename(filepath.Join(folder, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return os.Remove(folder)
}
