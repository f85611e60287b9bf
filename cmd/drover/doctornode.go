package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/child"
)

// checkNode says which Node.js runs published functions, and as whom. Drover does
// all else without one.
func checkNode(ctx context.Context) finding {
	node, err := functions.FindNode(functions.ProgramOptions{})
	if err != nil {
		return finding{"functions", true, errtypes.Public(err).Message + ": no programs can be published; Go functions need none"}
	}
	version, err := nodeVersion(ctx, node)
	if err != nil {
		return finding{"functions", false, node + " does not start: " + err.Error()}
	}
	found := "Node.js " + version + " at " + node
	how, err := functions.HowIsolated(functions.ProgramOptions{})
	if err != nil {
		return finding{"functions", false, indented(found + "\n" + errtypes.Public(err).Message)}
	}
	return finding{"functions", true, indented(found + "\n" + how)}
}

// nodeVersion asks a Node.js for its version.
func nodeVersion(ctx context.Context, node string) (version string, err error) {
	children, err := child.Open(child.Options{Leave: true})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, children.Close()) }()
	p, err := children.Start(child.Spec{Path: node, Args: []string{"--version"}, Limits: child.Limits{Time: 10 * time.Second}})
	if err != nil {
		return "", err
	}
	defer context.AfterFunc(ctx, func() { p.Kill(context.Cause(ctx)) })()
	if end := p.Wait(); !end.OK() {
		return "", end
	}
	return strings.TrimSpace(p.Tail()), nil
}
