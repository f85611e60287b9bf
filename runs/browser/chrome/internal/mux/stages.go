package mux

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

// stages answer, in the browser's place or with its help, the commands that
// the policy does not let through as they are.
var stages map[string]func(c *conn, st *attachment, cmd policy.Command)

func init() { // it refers to what refers to it
	stages = map[string]func(c *conn, st *attachment, cmd policy.Command){
		"Browser.cancelDownload":               (*conn).cancelDownload,
		"Browser.close":                        (*conn).closeBrowser,
		"Browser.getWindowForTarget":           (*conn).windowForTarget,
		"Browser.grantPermissions":             (*conn).grantPermissions,
		"Browser.setDownloadBehavior":          (*conn).setDownloadBehavior,
		"Emulation.clearDeviceMetricsOverride": (*conn).setMetrics,
		"Emulation.setDeviceMetricsOverride":   (*conn).setMetrics,
		"Page.clearDeviceMetricsOverride":      (*conn).setMetrics,
		"Page.setDeviceMetricsOverride":        (*conn).setMetrics,
		"Extensions.getExtensions":             (*conn).getExtensions,
		"IO.read":                              (*conn).readStream,
		"Tracing.start":                        (*conn).startTracing,
		"Page.captureScreenshot":               (*conn).captureScreenshot,
		"Page.disable":                         (*conn).disablePage,
		"Page.enable":                          (*conn).enablePage,
		"Page.printToPDF":                      (*conn).printToPDF,
		"Page.setDownloadBehavior":             (*conn).nothing,
		"Page.setInterceptFileChooserDialog":   (*conn).setInterceptChoosers,
		"Runtime.runIfWaitingForDebugger":      (*conn).resume,
		"Storage.clearCookies":                 (*conn).askRoot,
		"Storage.getCookies":                   (*conn).askRoot,
		"Storage.setCookies":                   (*conn).askRoot,
		"Target.attachToTarget":                (*conn).attachToTarget,
		"Target.createBrowserContext":          (*conn).createContext,
		"Target.createTarget":                  (*conn).createTarget,
		"Target.disposeBrowserContext":         (*conn).disposeContext,
		"Target.getBrowserContexts":            (*conn).getContexts,
		"Target.getTargetInfo":                 (*conn).getTargetInfo,
		"Target.getTargets":                    (*conn).getTargets,
		"Target.setAutoAttach":                 (*conn).setAutoAttach,
		"Target.setDiscoverTargets":            (*conn).setDiscoverTargets,
	}
}

// parsed reads the parameters of a staged command; the policy has checked those
// that matter, and others are left as they are when they make no sense.
func parsed[T any](cmd policy.Command) (v T) {
	json.Unmarshal(cmd.Params, &v)
	return v
}

// askRoot sends a page's command to the browser, which alone takes it with a
// browser context.
func (c *conn) askRoot(_ *attachment, cmd policy.Command) {
	c.later(cmd, func() (any, error) { return c.call(c.root, cmd.Method, paramsOf(cmd)) })
}

func (c *conn) nothing(_ *attachment, cmd policy.Command) { c.answer(cmd, struct{}{}) }

// closeBrowser ends the connection; the session goes on.
func (c *conn) closeBrowser(_ *attachment, cmd policy.Command) {
	c.answer(cmd, struct{}{})
	c.out.Finish()
	timer := c.clients.o.Clock.AfterFunc(c.clients.o.Close, func() { c.stop(errLeft) })
	c.wg.Go(func() {
		<-c.ctx.Done()
		timer.Stop()
	})
}

// windowForTarget notes the window as one that the client may move.
func (c *conn) windowForTarget(st *attachment, cmd policy.Command) {
	c.later(cmd, func() (any, error) {
		res, err := c.call(st.real, cmd.Method, paramsOf(cmd))
		if err != nil {
			return nil, err
		}
		var window struct{ WindowID int64 }
		if json.Unmarshal(res, &window) == nil {
			c.locked(func() { c.windows[window.WindowID] = true })
		}
		return res, nil
	})
}

