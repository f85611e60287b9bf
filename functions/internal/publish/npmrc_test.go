package publish

import (
	"os"
	"strings"
	"testing"
)

// The host's environment is not given to whom a program asks for packages.
func TestTheEnvironmentStaysHere(t *testing.T) {
	const secret = "proxy-password"
	t.Setenv("HTTPS_PROXY", "http://user:"+secret+"@127.0.0.1:1")
	t.Setenv("NO_PROXY", "127.0.0.1")
	p := publisher(t, Config{})
	from := newRegistry(t, map[string]pack{"@acme/dep": {"1.0.0", `module.exports = "dep"`}})
	var rc string
	for _, line := range []string{
		"@acme:registry=URL/${HTTPS_PROXY}/", `@acme:registry="URL/\u0024{HTTPS_PROXY}/"`, "@acme:registry=URL/${HTTPS_PROXY-none}/",
		"//URL/${HTTPS_PROXY}/:_authToken=x", "color=1\r@acme:registry=URL/${HTTPS_PROXY}/\r",
	} {
		rc += "@acme:registry=URL\n" + line + "\n"
	}
	rc = strings.ReplaceAll(rc, "URL", from.URL)
	dir, log := program(t, map[string]string{"package.json": wantsDep, ".npmrc": rc}), &lines{}
	if _, err := p.Install(t.Context(), Wanted{Project: "a"}, dir, log.add); err != nil {
		t.Errorf("%v\n%s", err, log)
	}
	if strings.Contains(from.paths(), secret) || !strings.Contains(from.paths(), "dep") || strings.Count(log.String(), "Left out line") != 6 {
		t.Errorf("%s\n%s", from.paths(), log)
	}
	if text, err := os.ReadFile(dir + "/.npmrc"); err != nil || string(text) != strings.Repeat("@acme:registry="+from.URL+"\n", 5) {
		t.Errorf("%q %v", text, err)
	}
}

func TestSettingsOfInstallers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"registry=https://a\n # no\n; no\n\n": "registry=https://a\n", "@a:registry = http://a": "@a:registry = http://a\n",
		"//a.b/c/:_authToken=x=y": "//a.b/c/:_authToken=x=y\n", "legacy-peer-deps=true": "legacy-peer-deps=true\n", "hoist-pattern[]=*": "hoist-pattern[]=*\n",
		"registry=file:///etc/passwd": "", "git=/tmp/x": "", "script-shell=/tmp/x": "", "ignore-scripts=false": "", "cafile=/etc/shadow": "", "omit=": "",
		"_authToken=${X}": "", `registry=https://a\`: "", "[section]\nregistry=https://a": "registry=https://a\n", "registry": "", "\ufeffregistry=https://a": "registry=https://a\n",
		"node-options=--require=/tmp/x": "", "//a/:certfile=/etc/shadow": "",
	} {
		log := &lines{}
		if got := string(filterRC([]byte(text), log.add)); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
		if strings.Contains(log.String(), "authToken") {
			t.Errorf("%s", log)
		}
	}
}

func TestSettingsOfPnpm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"packages:\n  - '!a'\n": false, "registries:\n  default: http://a/${HTTPS_PROXY}\n": true, `a: "\u0024{X}"`: true, "a: !!binary JHtYfQ==": true,
	} {
		if got := fillsIn([]byte(text)); got != want {
			t.Errorf("%v: %s", got, text)
		}
	}
}
