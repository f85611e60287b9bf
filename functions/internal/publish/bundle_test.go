package publish

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/internal/child"
)

// What the bundler dies of is in what was published, and nothing of the host's ends
// with it.
func TestTheBundlerDiesAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		conf Config
		text string
		want string
	}{
		"a deep text":     {Config{}, strings.Repeat("[", 2_000_000), "bundling: the sources are nested too deeply"},
		"too little time": {Config{Introspect: time.Millisecond}, "", "bundling: it did not end within 1ms"},
		"too little room": {Config{Limits: child.Limits{Memory: 64 << 20}}, strings.Repeat("x={a:[1,2,3]};", 2_000_000), "bundling: it took more memory than it may"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, _, err := bundled(t, publisher(t, c.conf), map[string]string{"index.ts": c.text})
			var failure *builds.Failure
			if !errors.As(err, &failure) || failure.Message != c.want {
				t.Errorf("%v", err)
			}
		})
	}
}

// Whatever a program says of other files, none of the host's gets into its bundle, or
// into what is said of it.
func TestTheBundlerReadsTheProgramOnly(t *testing.T) {
	t.Parallel()
	p := publisher(t, Config{})
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(`{"version":3,"sources":["x"],"sourcesContent":["ofTheHost"],"names":[],"mappings":"AAAA","compilerOptions":{"jsxFactory":"ofTheHost"},"ofTheHost`), 0o644); err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(filepath.Dir(secret), "whole.json")
	if err := os.WriteFile(whole, []byte(`{"version":3,"sources":["x"],"sourcesContent":["ofTheHost"],"names":[],"mappings":"AAAA","compilerOptions":{"jsxFactory":"ofTheHost"}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	const jsx = `import "./part.jsx"; `
	for name, files := range map[string]map[string]string{
		"a source map":            {"index.ts": "console.log(1)\n//# sourceMappingURL=" + whole + "\n"},
		"another one":             {"index.ts": "console.log(1)\n/*@ sourceMappingURL=file://" + whole + " */"},
		"extends":                 {"index.ts": jsx, "tsconfig.json": `{"extends":"` + whole + `"}`},
		"extends, of many":        {"index.ts": jsx, "tsconfig.json": `{"extends":["./one.json","` + whole + `"]}`, "one.json": `{}`},
		"extends no JSON":         {"index.ts": jsx, "tsconfig.json": `{"extends":"` + secret + `"}`},
		"extends by a way around": {"index.ts": jsx, "tsconfig.json": `{"extends":"./../` + filepath.Base(filepath.Dir(secret)) + `/whole.json"}`},
		"extends by the next one": {"index.ts": jsx, "tsconfig.json": `{"extends":"./one.json"}`, "one.json": `{"extends":"` + whole + `"}`},
		"a device":                {"index.ts": "console.log(1)\n//# sourceMappingURL=/dev/zero\n", "tsconfig.json": `{"extends":"/dev/zero"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files["part.jsx"] = `globalThis.React = { createElement: () => "plain" }; console.log(<a/>)`
			dir, out, log, err := bundled(t, p, files)
			if err != nil {
				t.Fatalf("%v\n%s", err, log)
			}
			text, err := os.ReadFile(filepath.Join(dir, out))
			if err != nil {
				t.Fatal(err)
			}
			code, sources, _ := strings.Cut(string(text), "//# sourceMappingURL=data:application/json;base64,")
			decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(sources))
			if err != nil || !strings.Contains(string(decoded), "sourcesContent") {
				t.Fatalf("%v: %s", err, decoded)
			}
			if all := code + string(decoded) + log.String(); strings.Contains(all, "ofTheHost") {
				t.Errorf("%s", all)
			}
			if got := node(t, p, dir, out); got != "1" && got != "plain" {
				t.Errorf("%s", got)
			}
		})
	}
	for name, c := range map[string]struct{ text, want string }{
		"an absolute path": {`import "/etc/passwd"`, "this file is not in the archive"},
		"a path that is nowhere, and is not looked for": {`import "/nowhere/at/all"`, "this file is not in the archive"},
		"a path that leads out":                         {`import "../../secret.json"`, "this file is not in the archive"},
	} {
		_, _, _, err := bundled(t, p, map[string]string{"index.ts": c.text})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Settings of TypeScript hold, with those that they extend in the archive.
func TestSettingsOfTypeScript(t *testing.T) {
	t.Parallel()
	p := publisher(t, Config{})
	dir := program(t, map[string]string{
		"app/index.ts": `import { text } from "@lib/text"; import { other } from "#other"; import "./part.jsx"; console.log(text, other);`,
		"app/part.jsx": `const own = (tag) => console.log("made", tag); globalThis.made = <b/>;`,
		"lib/text.ts":  `export const text: string = "from paths";`, "other.ts": `export const other = "by another pattern";`,
		"app/tsconfig.json":   "\ufeff// settings\n{ \"extends\": [\"../base\", \"@tsconfig/none/tsconfig.json\"], /* here */ \"compilerOptions\": {\"jsxFactory\": \"own\", \"comment\": \"// none, }\",}, }",
		"base.json":           `{"compilerOptions":{"jsxFactory":"wrong","paths":{"@lib/*":["./lib/*"],"#other":["./other.ts"],"out":["../../out"]}}}`,
		"tsconfig.json":       `{"compilerOptions":{"jsxFactory":"further"}}`,
		"app/deep/index.html": "",
	})
	log := &lines{}
	out, err := p.bundle(t.Context(), dir, "app/index.ts", log.add)
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	if got := node(t, p, dir, out); got != "made b\nfrom paths by another pattern" {
		t.Errorf("%s\n%s", got, log)
	}
	for _, want := range []string{`app/tsconfig.json: "extends" names what is no file`, "leads out of the archive"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("no %q in %s", want, log)
		}
	}
}
