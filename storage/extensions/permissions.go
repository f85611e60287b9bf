package extensions

import (
	"slices"
	"strings"
)

// allowed are the permissions that an extension may ask for: those with which
// it gets no further than pages of its session do, and learns nothing of the
// machine. Others are refused, those that are not known here as well. Of those
// that people may miss: proxy and privacy would lead past the session's way out,
// since what an extension says counts for more than the command line;
// nativeMessaging to programs of the machine; downloads to files that no session
// takes; management to other extensions. The permission debugger is the host's
// choice: see checkDebugger.
var allowed = []string{
	"activeTab", "alarms", "background", "bookmarks", "browsingData", "clipboardRead", "clipboardWrite", "contextMenus",
	"cookies", "declarativeContent", "declarativeNetRequest", "declarativeNetRequestFeedback", "declarativeNetRequestWithHostAccess",
	"favicon", "fontSettings", "geolocation", "history", "identity", "identity.email", "idle", "notifications", "offscreen",
	"pageCapture", "readingList", "scripting", "search", "sessions", "sidePanel", "storage", "tabCapture", "tabGroups", "tabs",
	"topSites", "tts", "ttsEngine", "unlimitedStorage", "webNavigation", "webRequest", "webRequestAuthProvider", "webRequestBlocking",
}

// checkPermissions also refuses what may be asked for later: a page of the
// extension could get it with a click.
func (m manifest) checkPermissions() error {
	for _, key := range []string{"permissions", "optional_permissions"} {
		list, err := m.texts(key)
		if err != nil {
			return err
		}
		for _, p := range list {
			if p != debugger && !isPattern(p) && !slices.Contains(allowed, p) {
				return invalid("has a manifest.json that asks for the permission %s, which extensions do not have here", quoted(p))
			}
		}
	}
	for _, key := range []string{"host_permissions", "optional_host_permissions"} {
		if _, err := m.texts(key); err != nil {
			return err
		}
	}
	return nil
}

// debugger is the permission to speak the browser's protocol.
const debugger = "debugger"

// checkDebugger refuses it where the host does not allow it. It is apart from the
// other permissions since the host may change its mind after an upload.
func (m manifest) checkDebugger(allowed bool) error {
	asks, err := m.debugs()
	if err == nil && asks && !allowed {
		err = invalid("has a manifest.json that asks for the permission %q, which extensions have only on hosts that allow it (--debugger-extensions)", debugger)
	}
	return err
}

// debugs reports whether it is asked for, at once or for later.
func (m manifest) debugs() (bool, error) {
	for _, key := range []string{"permissions", "optional_permissions"} {
		list, err := m.texts(key)
		if err != nil || slices.Contains(list, debugger) {
			return err == nil, err
		}
	}
	return false, nil
}

// isPattern reports whether a permission stands for hosts. What hosts the
// session may reach, its way out says.
func isPattern(p string) bool { return p == "<all_urls>" || strings.Contains(p, "://") }

// texts is a list of strings in the manifest; none where there is no list.
func (m manifest) texts(key string) (list []string, err error) {
	value, there := m.all[key]
	if !there {
		return nil, nil
	}
	all, ok := value.([]any)
	for _, one := range all {
		s, is := one.(string)
		ok = ok && is
		list = append(list, s)
	}
	if !ok {
		return nil, invalid("has a manifest.json whose %s is not a list of strings", key)
	}
	return list, nil
}
