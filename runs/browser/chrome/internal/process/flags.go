package process

import (
	"cmp"
	"net"
	"runtime"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/workdir"
)

// Features that would talk to servers of the browser's maker, keep renderers
// in reserve that nobody asked for, put up surfaces that nobody sees, or bring a
// page back without loading it, for whose events clients wait.
var disabledFeatures = []string{
	"AimEnabled",
	"AimServerEligibilityEnabled",
	"AimServerRequestOnStartupEnabled",
	"AutofillServerCommunication",
	"BackForwardCache",
	"CertificateTransparencyComponentUpdater",
	"DialMediaRouteProvider",
	"GlobalMediaControls",
	"InterestFeedContentSuggestions",
	"LensOverlay",
	"MediaRouter",
	"NetworkTimeServiceQuerying",
	"OptimizationHints",
	"PreconnectToSearch",
	"PreloadTopChromeWebUI",
	"SearchEnginePreconnect2",
	"Translate",
	// It has the browser answer for names of its own on the local network. No
	// address needs hiding, for none is found: see guardFlags.
	"WebRtcHideLocalIpsWithMdns",
	// The popups of the address bar are pages, two a window, in a process of
	// their own: most of what a session would cost.
	"WebUIOmniboxAimPopup",
	"WebUIOmniboxFullPopup",
	"WebUIOmniboxPopup",
}

// quietFlags keep the browser to itself: no traffic, windows or questions of
// its own. The popup blocker stays on: only what a click opens becomes a tab.
var quietFlags = []string{
	"--allow-browser-signin=false",
	"--disable-background-networking",
	"--disable-backgrounding-occluded-windows",
	"--disable-background-timer-throttling",
	"--disable-breakpad",
	"--disable-client-side-phishing-detection",
	"--disable-component-extensions-with-background-pages",
	"--disable-component-update",
	"--disable-crash-reporter",
	"--disable-default-apps",
	"--disable-domain-reliability",
	"--disable-features=" + strings.Join(disabledFeatures, ","),
	"--disable-hang-monitor",
	"--disable-prompt-on-repost",
	"--disable-renderer-backgrounding",
	"--disable-search-engine-choice-screen",
	"--disable-sync",
	"--force-color-profile=srgb",
	"--hide-scrollbars",
	"--media-router=0",
	"--metrics-recording-only",
	"--mute-audio",
	"--no-default-browser-check",
	"--no-first-run",
	"--no-pings",
	"--no-service-autorun",
	"--password-store=basic",
	"--safebrowsing-disable-auto-update",
	"--use-mock-keychain",
}

// guardFlags close every way out but the proxy of a session's own context:
// what belongs to no session goes to the proxy at denyAddr, which refuses
// everything; names are never looked up here; nothing is sent past a proxy
// over UDP.
func guardFlags(denyAddr string) []string {
	return []string{
		"--proxy-server=http://" + denyAddr,
		"--proxy-bypass-list=<-loopback>",
		"--host-resolver-rules=MAP *.local 192.0.2.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--disable-quic",
	}
}

// guardPreferences are of the guards what no flag can say. Pages that connect to
// each other (WebRTC) open UDP ports on all interfaces even where nothing may be
// sent from them. They find no port but the one that a proxy that refuses
// everything holds, so they open none.
func (o Options) guardPreferences(denyAddr string) map[string]map[string]any {
	_, port, err := net.SplitHostPort(cmp.Or(o.Away, denyAddr))
	if o.Unguarded || err != nil {
		return nil
	}
	return map[string]map[string]any{"webrtc": {"udp_port_range": port + "-" + port}}
}

// extensionFlags let a session's own extensions in, and only over the connection.
func (o Options) extensionFlags() []string {
	if o.Extensions {
		return []string{"--enable-unsafe-extension-debugging"}
	}
	return []string{"--disable-extensions"}
}

// arguments is the command line of one browser.
func (o Options) arguments(profile, denyAddr, version string, noSandbox bool) []string {
	args := slices.Concat(quietFlags, o.extensionFlags(), o.Kind.plainFlags(o.Windowed, version), []string{
		"--remote-debugging-pipe",
		"--user-data-dir=" + profile,
	})
	if !o.Unguarded {
		args = append(args, guardFlags(denyAddr)...)
		args = append(args, "--ignore-certificate-errors-spki-list="+egress.LeafKeyHash()) // of sessions' proxies: see egress.TLS
	}
	if !o.Windowed {
		args = append(args, "--headless", "--disable-gpu")
	}
	if noSandbox {
		args = append(args, "--no-sandbox")
	}
	if !roomyShm() {
		args = append(args, "--disable-dev-shm-usage") // it has its own temporary directory
	}
	args = append(args, awayFlags(o.Away)...)
	if o.Profile != "" {
		args = append(args, "--restore-last-session", // or session cookies are thrown away; of tabs, see tidyProfile
			"--disk-cache-size=67108864") // 64 MiB: the profile may lie in memory
	}
	return append(args, "--no-startup-window")
}

// roomyShm reports whether /dev/shm is large enough for a browser, which it is
// not in many containers. Browsers crash when it fills up.
func roomyShm() bool {
	free, known := workdir.Free("/dev/shm")
	return runtime.GOOS != "linux" || known && free >= 512<<20
}

// keptEnv are the variables of the host that a browser needs. The others stay
// with the host: they hold secrets, and flags that would undo the guards.
var keptEnv = []string{
	"PATH", "LANG", "LANGUAGE", "TZ", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
	"FONTCONFIG_FILE", "FONTCONFIG_PATH", "LD_LIBRARY_PATH", "CHROME_DEVEL_SANDBOX", "LC_*",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "PROGRAMFILES", "PROGRAMDATA", // Windows
}

// environment is that of a browser: what it writes outside its profile, it
// writes into the given home and temporary directory.
func environment(home, tmp string) []string {
	return append(child.Inherit(keptEnv...),
		"HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home,
		"TMPDIR="+tmp, "TEMP="+tmp, "TMP="+tmp)
}
