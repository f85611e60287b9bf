package child

import (
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/workdir"
)

// Sweep ends and removes what dead hosts with the same TempDir have left, as
// [Open] does, without opening anything: a living host calls it when it learns
// that another has died. It takes nothing from hosts that live. The error's kind
// is Invalid for options that cannot be; what cannot be ended or removed is
// logged, and left to the next.
func Sweep(o Options) (err error) {
	defer errtypes.Wrap(&err, "child.Sweep")
	if o, err = o.withDefaults(); err != nil {
		return err
	}
	sweep(o)
	return nil
}

func sweep(o Options) {
	workdir.Sweep(o.TempDir, dirPrefix, o.Logger, func(dir string) { endLeft(o, dir) })
}
