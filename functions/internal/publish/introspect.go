package publish

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"

	"github.com/drover-go/drover/internal/child"
)

// manifests is where a program writes what its functions are.
const manifests = ".browserbase/functions/manifests"

// introspect runs the program once, which says then what functions it has. One that
// does not end, because it holds something open, is ended; what it has said counts.
func (p *Publisher) introspect(ctx context.Context, prog Program, log Log) ([]Manifest, error) {
	if err := os.RemoveAll(filepath.Join(prog.Dir, ".browserbase")); err != nil {
		return nil, err
	}
	manifest, err := optional(prog.Dir, manifestOf, maxSettings)
	if err != nil {
		return nil, err
	}
	log("Asking the program which functions it has")
	limits := p.conf.Limits
	limits.Time = p.conf.Introspect
	said := speech{log: log, dir: prog.Dir, problem: runProblem}
	end, err := p.child(ctx, child.Spec{
		Path: p.conf.Node, Args: []string{"--enable-source-maps", filepath.Join(prog.Dir, filepath.FromSlash(prog.Entrypoint))}, Dir: prog.Dir, Limits: limits,
		Env:    p.env("BB_FUNCTIONS_PHASE=introspect", "NODE_ENV=production"),
		Output: said.hear,
	})
	if err != nil {
		return nil, err
	}
	if !end.OK() && end.Cause != child.TimeLimit {
		return nil, failed(NoManifests, "running the entry point: %s", said.why(end)+onlyToDevelop(manifest, said.found))
	}
	found, err := p.read(prog.Dir)
	if isFailure(err) && end.Cause == child.TimeLimit {
		return nil, failed(NoManifests, "running the entry point: it did not end within %v and has said nothing of functions", p.conf.Introspect)
	}
	for _, m := range found {
		log("Found the function " + m.Name)
	}
	return found, err
}

var missingPackage = regexp.MustCompile(`Cannot find (?:package|module) '([^']+)'`)

// onlyToDevelop says of a package that was not found that it would have been installed
// among the others.
func onlyToDevelop(manifest []byte, problem string) string {
	m := missingPackage.FindStringSubmatch(problem)
	var named struct {
		DevDependencies map[string]any `json:"devDependencies"`
	}
	if m == nil || json.Unmarshal(manifest, &named) != nil || named.DevDependencies[m[1]] == nil {
		return ""
	}
	return "; it is one of devDependencies, which are not installed"
}
