package route

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// FuzzAgainstServeMux makes sets of patterns and a path from bytes. Where
// http.ServeMux takes the set, both find the same pattern and the same values.
func FuzzAgainstServeMux(f *testing.F) {
	for _, seed := range []string{
		"/a\n/a/{x}\n/a/b\n/a/{x}/c\n\n/a/b/c", "/v1/{x}/b/{y}\n/v1/a/{x}\n/{x...}\n\n/v1/a/b/c", "/{$}\n/a/\n/a/{x}\n\n/a/b/", "/\n/a/{x...}\n\n/a%2Fb/c",
		"/{x}/{y}/c\n/{x}/b\n/a/{x}\n\n/a/b", "/a/{$}\n/a/{x}\n/a/b/\n\n/a/b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input string) {
		set, asked, ok := strings.Cut(input, "\n\n")
		if ok && len(input) < 300 {
			compare(t, strings.Split(set, "\n"), asked)
		}
	})
}

// TestAgainstServeMux does so with sets that are likely to fit, and holds those
// that a mux refuses against a search through all patterns.
func TestAgainstServeMux(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	compared, searched := 0, 0
	for range 20_000 {
		var patterns []string
		for range 1 + random.IntN(6) {
			var b strings.Builder
			for i := range random.IntN(4) {
				b.WriteString(pick("/a", "/b", fmt.Sprintf("/{v%d}", i)))
			}
			patterns = append(patterns, b.String()+pick("/a", "/{w}", "/{w}", "/{w...}", "/{$}", "/"))
		}
		var path strings.Builder
		for range 1 + random.IntN(5) {
			path.WriteString(pick("/a", "/b", "/c", "/%61", "/a%2Fb", "/~"))
		}
		path.WriteString(pick("", "", "/"))
		if compare(t, patterns, path.String()) {
			compared++
			continue
		}
		searched++
		got := ""
		if value, _ := table(patterns...).Find(path.String()); value != nil {
			got = shape(*value)
		}
		if want := search(patterns, path.String()); got != want {
			t.Errorf("of %q, %s gets %s, not %s", patterns, &path, got, want)
		}
	}
	if compared < 2000 || searched < 2000 {
		t.Errorf("%d compared, %d searched", compared, searched)
	}
}

// compare reports whether a mux has something to say of the set and the path.
func compare(t *testing.T, patterns []string, asked string) bool {
	t.Helper()
	u, err := url.ParseRequestURI(asked)
	if err != nil || u.Scheme != "" || hasSlashSegment(u) {
		return false
	}
	mux := &judge{}
	var ours Table[string]
	for _, p := range patterns {
		if strings.Contains(p, "%") || !mux.takes(p) {
			return false
		}
		value, names := ours.At(p)
		*value = strings.Join(append([]string{p}, names...), " ")
	}
	got := found(&ours, u.EscapedPath())
	want, redirected := mux.found(u)
	if !redirected && !sameAnswer(got, want) {
		t.Errorf("of %q, %q gets %q; a mux says %q", patterns, asked, got, want)
	}
	return !redirected
}

// hasSlashSegment finds a segment that is an escaped slash and nothing else,
// which a mux takes for the end of a path.
func hasSlashSegment(u *url.URL) bool {
	return strings.Contains(strings.ToLower(u.EscapedPath())+"/", "/%2f/")
}

// sameAnswer passes over the value of a rest without a name, which a mux does
// not give.
func sameAnswer(got, want string) bool {
	pattern, _, _ := strings.Cut(want, " ")
	return got == want || strings.HasSuffix(pattern, "/") && strings.HasPrefix(got, want)
}

// judge is a mux that notes what it found.
type judge struct {
	http.ServeMux
	answer string
}

// takes reports whether a mux accepts one pattern more. Those with a method or
// a host are none of a table's, nor those with names beyond ASCII.
func (j *judge) takes(pattern string) (ok bool) {
	defer func() { ok = recover() == nil }()
	names := namesOf(parse(pattern))
	j.HandleFunc(pattern, func(_ http.ResponseWriter, r *http.Request) {
		j.answer = strings.Join(append([]string{pattern}, names...), " ")
		for _, name := range names {
			if name != "" {
				j.answer += " " + r.PathValue(name)
			}
		}
	})
	return true
}

func namesOf(all []segment) (names []string) {
	for _, s := range all {
		if s.kind != literal {
			names = append(names, s.text)
		}
	}
	return names
}

// found reports also whether the mux leads to another path instead, which it
// does where a slash is missing or stands twice.
func (j *judge) found(u *url.URL) (answer string, redirected bool) {
	j.answer = ""
	w := httptest.NewRecorder()
	j.ServeHTTP(w, &http.Request{Method: "GET", URL: u, Host: "example.test"})
	return j.answer, w.Code >= 300 && w.Code < 400
}

// search returns the shape of the pattern that fits a path and comes first,
// kind by kind; "" for none.
func search(patterns []string, path string) (best string) {
	for _, p := range patterns {
		if s := shape(p); fits(parse(p), strings.Split(path, "/")[1:]) && (best == "" || s < best) {
			best = s
		}
	}
	return best
}

// shape is a pattern without names; literals sort before variables, and those
// before rests.
func shape(pattern string) (s string) {
	for _, part := range parse(pattern) {
		s += "/" + map[kind]string{literal: "0" + part.text, variable: "1", rest: "2"}[part.kind]
	}
	return s
}

func fits(pattern []segment, path []string) bool {
	for i, s := range pattern {
		switch {
		case s.kind == rest:
			return i < len(path)
		case i >= len(path), s.kind == variable && path[i] == "", s.kind == literal && s.text != unescaped(path[i]):
			return false
		}
	}
	return len(pattern) == len(path)
}
