package conformance

import (
	archive "archive/zip"
	"bytes"
	"testing"
)

// withExtensions is a world with archives to upload, and an extension of
// another project.
func withExtensions(t *testing.T) *world {
	w := build(t, config{})
	const good = `{"manifest_version":3,"name":"Marks","version":"1.0"}`
	for word, files := range map[string]map[string]string{
		"<archive>":     {"manifest.json": good, "js/mark.js": "1"},
		"<in-a-folder>": {"marks/manifest.json": good},
		"<old>":         {"manifest.json": `{"manifest_version":2,"name":"Marks","version":"1.0"}`},
		"<incomplete>":  {"manifest.json": `{"manifest_version":3,"name":"Marks","version":"1.0","content_scripts":[{"matches":["<all_urls>"],"js":["c.js"]}]}`},
		"<climbing>":    {"manifest.json": good, "../x.js": ""},
		"<with-proxy>":  {"manifest.json": `{"manifest_version":3,"name":"Marks","version":"1.0","permissions":["proxy"]}`},
	} {
		w.words[word] = zipOf(t, files)
	}
	return w
}

func zipOf(t testing.TB, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := archive.NewWriter(&b)
	for name, content := range files {
		f := must(z.Create(name))(t)
		must(f.Write([]byte(content)))(t)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
