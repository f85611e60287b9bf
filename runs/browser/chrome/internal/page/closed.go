package page

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

// Closed shadow roots are hidden from our world, but the browser hands them over.
// To ask it for all nodes of a large document takes half a second, so that it is
// asked about the elements that may have one, and about each once.

// closedRounds is how deep closed roots in closed roots are looked for at once.
const closedRounds = 5

// walk walks a frame's document: again when it turns out to have closed roots, or
// listeners in its roots.
func (w *walker) walk(ctx context.Context, f *frame) (res walkResult, err error) {
	w.s.hearListeners(ctx, f)
	for range closedRounds {
		res, err = eval[walkResult](ctx, f, "snapshot", w.left)
		if err != nil {
			break
		}
		opened := res.Suspects > 0 && w.s.openClosed(ctx, f)
		if heard := res.Roots > 0 && w.s.hearRoots(ctx, f); !opened && !heard {
			break
		}
	}
	return res, err
}

// openClosed hands the closed roots of suspects to the frame's world; the result
// is false if there are none. That none can be had is no error: the page is read
// as scripts see it.
func (s *Session) openClosed(ctx context.Context, f *frame) bool {
	ctx, done := f.alive(ctx)
	defer done()
	n, err := s.adoptRoots(ctx, f)
	if err != nil {
		s.opts.Logger.Debug("chrome: closed shadow roots cannot be asked for", "session", s.ID(), "error", err)
	}
	return n > 0
}

func (s *Session) adoptRoots(ctx context.Context, f *frame) (n int, err error) {
	world, err := f.world(ctx)
	if err != nil {
		return 0, err
	}
	defer release(ctx, f)
	suspects, err := objectsIn(ctx, f, world, worldName+".takeSuspects()")
	if err != nil {
		return 0, err
	}
	roots := inParallel(suspects, func(o runtime.RemoteObjectID) runtime.RemoteObjectID { return closedRootOf(ctx, f, world, o) })
	if len(roots) == 0 {
		return 0, nil
	}
	err = callWith(ctx, f, world, "(...roots) => "+worldName+".adopt(roots)", roots, nil, &n)
	return n, err
}

// closedRootOf asks for the closed root of an element; empty if it has none.
func closedRootOf(ctx context.Context, f *frame, world runtime.ExecutionContextID, of runtime.RemoteObjectID) runtime.RemoteObjectID {
	res, err := cdp.Call(ctx, f.sess, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: of})
	if err != nil || res.Node == nil {
		return ""
	}
	for _, root := range res.Node.ShadowRoots {
		if root.ShadowRootType == cdp.ShadowRootTypeClosed {
			return inWorld(ctx, f, world, root.BackendNodeID)
		}
	}
	return ""
}

// inWorld is a node as an object of the frame's world; empty if it is not of its
// document.
func inWorld(ctx context.Context, f *frame, world runtime.ExecutionContextID, id cdp.BackendNodeID) runtime.RemoteObjectID {
	res, err := cdp.Call(ctx, f.sess, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: id, ExecutionContextID: world, ObjectGroup: objectGroup})
	if err != nil || res.Object == nil {
		return ""
	}
	return res.Object.ObjectID
}

// objectsIn are the elements of the array that an expression gives.
func objectsIn(ctx context.Context, f *frame, world runtime.ExecutionContextID, expression string) (all []runtime.RemoteObjectID, err error) {
	list, err := objectIn(ctx, f, world, expression)
	if err != nil || list == "" {
		return nil, err
	}
	res, err := cdp.Call(ctx, f.sess, runtime.GetProperties, runtime.GetPropertiesParams{ObjectID: list, OwnProperties: new(true)})
	for _, p := range res.Result {
		if p.Enumerable && p.Value != nil && p.Value.ObjectID != "" {
			all = append(all, p.Value.ObjectID)
		}
	}
	return all, err
}

func objectIn(ctx context.Context, f *frame, world runtime.ExecutionContextID, expression string) (runtime.RemoteObjectID, error) {
	res, err := cdp.Call(ctx, f.sess, runtime.Evaluate, runtime.EvaluateParams{
		Expression: expression, ContextID: world, ObjectGroup: objectGroup, Silent: new(true),
	})
	if err != nil || res.ExceptionDetails != nil || res.Result == nil {
		return "", err
	}
	return res.Result.ObjectID, nil
}

func release(ctx context.Context, f *frame) {
	cdp.Call(ctx, f.sess, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: objectGroup})
}

// atOnce is how many questions to a page are under way.
const atOnce = 16

// inParallel keeps what f makes of each, in order, where that is not the zero
// value.
func inParallel[A any, B comparable](all []A, f func(A) B) (made []B) {
	results := make([]B, len(all))
	var wg sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for i, a := range all {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			results[i] = f(a)
		})
	}
	wg.Wait()
	var zero B
	for _, b := range results {
		if b != zero {
			made = append(made, b)
		}
	}
	return made
}

// callWith calls a function of the frame's world with objects of it.
func callWith(ctx context.Context, f *frame, world runtime.ExecutionContextID, function string, objects []runtime.RemoteObjectID, values []any, into any) error {
	params := runtime.CallFunctionOnParams{
		FunctionDeclaration: function, ExecutionContextID: world, ReturnByValue: new(true), Silent: new(true),
	}
	for _, o := range objects {
		params.Arguments = append(params.Arguments, &runtime.CallArgument{ObjectID: o})
	}
	for _, v := range values {
		raw, err := json.Marshal(v)
		if err != nil {
			return err
		}
		params.Arguments = append(params.Arguments, &runtime.CallArgument{Value: raw})
	}
	res, err := cdp.Call(ctx, f.sess, runtime.CallFunctionOn, params)
	switch {
	case err != nil:
		return err
	case res.ExceptionDetails != nil:
		return fmt.Errorf("%w: %s", errScript, exceptionText(res.ExceptionDetails))
	case into == nil:
		return nil
	}
	return json.Unmarshal(res.Result.Value, into)
}
