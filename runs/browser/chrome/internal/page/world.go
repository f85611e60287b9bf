package page

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// The code that runs in each frame, in a world of its own: it sees the page's
// tree, and the page sees nothing of it.
var (
	//go:embed js/page.js
	pageJS string
	//go:embed js/dom.js
	domJS string
	//go:embed js/names.js
	namesJS string
	//go:embed js/closed.js
	closedJS string
	//go:embed js/states.js
	statesJS string
	//go:embed js/view.js
	viewJS string
	//go:embed js/areas.js
	areasJS string
	//go:embed js/styles.js
	stylesJS string
	//go:embed js/wanted.js
	wantedJS string
	//go:embed js/walk.js
	walkJS string
	//go:embed js/snapshot.js
	snapshotJS string
	//go:embed js/act.js
	actJS string
	//go:embed js/html.js
	htmlJS string
	//go:embed js/upload.js
	uploadJS string
	//go:embed js/quiet.js
	quietJS string
	//go:embed js/pointer.js
	pointerJS string
	//go:embed js/scroll.js
	scrollJS string
	//go:embed js/choose.js
	chooseJS string
	//go:embed js/keys.js
	keysJS string
)

const worldName = "drover"

// worldSource defines the functions that eval can call. Names of elements can
// appear as global names, so what counts is an own property.
var worldSource = `(() => {"use strict"; if (Object.hasOwn(globalThis, "` + worldName + `")) return;` +
	domJS + namesJS + closedJS + statesJS + viewJS + areasJS + stylesJS + wantedJS + walkJS + snapshotJS + actJS + htmlJS + uploadJS + quietJS + pointerJS + scrollJS + chooseJS + keysJS + placesJS +
	`Object.defineProperty(globalThis, "` + worldName + `", {value: {snapshot, elementOf, locate, throughFrame, clicked, fieldKind, grab, holds, struck, assign, choose, origin, fillIn, html, present, fileInputOf, arm, quiet,
	hovered, aim, spot, spotOutside, grip, watchDrag, forgetDrag, dragBegan, describeAt, scroll, seek, whereNow, reveal, revealText, checkState, becomes, listKind,
	expanded, noteLists, proposal, filterField, pause, offered, unwanted, chooseAll, focusIt, focusedFrame, watchCopy, copied, paste, places, frameAt, show,
	frameInside, takeSuspects, adopt, listens, takeRoots, turned}});
})()`

// A frame is a document's place in a page. Frames of other sites run in other
// processes and have sessions of their own.
type frame struct {
	sess   cdp.Session
	id     cdp.FrameID
	number int    // 0 is the page itself
	parent *frame // nil for the page itself
	owner  int    // number of the frame's element in the parent

	life context.Context // of a session of its own; ends when the frame has gone
}

// errFrameGone is the end of a frame that ran in a process of its own.
var errFrameGone = errors.New("the frame has gone")

// alive derives a context that ends with the frame, too: chromedp leaves calls
// to a target that has gone without an answer.
func (f *frame) alive(ctx context.Context) (context.Context, func()) {
	if f.life == nil {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(f.life, func() { cancel(errFrameGone) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// worldTries is how often a call is made on a document that is replaced just
// then.
const worldTries = 3

// eval calls a function of the frame's world and decodes what it returns.
func eval[T any](ctx context.Context, f *frame, name string, args ...any) (T, error) {
	var zero T
	call, err := callExpr(name, args)
	if err != nil {
		return zero, err
	}
	ctx, done := f.alive(ctx)
	defer done()
	v, err := again(ctx, func() (T, error) { return evalOnce[T](ctx, f, call) })
	if err != nil && context.Cause(ctx) == errFrameGone {
		err = errFrameGone
	}
	return v, err
}

// lost reports whether the error says that the frame, which is not the page
// itself, is no longer there.
func (f *frame) lost(err error) bool {
	return f.parent != nil && err != nil &&
		(errors.Is(err, errFrameGone) || errors.Is(err, chromedp.ErrTargetDetached) || noFrame(err) || replaced(err))
}

// again repeats what failed because its document was replaced.
func again[T any](ctx context.Context, f func() (T, error)) (T, error) {
	for try := 1; ; try++ {
		v, err := f()
		if err == nil || try == worldTries || !replaced(err) || ctx.Err() != nil {
			return v, err
		}
	}
}

// pageInfo is what a document says of itself.
type pageInfo struct {
	URL    string `json:"url"`
	Title  string `json:"title"`
	Ready  string `json:"ready"`
	Status int    `json:"status"`
}

// about asks the document of a frame what it is.
func about(ctx context.Context, f *frame) (pageInfo, error) {
	return again(ctx, func() (info pageInfo, err error) {
		world, err := f.world(ctx)
		if err == nil {
			err = evalIn(ctx, f.sess, world, pageJS, &info)
		}
		return info, err
	})
}

// world returns the frame's world in its present document, made if need be.
func (f *frame) world(ctx context.Context) (runtime.ExecutionContextID, error) {
	res, err := cdp.Call(ctx, f.sess, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: f.id, WorldName: worldName})
	return res.ExecutionContextID, err
}

// callExpr is the source of a call. The arguments travel as JSON, which is
// JavaScript.
func callExpr(name string, args []any) (string, error) {
	parts := make([]string, len(args))
	for i, arg := range args {
		b, err := json.Marshal(arg)
		if err != nil {
			return "", err
		}
		parts[i] = string(b)
	}
	return fmt.Sprintf(`(async () => Object.hasOwn(globalThis, %q) ? {ok: await globalThis[%q].%s(%s)} : {absent: true})()`,
		worldName, worldName, name, strings.Join(parts, ", ")), nil
}

type evalResult[T any] struct {
	Absent bool `json:"absent"`
	OK     T    `json:"ok"`
}

func evalOnce[T any](ctx context.Context, f *frame, call string) (T, error) {
	var res evalResult[T]
	world, err := f.world(ctx)
	if err != nil {
		return res.OK, err
	}
	if err = evalIn(ctx, f.sess, world, call, &res); err != nil || !res.Absent {
		return res.OK, err
	}
	if err = evalIn(ctx, f.sess, world, worldSource, nil); err != nil {
		return res.OK, err
	}
	err = evalIn(ctx, f.sess, world, call, &res)
	return res.OK, err
}

// errScript is an exception in our own code: a fault of Drover, or of a page
// that found a way to cause one. Its text stays in the log.
var errScript = errors.New("the page's tree could not be read")

func evalIn(ctx context.Context, sess cdp.Session, world runtime.ExecutionContextID, source string, into any) error {
	res, err := cdp.Call(ctx, sess, runtime.Evaluate, runtime.EvaluateParams{
		Expression: source, ContextID: world,
		ReturnByValue: new(true), AwaitPromise: new(true), Silent: new(true),
	})
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

func exceptionText(e *runtime.ExceptionDetails) string {
	if e.Exception != nil && e.Exception.Description != "" {
		return e.Exception.Description
	}
	return e.Text
}

// replaced reports whether the error says that the document of the call has
// given way to another.
func replaced(err error) bool {
	var e *cdproto.Error
	if !errors.As(err, &e) {
		return false
	}
	for _, text := range []string{"Cannot find context", "context was destroyed", "context with specified id", "Promise was collected", "navigated or closed", "Not attached"} {
		if strings.Contains(e.Message, text) {
			return true
		}
	}
	return false
}

// noFrame reports whether the error says that the frame is not one of the
// session's process.
func noFrame(err error) bool {
	var e *cdproto.Error
	return errors.As(err, &e) && strings.Contains(e.Message, "No frame")
}
