package visible

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

func addGolden(f *testing.F, pattern string) {
	files, _ := filepath.Glob(filepath.Join("testdata", pattern))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range txtar.Parse(data).Files {
			if strings.HasSuffix(part.Name, ".html") {
				f.Add(string(part.Data))
			}
		}
	}
}

// FuzzRead holds that any page gives a sound graph, and the same one twice,
// also under small limits.
func FuzzRead(f *testing.F) {
	addGolden(f, "*.txtar")
	for _, s := range shapes {
		f.Add(s.page(3))
	}
	f.Fuzz(func(t *testing.T, src string) {
		got := read(t, src, Options{})
		check(t, "page", got)
		if dumped(got...) != dumped(read(t, src, Options{})...) {
			t.Error("another graph the second time")
		}
		check(t, "small", read(t, src, Options{MaxEntities: 2, MaxValues: 3, MaxValueBytes: 5, MaxColumns: 2}))
	})
}

// FuzzTable makes tables of any rows and cells.
func FuzzTable(f *testing.F) {
	f.Add("a|b;1|2")
	f.Add("h rowspan=2|h colspan=3;c|d;|;x")
	f.Fuzz(func(t *testing.T, rows string) {
		var b strings.Builder
		b.WriteString("<table>")
		for row := range strings.SplitSeq(rows, ";") {
			b.WriteString("<tr>")
			for c := range strings.SplitSeq(row, "|") {
				tag, rest := "td", c
				if s, ok := strings.CutPrefix(c, "h "); ok {
					tag, rest = "th", s
				}
				b.WriteString("<" + tag + " " + rest + ">" + rest)
			}
		}
		check(t, "table", read(t, b.String(), Options{}))
	})
}
