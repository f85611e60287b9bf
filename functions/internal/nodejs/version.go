package nodejs

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/child"
)

// Oldest is the first major version that runs programs. Their processes are started
// with --import, which came with 19 and was brought to late releases of 18; those are
// not looked after any more.
const Oldest = 20

// Version asks a Node.js, an absolute path, for its version, such as "v20.11.1". Error
// kind Unavailable for one that does not start, or that is none.
func Version(ctx context.Context, children *child.Manager, node string) (string, error) {
	p, err := children.Start(child.Spec{Path: node, Args: []string{"--version"}, Limits: child.Limits{Time: 10 * time.Second}})
	if err != nil {
		return "", errtypes.New(errtypes.Unavailable, "the Node.js at %s does not start", node).WithCause(err)
	}
	defer context.AfterFunc(ctx, func() { p.Kill(context.Cause(ctx)) })()
	end := p.Wait()
	switch said := strings.TrimSpace(p.Tail()); {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case !end.OK():
		return "", errtypes.New(errtypes.Unavailable, "the Node.js at %s does not start: %v", node, end)
	case major(said) < 0:
		return "", errtypes.New(errtypes.Unavailable, "the program at %s is no Node.js: it does not say its version", node)
	default:
		return said, nil
	}
}

// Check returns an error of kind Unavailable for a version that cannot run programs.
func Check(version string) error {
	if major(version) < Oldest {
		return errtypes.New(errtypes.Unavailable, "the Node.js of this machine is %s, and programs need version %d or later", version, Oldest)
	}
	return nil
}

// major is the first number of a version; -1 for what is none.
func major(version string) int {
	number, _, ok := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	n, err := strconv.Atoi(number)
	if err != nil || !ok || n < 0 || !strings.HasPrefix(version, "v") {
		return -1
	}
	return n
}
