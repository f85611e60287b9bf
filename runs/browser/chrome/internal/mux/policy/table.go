package policy

// The tables say, for each method or domain, what becomes of a command; a
// method's own row comes before that of its domain, and what has no row is
// refused.
//
// The measure is what a page of the session could do anyway: whoever drives a
// page may do to it whatever he likes. What reaches the machine, the browser's
// process or other sessions is refused, or cut down to the client's own world.

const (
	everybody = "it is about the whole browser, which other sessions use"
	machine   = "it reaches the machine that the browser runs on"
)

// shared are the rules of domains that every protocol session takes.
var shared = map[string]Rule{
	"Browser": refuse(everybody),
	"Target":  refuse(everybody),
	"Schema":  pass(), // lists the domains

	"Browser.getVersion":         pass(),
	"Browser.close":              stage(), // ends the client's connection, no more
	"Browser.getWindowForTarget": stage(given("targetId", ownTarget("targetId"))),
	"Browser.getWindowBounds":    pass(ownWindow),
	"Browser.setWindowBounds":    pass(ownWindow, inside("bounds", place)),
	"Browser.setContentsSize":    pass(ownWindow, place),
	"Browser.grantPermissions":   stage(inContext), // what may be granted
	"Browser.setPermission":      pass(inContext, noClipboard),
	"Browser.resetPermissions":   pass(inContext),
	"Browser.cancelDownload":     stage(inContext),
	// Behaviour and folder are the session's; the client only gets the events.
	"Browser.setDownloadBehavior": stage(given("browserContextId", ownContext("browserContextId"))),

	"Browser.getBrowserCommandLine": refuse("it shows paths of the machine"),
	"Browser.executeBrowserCommand": refuse(everybody),
	"Browser.crash":                 refuse(everybody),
	"Browser.crashGpuProcess":       refuse(everybody),

	"Target.getTargets":         stage(),
	"Target.getTargetInfo":      stage(given("targetId", ownTarget("targetId"))),
	"Target.getBrowserContexts": stage(),
	"Target.setDiscoverTargets": stage(),
	// On a root, the browser would attach the client to every session's pages.
	"Target.setAutoAttach":         stage(flatIfOn),
	"Target.autoAttachRelated":     pass(ownTarget("targetId")),
	"Target.attachToTarget":        stage(ownTarget("targetId"), flat),
	"Target.attachToBrowserTarget": pass(), // another root in the same jail
	"Target.detachFromTarget":      pass(given("sessionId", ownSession("sessionId")), given("targetId", ownTarget("targetId"))),
	"Target.activateTarget":        pass(ownTarget("targetId")),
	"Target.closeTarget":           pass(ownTarget("targetId")),
	// No begin-frame control, which nobody accounts for.
	"Target.createTarget": stage(
		only("url", "left", "top", "width", "height", "windowState", "browserContextId", "newWindow", "background", "forTab", "focus", "hidden"), place,
		given("url", addressOrExtension), inContext, ownWindowOfItsOwn, hidden),
	"Target.createBrowserContext": stage(
		without("proxyServer", "every context uses the session's proxy"),
		without("proxyBypassList", "every context uses the session's proxy"),
		without("originsWithUniversalNetworkAccess", "no origin has more access than others")),
	"Target.disposeBrowserContext": stage(ownContext("browserContextId")),

	// Those of the session, without where they lie.
	"Extensions.getExtensions": stage(),
	"Extensions":               refuse("extensions are uploaded to POST /v1/extensions, and named as extensionId when the session is created"),

	"Target.sendMessageToTarget":    refuse("only flat sessions are served"),
	"Target.exposeDevToolsProtocol": refuse("it gives a page the browser's protocol, unfiltered"),
	"Target.setRemoteLocations":     refuse(machine),
}

// Tracing is of the whole browser, wherever it is asked for. A configuration of
// the recorder's own may name anything, the machine among it.
var (
	tracing      = alone("a trace records the pages of other sessions")
	startTracing = staged(alone("a trace records the pages of other sessions",
		without("perfettoConfig", "it is not looked into; use traceConfig"), traced))
	readTrace = alone("send it to the page that made the stream")
)

// endsBrowser is for what Chromium dies of in ways that no parameter tells.
const endsBrowser = "it can end the browser, which other sessions use"

// The recorder of a page is made on another thread, out of what may have gone
// with the page or its session. No known client uses it: they have screencasts.
var screenRecording = alone(endsBrowser)

// Gestures that the browser makes up end it where the page's process has gone.
// No known client uses them: they send what fingers and wheels do.
var gesture = alone(endsBrowser)

// onBrowser are the rules for roots. There, most domains are about all
// sessions at once: Fetch would see everybody's requests, Security switch off
// everybody's certificates, Tracing record everybody's pages, IO read the
// recording.
var onBrowser = map[string]Rule{
	"Storage.getCookies":   pass(inContext),
	"Storage.setCookies":   pass(inContext),
	"Storage.clearCookies": pass(inContext),

	"Security":      refuse(everybody),
	"Fetch":         refuse("on the browser it would see the requests of other sessions; send it to a page"),
	"Tracing":       tracing,
	"Tracing.start": startTracing,
	// A trace's is the root's.
	"IO":      readTrace,
	"IO.read": staged(readTrace),
	// Names and versions of the machine's parts.
	"SystemInfo": refuse(machine),
}

