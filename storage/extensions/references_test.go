package extensions

import (
	"errors"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

// part is an archive whose manifest has one key more, beside some files that it
// may name.
func part(t testing.TB, more string, files ...entry) []byte {
	t.Helper()
	files = append(files, entry{name: "a.js", content: "1"}, entry{name: "a.html", content: "<p>"}, entry{name: "my page.html", content: "<p>"},
		entry{name: "rules.json", content: "[]"}, entry{name: "icon.png", content: "x"}, entry{name: "schema.json", content: `{"type":"object"}`})
	return withManifest(t, strings.TrimSuffix(goodManifest, "}")+","+more+"}", files...)
}

func script(more string) string {
	return `"content_scripts":[{"matches":["<all_urls>"],"js":["a.js"]},{` + more + `}]`
}

func forPages(pattern string) string { return script(`"js":["a.js"],"matches":["` + pattern + `"]`) }

func policy(text string) string {
	return `"content_security_policy":{"extension_pages":"` + text + `"}`
}

func texts(locale, text string) []entry {
	return []entry{{name: "_locales/en/messages.json", content: "{}"}, {name: "_locales/" + locale + "/messages.json", content: text}}
}

func TestWhatAManifestNamesIsMissed(t *testing.T) {
	t.Parallel()
	for more, says := range map[string]string{
		script(`"matches":["<all_urls>"],"js":["c.js"]`):                         `file has no "c.js", which its manifest.json names in content_scripts[1].js`,
		script(`"matches":["<all_urls>"],"css":["c.css"]`):                       `file has no "c.css", which its manifest.json names in content_scripts[1].css`,
		script(`"matches":["<all_urls>"],"js":["A.js"]`):                         `file has no "A.js"`,
		script(`"matches":["<all_urls>"],"js":"a.js"`):                           "content_scripts[1].js is not a list",
		script(`"matches":["<all_urls>"],"js":[7]`):                              "content_scripts[1].js is not a string",
		script(`"matches":["<all_urls>"]`):                                       "content_scripts[1] has neither js nor css",
		script(`"matches":[],"js":["a.js"]`):                                     "one match pattern or more",
		script(`"js":["a.js"]`):                                                  "one match pattern or more",
		script(`"matches":["<all_urls>"],"js":["a.js"],"exclude_matches":["x"]`): `exclude_matches[0] is "x"`,
		script(`"matches":["<all_urls>"],"js":["a.js"],"run_at":"soon"`):         `run_at is "soon"`,
		`"content_scripts":{}`:                                                   "content_scripts is not a list",
		`"content_scripts":[null]`:                                               "content_scripts[0] is not an object",
		`"background":{"service_worker":"sw.js"}`:                                `no "sw.js", which its manifest.json names in background.service_worker`,
		`"background":{"service_worker":1}`:                                      "background.service_worker is not a string",
		`"background":{"service_worker":"a.js","type":"x"}`:                      `background.type is "x"`,
		`"description":1`:                                                        "description is not a string",
		`"minimum_chrome_version":120`:                                           "minimum_chrome_version is not a string",
		`"commands":"x"`:                                                         "commands is not an object",
		`"background":"sw.js"`:                                                   "background is not an object",
		`"icons":{"16":"icon.png","32":"no.png"}`:                                `no "no.png", which its manifest.json names in icons.32`,
		`"icons":[]`:                                         "icons is not an object",
		`"action":{"default_icon":"no.png"}`:                 "in action.default_icon",
		`"action":{"default_icon":{"16":"no.png"}}`:          "in action.default_icon.16",
		`"action":{"default_popup":"no.html"}`:               "in action.default_popup",
		`"action":{"default_popup":"https://x.test/a.html"}`: "in action.default_popup",
		`"options_page":"no.html"`:                           "in options_page",
		`"options_ui":{"page":"no.html"}`:                    "in options_ui.page",
		`"devtools_page":"no.html"`:                          "in devtools_page",
		`"side_panel":{"default_path":"no.html"}`:            "in side_panel.default_path",
		`"chrome_url_overrides":{"newtab":"no.html"}`:        "in chrome_url_overrides.newtab",
		`"declarative_net_request":{"rule_resources":[{"id":"r","enabled":true,"path":"r"}]}`: "in declarative_net_request.rule_resources[0].path",
		`"storage":{"managed_schema":"no.json"}`:                                              "in storage.managed_schema",
		`"web_accessible_resources":["a.js"]`:                                                 "web_accessible_resources[0] is not an object",
		`"web_accessible_resources":[{"resources":["a.js"],"matches":["x"]}]`:                 "no match pattern: it has no ://",
		`"host_permissions":["nonsense"]`:                                                     `host_permissions[0] is "nonsense", which is no match pattern: it has no ://`,
		`"externally_connectable":{"matches":["x"]}`:                                          "no match pattern",
		forPages("https://x.test"):                                                            "no match pattern: it has no path",
		forPages("https:///*"):                                                                "no match pattern: it has no host",
		forPages("https://*./*"):                                                              "no match pattern: it has no host",
		forPages("https://a.*.test/*"):                                                        "a * may only stand for",
		forPages("https://*foo/*"):                                                            "a * may only stand for",
		forPages("https://x.test:99999/*"):                                                    "its port",
		forPages("https://u@x.test/*"):                                                        "it names a user",
		forPages("chrome://*/*"):                                                              "its scheme",
		forPages("HTTPS://x.test/*"):                                                          "its scheme",
		policy("script-src 'self' 'unsafe-eval'"):                                             `lets in code of "'unsafe-eval'"`,
		policy("script-src 'self' https://x.test; object-src 'self'"):                         `lets in code of "https://x.test"`,
		policy("script-src 'self' blob:"):                                                     `lets in code of "blob:"`,
		policy("default-src *"):                                                               `lets in code of "*"`,
		policy("script-src 'self'; worker-src https://x.test"):                                `lets in code of "https://x.test"`,
		policy("script-src http://localhost.evil.test"):                                       "lets in code",
		policy("img-src *"):                                                                   "neither script-src nor default-src",
		`"content_security_policy":"script-src 'self'"`:                                       "content_security_policy is not an object",
	} {
		refused(t, more, part(t, more), says)
	}
}

func refused(t *testing.T, name string, archive []byte, says string) {
	t.Helper()
	_, err := filled(Limits{}).take(t.Context(), archive)
	var e *errtypes.Error
	if !errors.As(err, &e) || e.Kind != errtypes.Invalid || e.Field != "file" || !strings.Contains(e.Message, says) {
		t.Errorf("%s: %v, want one that says %q", name, err, says)
	}
}

func TestTextsThatNoBrowserReads(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"{bad":                       "not a JSON object of objects",
		"[]":                         "not a JSON object of objects",
		"null":                       "not a JSON object of objects",
		`{"a":"x"}`:                  "not a JSON object of objects",
		`{"a":{}}`:                   `has "_locales/de/messages.json", whose "a" has no text in "message"`,
		`{"a":{"message":1}}`:        "has no text",
		strings.Repeat(" ", 1<<20+1): "more than 1048576 bytes",
	} {
		refused(t, text[:min(len(text), 20)], part(t, `"default_locale":"en"`, texts("de", text)...), says)
	}
}