// paramsOf returns the parameters of a command as an object in any case.
func paramsOf(cmd policy.Command) json.RawMessage {
	if len(cmd.Params) == 0 {
		return json.RawMessage("{}")
	}
	return cmd.Params
}

func (c *conn) browserInfo() *target.Info {
	return &target.Info{TargetID: c.browser, Type: "browser", Attached: true}
}

// attachToTarget gives a client that asks for the browser another root.
func (c *conn) attachToTarget(st *attachment, cmd policy.Command) {
	id := parsed[target.AttachToTargetParams](cmd).TargetID
	if info := c.clients.find(id); info != nil && info.Type == hiddenType {
		c.fail(cmd, errHidden)
		return
	}
	if id == c.browser {
		cmd.Method, cmd.Params = target.AttachToBrowserTarget.Method, nil
		st = c.attachment("")
	}
	c.forward(st, cmd)
}

func (c *conn) getContexts(_ *attachment, cmd policy.Command) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := slices.AppendSeq([]cdp.BrowserContextID{}, maps.Keys(c.contexts))
	c.answer(cmd, map[string]any{"browserContextIds": list, "defaultBrowserContextId": c.s.ContextID()})
}

// setDiscoverTargets tells of the targets that are there, and of others as
// they come.
func (c *conn) setDiscoverTargets(st *attachment, cmd policy.Command) {
	p := parsed[struct {
		Discover bool
		Filter   policy.TargetFilter
	}](cmd)
	c.clients.mu.Lock()
	defer c.clients.mu.Unlock()
	c.mu.Lock()
	st.discover = nil
	if p.Discover {
		st.discover = &p.Filter
	}
	c.mu.Unlock()
	if p.Discover {
		if st.root && p.Filter.Match("browser") {
			c.event(st, "Target.targetCreated", targetInfo{c.browserInfo()})
		}
		for _, info := range c.visible(p.Filter) {
			c.event(st, "Target.targetCreated", targetInfo{c.seen(info)})
		}
	}
	c.answer(cmd, struct{}{})
}

// setAutoAttach on a root attaches to the targets that are there, and then to
// others as they come. On a page, the browser does that.
func (c *conn) setAutoAttach(st *attachment, cmd policy.Command) {
	if !st.root {
		c.forward(st, cmd)
		return
	}
	p := parsed[struct {
		AutoAttach             bool
		WaitForDebuggerOnStart bool
		Filter                 policy.TargetFilter
	}](cmd)
	if !p.AutoAttach {
		c.stopAutoAttach(st, cmd)
		return
	}
	c.clients.mu.Lock()
	c.mu.Lock()
	if st.auto == nil {
		st.auto = &autoAttach{begun: map[target.ID]chan struct{}{}}
	}
	st.auto.filter, st.auto.wait = p.Filter, p.WaitForDebuggerOnStart
	c.mu.Unlock()
	var work []func()
	for _, info := range c.visible(p.Filter) {
		work = append(work, c.attaching(info)...)
	}
	c.clients.mu.Unlock()
	c.later(cmd, func() (any, error) {
		for _, attach := range work {
			attach()
		}
		return struct{}{}, nil
	})
}

// stopAutoAttach detaches a root from what it attached to by itself.
func (c *conn) stopAutoAttach(st *attachment, cmd policy.Command) {
	c.mu.Lock()
	var sessions []target.SessionID
	for _, below := range c.attachments {
		if below.parent == st.real && st.auto != nil && st.auto.begun[below.target] != nil {
			sessions = append(sessions, below.real)
		}
	}
	st.auto = nil
	c.mu.Unlock()
	c.later(cmd, func() (any, error) {
		for _, id := range sessions {
			c.call(st.real, target.DetachFromTarget.Method, target.DetachFromTargetParams{SessionID: id})
		}
		return struct{}{}, nil
	})
}
