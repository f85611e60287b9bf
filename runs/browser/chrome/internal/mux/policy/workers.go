package policy

// Chromium gives sessions with frames, workers and tabs the handlers of pages, and
// dies where those look for a page: Network.setCookies to a worker ends it, and
// Input.synthesizePinchGesture to a frame. So these tables name the commands
// that they are there for, one by one.

const wholePage = "it is about the whole page; send it to the page's session"

// onFrame are the rules for frames where they differ from those for pages.
var onFrame = map[string]Rule{
	"Input":     refuse(wholePage),
	"Emulation": refuse(wholePage),

	// What clients tell all frames of a page.
	"Emulation.clearGeolocationOverride":          pass(),
	"Emulation.setAutoDarkModeOverride":           pass(),
	"Emulation.setAutomationOverride":             pass(),
	"Emulation.setCPUThrottlingRate":              pass(),
	"Emulation.setDefaultBackgroundColorOverride": pass(),
	"Emulation.setDeviceMetricsOverride":          onPage["Emulation.setDeviceMetricsOverride"],
	"Emulation.clearDeviceMetricsOverride":        onPage["Emulation.clearDeviceMetricsOverride"],
	"Emulation.setEmulatedMedia":                  pass(),
	"Emulation.setEmulatedVisionDeficiency":       pass(),
	"Emulation.setFocusEmulationEnabled":          pass(),
	"Emulation.setGeolocationOverride":            pass(),
	"Emulation.setHardwareConcurrencyOverride":    pass(),
	"Emulation.setIdleOverride":                   pass(),
	"Emulation.clearIdleOverride":                 pass(),
	"Emulation.setLocaleOverride":                 pass(),
	"Emulation.setScriptExecutionDisabled":        pass(),
	"Emulation.setScrollbarsHidden":               pass(),
	"Emulation.setTimezoneOverride":               pass(),
	"Emulation.setTouchEmulationEnabled":          pass(),
	"Emulation.setUserAgentOverride":              pass(),
}

// anywhere are the rules of what every session takes.
var anywhere = map[string]Rule{
	"Schema":                          pass(),
	"Browser.getVersion":              pass(),
	"Runtime.runIfWaitingForDebugger": stage(),
	"Target.attachToTarget":           shared["Target.attachToTarget"],
	"Target.detachFromTarget":         shared["Target.detachFromTarget"],
	"Target.getTargetInfo":            shared["Target.getTargetInfo"],
	"Target.getTargets":               shared["Target.getTargets"],
	"Target.setAutoAttach":            shared["Target.setAutoAttach"],
	"Target.setDiscoverTargets":       shared["Target.setDiscoverTargets"],
}

// onWorker are the rules for workers of all kinds.
var onWorker = map[string]Rule{
	"Console": pass(), "Debugger": pass(), "EventBreakpoints": pass(), "HeapProfiler": pass(), "Inspector": pass(),
	"IO": pass(), "IO.read": stage(), "Log": pass(), "Performance": pass(), "Profiler": pass(), "Runtime": pass(),

	"Fetch":                 pass(),
	"Fetch.continueRequest": pass(given("url", address)),

	"Network.disable":                        pass(),
	"Network.emulateNetworkConditions":       pass(),
	"Network.enable":                         pass(),
	"Network.getRequestPostData":             pass(),
	"Network.getResponseBody":                pass(),
	"Network.overrideNetworkState":           pass(),
	"Network.setBlockedURLs":                 pass(),
	"Network.setBypassServiceWorker":         pass(),
	"Network.setCacheDisabled":               pass(),
	"Network.setExtraHTTPHeaders":            pass(),
	"Network.setUserAgentOverride":           pass(),
	"Network.emulateNetworkConditionsByRule": pass(),

	"Emulation.setUserAgentOverride": pass(),
}

// onSharedWorker are the rules for shared and service workers where they differ
// from those for others. A session with one goes on when the worker is stopped,
// or ends with its last page; Chromium ends when it is asked for a body then.
var onSharedWorker = map[string]Rule{
	"Network.getResponseBody": alone(endsBrowser),
}

// onTab are the rules for tabs, which clients attach to for the pages in them.
var onTab = map[string]Rule{}
