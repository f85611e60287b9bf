package policy

// Chromium gives sessions with workers and tabs the handlers of pages, and dies
// where those look for a page: Network.setCookies to a worker ends it. So these
// tables name the commands that they are there for, one by one.

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

// onTab are the rules for tabs, which clients attach to for the pages in them.
var onTab = map[string]Rule{}
