package route

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// table has patterns whose values are themselves.
func table(patterns ...string) *Table[string] {
	t := &Table[string]{}
	for _, p := range patterns {
		value, _ := t.At(p)
		*value = p
	}
	return t
}

// found is the pattern that fits and the values of its variables, "" for none.
func found(t *Table[string], path string) string {
	value, variables := t.Find(path)
	if value == nil {
		return ""
	}
	return strings.Join(append([]string{*value}, variables...), " ")
}

func TestWhatIsWrittenOutGoesFirst(t *testing.T) {
	all := table(
		"/v1/functions", "/v1/functions/{id}", "/v1/functions/{id}/invoke", "/v1/functions/{id}/versions",
		"/v1/functions/builds", "/v1/functions/builds/{id}", "/v1/functions/builds/{id}/logs", "/v1/functions/invocations/{id}",
		"/a/{b}/c", "/a/b/{c}", "/a/b/x/d", "/a/{b}/{c}/e", "/{x}/b/c/f",
	)
	for path, want := range map[string]string{
		"/v1/functions":                "/v1/functions",
		"/v1/functions/7":              "/v1/functions/{id} 7",
		"/v1/functions/builds":         "/v1/functions/builds",
		"/v1/functions/builds/7":       "/v1/functions/builds/{id} 7",
		"/v1/functions/builds/invoke":  "/v1/functions/builds/{id} invoke",
		"/v1/functions/7/invoke":       "/v1/functions/{id}/invoke 7",
		"/v1/functions/builds/7/logs":  "/v1/functions/builds/{id}/logs 7",
		"/v1/functions/invocations/7":  "/v1/functions/invocations/{id} 7",
		"/v1/functions/invocations":    "/v1/functions/{id} invocations",
		"/v1/functions/builds/7/other": "",
		"/a/b/c":                       "/a/b/{c} c",
		"/a/z/c":                       "/a/{b}/c z",
		"/a/b/x/d":                     "/a/b/x/d",
		"/a/b/x/e":                     "/a/{b}/{c}/e b x", // back from two literals
		"/a/b/c/f":                     "/{x}/b/c/f a",     // and from all
		"/a/b/c/g":                     "",
	} {
		if got := found(all, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestPathsFitAsTheyAre(t *testing.T) {
	all := table("/{$}", "/a", "/a/{x}", "/b/{$}", "/c/", "/c/d", "/e/{x...}", "/a~b/c", "/é/{x}/y")
	for path, want := range map[string]string{
		"/": "/{$}", "": "", "a": "", "*": "", "//": "",
		"/a": "/a", "/a/": "", "/a/b": "/a/{x} b", "/a/b/": "", "/A": "",
		"/%61": "/a", "/a/b%2Fc": "/a/{x} b/c", "/a/%2E%2E": "/a/{x} ..", "/a/%20%25+": "/a/{x}  %+", "/a/owner~name": "/a/{x} owner~name", "/a/%zz": "/a/{x} %zz",
		"/b": "", "/b/": "/b/{$}", "/b/c": "",
		"/c": "", "/c/": "/c/ ", "/c/d": "/c/d", "/c/d/": "/c/ d/", "/c/x/y%2Fz": "/c/ x/y/z",
		"/e": "", "/e/": "/e/{x...} ", "/e/f/g": "/e/{x...} f/g",
		"/a~b/c": "/a~b/c", "/a%7Eb/c": "/a~b/c", "/%C3%A9/1/y": "/é/{x}/y 1", "/é/1/y": "/é/{x}/y 1",
	} {
		if got := found(all, path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

// What one path can be asked for may be registered under several names.
func TestPatternsOfOneShapeHaveOneValue(t *testing.T) {
	var all Table[[]string]
	for _, p := range []string{"/a/{id}/b", "/a/{name}/b", "/a/{id}", "/c/", "/c/{rest...}"} {
		value, names := all.At(p)
		*value = append(*value, p+" "+strings.Join(names, ","))
	}
	for path, want := range map[string][]string{
		"/a/1/b": {"/a/{id}/b id", "/a/{name}/b name"}, "/a/1": {"/a/{id} id"}, "/c/x": {"/c/ ", "/c/{rest...} rest"},
	} {
		if got, _ := all.Find(path); cmp.Diff(want, *got) != "" {
			t.Errorf("%s: %q", path, *got)
		}
	}
}

func TestMalformedPatternsPanic(t *testing.T) {
	for _, p := range []string{
		"", "a", "{a}", "//", "/a//b", "/{}", "/{a", "/a}", "/x{a}", "/{a}x", "/{a b}", "/{a.b}", "/{1}", "/{$}/a", "/{a...}/b", "/{...}",
		"/{a}/{a}", "/{a}/{a...}", "/{{a}}", "GET /a", "/a/{b/c}",
	} {
		func() {
			defer func() {
				if said, _ := recover().(string); !strings.Contains(said, "route: ") {
					t.Errorf("%q is taken (%v)", p, said)
				}
			}()
			table(p)
		}()
	}
}

// Values are not those of a way that led nowhere.
func TestVariablesAreThoseOfThePattern(t *testing.T) {
	all := table("/{a}/{b}/{c}/x", "/1/{b}/{c}/{d}/y", "/{a}/2/{rest...}")
	if got, want := found(all, "/1/3/4/x"), "/{a}/{b}/{c}/x 1 3 4"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := found(all, "/1/2/4/5/z"), "/{a}/2/{rest...} 1 4/5/z"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
