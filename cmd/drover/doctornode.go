package main

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions"
)

// checkNode says which Node.js runs published functions, and as whom. Drover does
// all else without one.
func checkNode(ctx context.Context, f programFlags) finding {
	var o functions.ProgramOptions
	f.apply(&o)
	node, version, err := functions.NodeFound(ctx, o)
	switch {
	case err != nil && node == "":
		return finding{"functions", true, errtypes.Public(err).Message + ": no programs can be published; Go functions need none"}
	case err != nil && version == "":
		return finding{"functions", false, errtypes.Public(err).Message}
	}
	found := "Node.js " + version + " at " + node
	if err != nil {
		return finding{"functions", false, indented(found + "\n" + errtypes.Public(err).Message)}
	}
	how, err := functions.HowIsolated(o)
	if err != nil {
		return finding{"functions", false, indented(found + "\n" + errtypes.Public(err).Message)}
	}
	return finding{"functions", true, indented(found + "\n" + how)}
}
