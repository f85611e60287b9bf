package child

import "github.com/drover-go/drover/internal/workdir"

// Sweep ends and removes what dead hosts with the same TempDir have left, as
// [Open] does: a host calls it when it learns that another has died. It takes
// nothing from hosts that live. What cannot be ended or removed is logged, and
// left to the next.
func (m *Manager) Sweep() {
	workdir.Sweep(m.opts.TempDir, dirPrefix, m.opts.Logger, func(dir string) { endLeft(m.opts, dir, m.firsts) })
}
