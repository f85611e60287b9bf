package route

import (
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
		u, err := url.ParseRequestURI(asked)
		if !ok || err != nil || u.Scheme != "" || len(input) > 300 || hasSlashSegment(u) {
			return
		}
		patterns := strings.Split(set, "\n")
		mux := &judge{}
		var ours Table[string]
		for _, p := range patterns {
			if strings.Contains(p, "%") || !mux.takes(p) {
				return
			}
			value, names := ours.At(p)
			*value = strings.Join(append([]string{p}, names...), " ")
		}
		got := found(&ours, u.EscapedPath())
		if want, redirected := mux.found(u); !redirected && !sameAnswer(got, want) {
			t.Errorf("of %q, %q gets %q; a mux says %q", patterns, asked, got, want)
		}
	})
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