// onPage are the rules for pages and what belongs to them.
var onPage = map[string]Rule{
	// What a page can be asked and told. Each works on one target, its process,
	// which no other session shares, and the storage of its browser context.
	"Accessibility": pass(), "Animation": pass(), "Audits": pass(), "Autofill": pass(),
	"BackgroundService": pass(), "CSS": pass(), "CacheStorage": pass(), "Console": pass(),
	"DOM": pass(), "DOMDebugger": pass(), "DOMSnapshot": pass(), "DOMStorage": pass(),
	"Debugger": pass(), "DeviceOrientation": pass(), "Emulation": pass(), "EventBreakpoints": pass(),
	"FedCm": pass(), "Fetch": pass(), "HeapProfiler": pass(), "IndexedDB": pass(),
	"Input": pass(), "Inspector": pass(), "LayerTree": pass(), "Log": pass(),
	"Media": pass(), "Network": pass(), "Overlay": pass(), "Page": pass(),
	"Performance": pass(), "PerformanceTimeline": pass(), "Preload": pass(), "Profiler": pass(),
	"Runtime": pass(), "Security": pass(), "ServiceWorker": pass(),
	"WebAudio": pass(), "WebAuthn": pass(), "WebMCP": pass(),
	// A stream's handle belongs to the target that made it, so it is of this
	// session; handles of traces are of a root, and refused there. A blob's is
	// looked up in the storage of the target's own context.
	"IO":      pass(),
	"IO.read": stage(), // a trace is looked into
	// Site data is that of the target. Cookies are those of a context: a target's
	// session would give the browser's default one, and takes no other.
	"Storage":              pass(given("browserContextId", ownContext("browserContextId"))),
	"Storage.getCookies":   stage(inContext),
	"Storage.setCookies":   stage(inContext),
	"Storage.clearCookies": stage(inContext),
	// What others have copied or selected is not pasted.
	"Input.dispatchKeyEvent":           pass(noPaste),
	"Input.dispatchMouseEvent":         pass(noMiddle),
	"Input.emulateTouchFromMouseEvent": pass(noMiddle),
	// Of these, what is out of order ends the browser.
	"Input.imeSetComposition":              pass(ordered("replacementStart", "replacementEnd"), ordered("selectionStart", "selectionEnd")),
	"Input.dispatchTouchEvent":             pass(atMostItems("touchPoints", 0, touches)),
	"Input.synthesizePinchGesture":         gesture,
	"Input.synthesizeScrollGesture":        gesture,
	"Input.synthesizeTapGesture":           gesture,
	"Emulation.setDisplayFeaturesOverride": pass(atMostItems("features", 1, 1)),

	"Storage.overrideQuotaForOrigin": pass(given("browserContextId", ownContext("browserContextId"))),

	// Measures.
	"Emulation.setDeviceMetricsOverride":   stage(screen...), // what is drawn depends on them
	"Emulation.clearDeviceMetricsOverride": stage(),
	"Page.clearDeviceMetricsOverride":      stage(),
	"Page.setDeviceMetricsOverride":        stage(screen...),
	"Emulation.setVisibleSize":             pass(place),
	"Emulation.setPageScaleFactor":         pass(),
	"Page.captureScreenshot":               stage(inside("clip", atMost(maxScale, "scale"), clipped, pixels("scale"))),
	"Page.printToPDF":                      stage(printed),
	"Page.startScreencast":                 pass(),
	"Page.startScreenRecording":            screenRecording,
	"Page.stopScreenRecording":             screenRecording,

	// Addresses.
	"Page.navigate":                       pass(address),
	"Fetch.continueRequest":               pass(given("url", address)),
	"Network.continueInterceptedRequest":  pass(given("url", address)),
	"Network.loadNetworkResource":         pass(address),
	"Runtime.runIfWaitingForDebugger":     stage(),
	"Page.setDownloadBehavior":            stage(), // the session's holds
	"Security.setIgnoreCertificateErrors": pass(),  // of this page alone; on a root it is refused

	// Whoever hears of a page's dialogs answers them.
	"Page.enable":  stage(),
	"Page.disable": stage(),

	// The session cancels what nobody answers.
	"Page.setInterceptFileChooserDialog": stage(),

	// Files of the machine.
	"DOM.setFileInputFiles":   pass(ownFiles),
	"Page.handleFileChooser":  pass(ownFiles),
	"Input.dispatchDragEvent": pass(dragged),
	"DOM.getFileInfo":         refuse("it shows paths of the machine"),

	// Screens are the browser's, not the page's.
	"Emulation.addScreen":        refuse(everybody),
	"Emulation.removeScreen":     refuse(everybody),
	"Emulation.updateScreen":     refuse(everybody),
	"Emulation.setPrimaryScreen": refuse(everybody),

	// The process's memory and its pressure are everybody's.
	"Memory":                refuse(everybody),
	"Memory.getDOMCounters": pass(),

	"Tracing":              tracing,
	"Tracing.start":        startTracing,
	"SystemInfo":           refuse(machine),
	"HeadlessExperimental": refuse(everybody),
	"DeviceAccess":         refuse(machine),
	"Tethering":            refuse("it opens ports of the machine"),
	"Cast":                 refuse("it looks for devices in the machine's network"),
	"PWA":                  refuse("it installs applications on the machine"),
	"BluetoothEmulation":   refuse(everybody),
	"SmartCardEmulation":   refuse(everybody),
}
