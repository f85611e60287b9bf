package chrome

import (
	"cmp"
	"log/slog"
	"os"

	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/runs/browser/chrome/internal/process"
)

// ChildOptions are those of a manager that can be Children.
func (o Options) ChildOptions() child.Options {
	return process.ChildOptions(cmp.Or(o.TempDir, os.TempDir()), cmp.Or(o.Logger, slog.Default()))
}

// Sweep ends and removes what hosts that have died have left in TempDir, as New
// does. It takes nothing from processes that live.
func (p *Provider) Sweep() {
	p.opts.Children.Sweep()
	sweepProfiles(p.opts.TempDir, p.opts.Logger)
}
