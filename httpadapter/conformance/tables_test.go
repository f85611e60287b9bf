package conformance

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	served "github.com/drover-go/drover/runs/actors/platform"
)

// specified is how many operations the two specifications have.
const specified = 37

const documentation = "../../docs/http.md"

// The documentation has every operation of both documents with its conversations, and
// everything that is not served.
func TestTheTablesOfOperations(t *testing.T) {
	t.Parallel()
	was := string(must(os.ReadFile(documentation))(t))
	now := between(t, was, "operations", tableOfOperations(t))
	now = between(t, now, "not served", tableOfNotServed())
	if was == now {
		return
	}
	if !*update {
		t.Fatalf("%s is not as the documents are; run with -update", documentation)
	}
	if err := os.WriteFile(documentation, []byte(now), 0o600); err != nil {
		t.Fatal(err)
	}
}

// between puts a text between two marks of another.
func between(t *testing.T, text, name, table string) string {
	t.Helper()
	begin, end := "<!-- "+name+": begin -->\n", "<!-- "+name+": end -->"
	before, rest, ok := strings.Cut(text, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("there is no place for the table %q", name)
	}
	return before + begin + table + end + after
}

func tableOfOperations(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| Operation | | Conversations |\n|---|---|---|\n")
	played, count := succeeded(t), 0
	for _, d := range loadInterfaces(t) {
		for _, path := range slices.Sorted(maps.Keys(d.doc.Paths.Map())) {
			item := d.doc.Paths.Value(path)
			for _, method := range slices.Sorted(maps.Keys(item.Operations())) {
				origin := "addition"
				if item.GetOperation(method).Extensions["x-drover-addition"] != true {
					origin, count = "specified", count+1
				}
				files := slices.Sorted(maps.Keys(played[method+" "+path]))
				if len(files) == 0 && !testedBySessions(method+" "+path) {
					t.Errorf("%s %s succeeds in no conversation", method, path)
				}
				fmt.Fprintf(&b, "| `%s %s` | %s | %s |\n", method, path, origin, cmp.Or(strings.Join(files, ", "), "tests of `runs/sessions`"))
			}
		}
	}
	if count != specified {
		t.Errorf("%d operations are not marked as additions, and the specifications have %d", count, specified)
	}
	return b.String()
}

// succeeded are the files in which each operation succeeds.
func succeeded(t *testing.T) map[string]map[string]bool {
	files := map[string]map[string]bool{}
	for _, path := range scripts(t) {
		for _, st := range load(t, path).steps {
			if st.wait != "" || !strings.HasPrefix(string(st.response.Data), "2") && !strings.HasPrefix(string(st.response.Data), "410") {
				continue
			}
			if route := findRoute(t, readRequest(t, complete(st.request))); route != nil {
				key := route.Method + " " + route.Path
				if files[key] == nil {
					files[key] = map[string]bool{}
				}
				files[key][strings.TrimSuffix(filepath.Base(path), ".txtar")] = true
			}
		}
	}
	return files
}

// testedBySessions reports whether an operation is one of playedBySessions.
func testedBySessions(operation string) bool {
	for key := range playedBySessions {
		if strings.HasPrefix(key, operation+" ") {
			return true
		}
	}
	return false
}

func tableOfNotServed() string {
	methods := map[string][]string{}
	for _, r := range served.NotServed() {
		methods[r.Pattern] = append(methods[r.Pattern], r.Method)
	}
	var b strings.Builder
	b.WriteString("| Operation; `…` is what is not among [all operations](#all-operations) | Answer |\n|---|---|\n")
	for _, path := range slices.Sorted(maps.Keys(methods)) {
		fmt.Fprintf(&b, "| `%s %s` | 400 `not-implemented` |\n", strings.Join(methods[path], " "), strings.Replace(path, "{rest...}", "…", 1))
	}
	return b.String()
}
