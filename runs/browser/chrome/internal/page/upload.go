package page

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/weburl"
	"github.com/drover-go/drover/runs/browser"
)

// Upload implements [browser.Session].
func (s *Session) Upload(ctx context.Context, ref browser.Ref, files []browser.File) (_ browser.Page, err error) {
	defer errtypes.Wrap(&err, "chrome.Upload(%q)", ref)
	if !s.h.SeesFiles() {
		return browser.Page{}, errtypes.New(errtypes.Invalid, "files cannot be uploaded: the remote browser that this instance uses does not see its files")
	}
	return s.act(ctx, func(ctx context.Context, t *tab) error {
		f, element, err := s.resolve(t, ref)
		if err != nil {
			return err
		}
		u := uploading{s: s, t: t, f: f, element: element, ref: ref}
		input, err := u.input(ctx)
		if err == nil && input.id == "" {
			input, err = u.click(ctx)
		}
		if err != nil {
			return err
		}
		t.acting.beBlind()
		return u.put(ctx, input, files)
	})
}

// uploading is the filling of one file input.
type uploading struct {
	s       *Session
	t       *tab
	f       *frame
	element int
	ref     browser.Ref
}

// fileInput is a file input as an object of its page.
type fileInput struct {
	sess cdp.Session
	id   runtime.RemoteObjectID
}

// fileInputJS says what an input takes; "" for what is none. A label leads to
// what it labels.
const fileInputJS = `function() {
	if (!(this instanceof HTMLInputElement) || this.type !== "file") return "";
	if (this.disabled) return "disabled";
	if (this.webkitdirectory) return "directory";
	return this.multiple ? "many" : "one";
}`

// input is the element itself, if it is a file input; else the id is empty.
func (u uploading) input(ctx context.Context) (fileInput, error) {
	var none fileInput
	// The world is made, and the element known to be there, with this.
	l, err := eval[located](ctx, u.f, "present", u.element)
	if u.f.lost(err) {
		return none, &browser.StaleError{Ref: u.ref}
	}
	if err == nil {
		err = u.s.problem(u.ref, l)
	}
	if err != nil || l.Kind != "file" {
		return none, err
	}
	ctx, done := u.f.alive(ctx)
	defer done()
	world, err := u.f.world(ctx)
	if err != nil {
		return none, err
	}
	res, err := cdp.Call(ctx, u.f.sess, runtime.Evaluate, runtime.EvaluateParams{
		Expression: fmt.Sprintf("globalThis[%q].fileInputOf(%d)", worldName, u.element), ContextID: world, Silent: new(true),
	})
	if err != nil || res.Result == nil || res.Result.ObjectID == "" {
		return none, cmp.Or[error](err, &browser.StaleError{Ref: u.ref})
	}
	return fileInput{u.f.sess, res.Result.ObjectID}, nil
}

// click clicks the element and returns the input whose chooser that opens.
func (u uploading) click(ctx context.Context) (fileInput, error) {
	questions := u.s.chooser.wait()
	asking := map[target.ID]cdp.Session{u.t.id: u.t.target}
	if own, ok := u.f.sess.(*chromedp.Target); ok {
		asking[own.TargetID] = own
	}
	for id, sess := range asking {
		defer u.s.intercept(ctx, sess, id)
		if err := u.s.intercept(ctx, sess, id); err != nil {
			u.s.chooser.stop()
			return fileInput{}, err
		}
	}
	defer u.s.chooser.stop() // before the defers above, which go by it
	if err := u.s.hit(ctx, u.t, u.f, u.element, u.ref); err != nil {
		return fileInput{}, err
	}
	q, err := u.s.await(ctx, questions)
	if err != nil {
		return fileInput{}, err
	}
	if q.ev.BackendNodeID == 0 {
		return fileInput{}, errtypes.New(errtypes.Invalid, "the page asks for files in a way that cannot be answered")
	}
	world, err := (&frame{sess: q.sess, id: q.ev.FrameID}).world(ctx) // where the page does not reach
	if err != nil {
		return fileInput{}, err
	}
	res, err := cdp.Call(ctx, q.sess, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: q.ev.BackendNodeID, ExecutionContextID: world})
	if err != nil {
		return fileInput{}, err
	}
	return fileInput{q.sess, res.Object.ObjectID}, nil
}

// put gives the files to the input.
func (u uploading) put(ctx context.Context, in fileInput, files []browser.File) error {
	defer cdp.Call(ctx, in.sess, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: in.id})
	takes, err := in.takes(ctx)
	switch {
	case err != nil:
		return err
	case takes == "directory":
		return errtypes.New(errtypes.Invalid, "element %s takes a directory, which cannot be uploaded", u.ref)
	case takes == "disabled":
		return errtypes.New(errtypes.Invalid, "element %s is disabled", u.ref)
	case takes == "":
		return errNoChooser
	case takes == "one" && len(files) > 1:
		return errtypes.New(errtypes.Invalid, "element %s takes one file, not %d", u.ref, len(files))
	}
	if err := u.s.allowed(ctx, in); err != nil {
		return err
	}
	paths, err := u.s.h.WriteFiles(files)
	if err != nil {
		return err
	}
	_, err = cdp.Call(ctx, in.sess, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: paths, ObjectID: in.id})
	return err
}

func (in fileInput) takes(ctx context.Context) (what string, err error) {
	err = in.ask(ctx, fileInputJS, &what)
	return what, err
}

// ask calls a function on the input.
func (in fileInput) ask(ctx context.Context, function string, answer any) error {
	res, err := cdp.Call(ctx, in.sess, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: function, ObjectID: in.id, ReturnByValue: new(true), Silent: new(true),
	})
	if err != nil || res.Result == nil {
		return cmp.Or(err, errScript)
	}
	return json.Unmarshal(res.Result.Value, answer)
}

// allowed refuses an input whose document the session may not reach, as far as
// that is known of a document: a page can make some without a host.
func (s *Session) allowed(ctx context.Context, in fileInput) error {
	policy := s.Options().Egress
	if len(policy.AllowedDomains) == 0 {
		return nil
	}
	var origin string
	if err := in.ask(ctx, `function() { return globalThis.origin }`, &origin); err != nil {
		return err
	}
	u, err := weburl.Parse(origin, nil)
	if err != nil || u.Host == "" || !policy.Allows(u.Host) {
		return errtypes.New(errtypes.Invalid, "files are given to pages of the allowed domains only, and not to %s", cmp.Or(origin, "null"))
	}
	return nil
}
