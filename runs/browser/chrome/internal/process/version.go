package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/child"
)

// versionTimeout bounds the question for the version, which a wrapper script
// around the binary may make slow.
const versionTimeout = 15 * time.Second

// versionPattern is how every browser made from Chromium numbers itself, and
// hardly any other program does: four parts.
var versionPattern = regexp.MustCompile(`\b\d+\.\d+\.\d+\.\d+\b`)

// VersionOf asks a browser for its version, once for each program as it lies there.
// The error is of kind Unavailable, or the cause of the context.
func VersionOf(ctx context.Context, children *child.Manager, path string) (string, error) {
	file, err := os.Stat(path)
	if err != nil {
		return "", errNoStart(path, err)
	}
	known := program{path, file.ModTime(), file.Size()}
	if version, ok := versions.Load(known); ok {
		return version.(string), nil
	}
	said, err := ask(ctx, children, path)
	if err != nil {
		return "", err
	}
	version := versionPattern.FindString(said)
	if version == "" {
		return "", errtypes.New(errtypes.Unavailable, "the program is no browser made from Chromium: asked for its version it does not answer as one").WithCause(errors.New(path))
	}
	versions.Store(known, version)
	return version, nil
}

// program is a browser as it lies there. An update is another one.
type program struct {
	path  string
	since time.Time
	size  int64
}

// versions are by program.
var versions sync.Map

func errNoStart(path string, err error) error {
	return errtypes.New(errtypes.Unavailable, "the browser does not start").WithCause(fmt.Errorf("%s: %w", path, err))
}

// ask returns what the program prints that is asked for its version.
func ask(ctx context.Context, children *child.Manager, path string) (string, error) {
	var said strings.Builder
	p, err := children.Start(child.Spec{
		Path: path, Args: []string{"--version"}, Grace: -1, Limits: child.Limits{Time: versionTimeout},
		Prepare: func(dir string, s *child.Spec) error { s.Env = environment(dir, dir); return nil },
		Output: func(l child.Line) {
			if l.Stream == child.Stdout {
				said.WriteString(l.Text + "\n")
			}
		},
		OutputLimits: child.OutputLimits{Total: 64 << 10},
	})
	if err != nil {
		return "", errNoStart(path, err)
	}
	stop := context.AfterFunc(ctx, func() { p.Kill(context.Cause(ctx)) })
	defer stop()
	if err := p.Wait().Err(); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", errNoStart(path, err)
	}
	return said.String(), nil
}