// What browsers load is let in, also where it is not quite what was meant.
func TestWhatAManifestNamesIsThere(t *testing.T) {
	t.Parallel()
	for _, more := range []string{
		script(`"matches":["<all_urls>"],"js":["/a.js","./a.js","a.js"],"css":[],"run_at":"document_idle"`),
		`"background":{"service_worker":"/a.js","type":"module","scripts":["nobody.js"]}`,
		`"icons":{"16":"icon.png"},"action":{"default_icon":{"16":"icon.png"},"default_popup":""}`,
		`"action":{"default_icon":"icon.png","default_popup":"my%20page.html"}`,
		`"options_ui":{"page":"a.html?x#y","open_in_tab":true},"devtools_page":"a.html","side_panel":{"default_path":"a.html"}`,
		`"chrome_url_overrides":{"newtab":"a.html"},"storage":{"managed_schema":"schema.json"}`,
		`"declarative_net_request":{"rule_resources":[{"id":"r","enabled":true,"path":"rules.json"}]}`,
		`"web_accessible_resources":[{"resources":["nobody.js.map","img/*"],"matches":["<all_urls>"]}]`,
		`"host_permissions":["chrome://favicon/*","*://*/*","wss://x.test/*"],"minimum_chrome_version":"999"`,
		forPages("https://x.test:*/*"), forPages("https://x.test:80/*"), forPages("file:///*"), forPages("file://*"), forPages("*://*.x.test/a*b"),
		forPages("https://[::1]/*"), forPages("https://[::1]:80/*"), forPages("https://größe.test/*"),
		policy("default-src 'self'"), policy("script-src 'self' 'wasm-unsafe-eval' http://localhost:3000; object-src 'self'"), policy("SCRIPT-SRC 'none'; img-src *"),
		`"content_security_policy":{"sandbox":"sandbox allow-scripts; script-src 'self' 'unsafe-eval'"}`,
	} {
		if _, err := filled(Limits{}).take(t.Context(), part(t, more)); err != nil {
			t.Errorf("%s: %v", more, err)
		}
	}
	for _, text := range []string{"\ufeff{}", "// mine\n{}", `{"a":{"message":"x","description":"y"}}`} {
		if _, err := filled(Limits{}).take(t.Context(), part(t, `"default_locale":"en"`, texts("de", text)...)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
