package page

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domdebugger"
	"github.com/chromedp/cdproto/runtime"
)

// heard are the nodes of a document of which the frame's world knows that they
// listen for events.
type heard struct {
	world runtime.ExecutionContextID // another one for each document
	nodes map[cdp.BackendNodeID]bool
}

// maxHeard is how many nodes that listen are made known at once; the others are
// when the page is looked at again.
const maxHeard = 2000

// listenKinds are the events that make an element worth a reference.
var listenKinds = map[string]string{
	"click": "press", "dblclick": "press", "contextmenu": "press", "mousedown": "press", "mouseup": "press", "pointerdown": "press", "pointerup": "press",
	"touchstart": "press", "touchend": "press", "mouseenter": "press", "mouseover": "press", "pointerenter": "press", "pointerover": "press",
	"dragstart": "drop", "dragover": "drop", "drop": "drop",
}

// hearListeners makes known to the frame's world which elements listen for
// events. All listeners of a document are one question, which takes one to three
// milliseconds, also of 24,000 nodes, and more only where there are thousands.
// Where it fails, the page is read without.
func (s *Session) hearListeners(ctx context.Context, f *frame) {
	ctx, done := f.alive(ctx)
	defer done()
	world, err := f.world(ctx)
	if err == nil {
		defer release(ctx, f)
		err = s.hear(ctx, f, world)
	}
	if err != nil {
		s.opts.Logger.Debug("chrome: listeners cannot be asked for", "session", s.ID(), "error", err)
	}
}

func (s *Session) hear(ctx context.Context, f *frame, world runtime.ExecutionContextID) error {
	document, err := pageDocument(ctx, f, world)
	if err != nil || document == "" {
		return err
	}
	res, err := cdp.Call(ctx, f.sess, domdebugger.GetEventListeners, domdebugger.GetEventListenersParams{
		ObjectID: document, Depth: new(int64(-1)),
	})
	if err != nil {
		return err
	}
	_, err = s.tellNews(ctx, f, world, res.Listeners)
	return err
}

// tellNews makes known to the frame's world what it does not know; n is how much
// that is.
func (s *Session) tellNews(ctx context.Context, f *frame, world runtime.ExecutionContextID, listeners []*domdebugger.EventListener) (n int, err error) {
	nodes, kinds := s.news(f, world, listeners)
	if len(nodes) == 0 {
		return 0, nil
	}
	return len(nodes), tellListeners(ctx, f, world, nodes, kinds)
}

// hearRoots asks for the listeners in the shadow roots that a walk has come by; it
// reports whether there were any that the walk did not know of.
func (s *Session) hearRoots(ctx context.Context, f *frame) bool {
	ctx, done := f.alive(ctx)
	defer done()
	world, err := f.world(ctx)
	if err != nil {
		return false
	}
	defer release(ctx, f)
	roots, err := objectsIn(ctx, f, world, worldName+".takeRoots()")
	if err != nil {
		return false
	}
	var listeners []*domdebugger.EventListener
	for _, found := range inParallel(roots, func(o runtime.RemoteObjectID) *domdebugger.GetEventListenersResult { return listenersIn(ctx, f, o) }) {
		listeners = append(listeners, found.Listeners...)
	}
	n, err := s.tellNews(ctx, f, world, listeners)
	if err != nil {
		s.opts.Logger.Debug("chrome: listeners in shadow roots cannot be asked for", "session", s.ID(), "error", err)
	}
	return n > 0
}

// listenersIn are those in a node; nil where they cannot be had.
func listenersIn(ctx context.Context, f *frame, of runtime.RemoteObjectID) *domdebugger.GetEventListenersResult {
	node, err := inPage(ctx, f, of)
	if err != nil || node == "" {
		return nil
	}
	res, err := cdp.Call(ctx, f.sess, domdebugger.GetEventListeners, domdebugger.GetEventListenersParams{ObjectID: node, Depth: new(int64(-1))})
	if err != nil {
		return nil
	}
	return &res
}

// pageDocument is the frame's document in the page's own world, whose listeners are
// asked for. Asked for those of all worlds at once, as it has to be to enter
// shadow roots, Chromium mixes up the objects of the worlds: a node then is none in
// ours.
func pageDocument(ctx context.Context, f *frame, world runtime.ExecutionContextID) (runtime.RemoteObjectID, error) {
	document, err := objectIn(ctx, f, world, "document")
	if err != nil || document == "" {
		return "", err
	}
	return inPage(ctx, f, document)
}

// inPage is a node as an object of the page's own world.
func inPage(ctx context.Context, f *frame, of runtime.RemoteObjectID) (runtime.RemoteObjectID, error) {
	node, err := cdp.Call(ctx, f.sess, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: of})
	if err != nil {
		return "", err
	}
	res, err := cdp.Call(ctx, f.sess, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node.Node.BackendNodeID, ObjectGroup: objectGroup})
	if err != nil || res.Object == nil {
		return "", err
	}
	return res.Object.ObjectID, nil
}

// news are the nodes that the frame's world does not know of, and what they
// listen for.
func (s *Session) news(f *frame, world runtime.ExecutionContextID, listeners []*domdebugger.EventListener) (nodes []cdp.BackendNodeID, kinds map[cdp.BackendNodeID]string) {
	h := s.heard[f.id]
	if h == nil || h.world != world {
		if len(s.heard) > maxFrameTargets {
			clear(s.heard)
		}
		h = &heard{world: world, nodes: map[cdp.BackendNodeID]bool{}}
		s.heard[f.id] = h
	}
	kinds = map[cdp.BackendNodeID]string{}
	for _, l := range listeners {
		kind, id := listenKinds[l.Type], l.BackendNodeID
		if kind == "" || id == 0 || h.nodes[id] || kinds[id] == "" && len(kinds) == maxHeard {
			continue
		}
		if kinds[id] == "" {
			nodes = append(nodes, id)
		}
		if kinds[id] != "drop" {
			kinds[id] = kind
		}
	}
	for _, id := range nodes {
		h.nodes[id] = true
	}
	return nodes, kinds
}

func tellListeners(ctx context.Context, f *frame, world runtime.ExecutionContextID, nodes []cdp.BackendNodeID, kinds map[cdp.BackendNodeID]string) error {
	if err := evalIn(ctx, f.sess, world, worldSource, nil); err != nil {
		return err
	}
	type listener struct {
		object runtime.RemoteObjectID
		kind   string
	}
	found := inParallel(nodes, func(id cdp.BackendNodeID) listener {
		if o := inWorld(ctx, f, world, id); o != "" {
			return listener{o, kinds[id]}
		}
		return listener{}
	})
	objects, words := []runtime.RemoteObjectID{}, []string{}
	for _, l := range found {
		objects, words = append(objects, l.object), append(words, l.kind)
	}
	return callWith(ctx, f, world, "(...all) => "+worldName+".listens(all, all.pop())", objects, []any{words}, nil)
}
