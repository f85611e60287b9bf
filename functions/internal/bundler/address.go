package bundler

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// The files of a program become one, and yet each has its own address: a file that
// asks for it gets variables in front of its text, by which the bundler replaces what
// it asks with. A file that declares __dirname itself keeps its own.
const (
	urlName, fileName, dirName = "__droverURL", "__droverFilename", "__droverDirname"
)

var ownAddress = map[string]string{
	"import.meta.url": urlName, "import.meta.filename": fileName, "import.meta.dirname": dirName,
	"__filename": fileName, "__dirname": dirName,
}

// banner is what a bundle begins with. Modules of CommonJS may call require, which a
// module does not have.
func banner(entry string) string {
	up := "./" + strings.Repeat("../", strings.Count(entry, "/"))
	return `import { createRequire as __droverRequire } from "node:module"; import { fileURLToPath as __droverPath, pathToFileURL as __droverFile } from "node:url"; ` +
		`const require = __droverRequire(import.meta.url), __droverSelf = import.meta.url, __droverRoot = __droverPath(new URL("` + up + `", __droverSelf)), __droverAt = (name) => __droverFile(__droverRoot + name).href;`
}

// A shift is how many bytes stand in front of a line that its author did not write.
type shift struct{ line, bytes int }

// addressed puts the address of a file in front of it, where it may ask for that. The
// entry point has the bundle's own, which is how a program tells that it was started
// and not imported; both lie in the same directory.
func (f *files) addressed(name string, text []byte) []byte {
	if !bytes.Contains(text, []byte("meta")) && !bytes.Contains(text, []byte("__dirname")) && !bytes.Contains(text, []byte("__filename")) {
		return text
	}
	rel, err := filepath.Rel(f.dir, name)
	if err != nil {
		return text
	}
	rel = filepath.ToSlash(rel)
	prefix, at := f.address(rel), shift{line: 1}
	var first []byte // for the system, if it is not for the module
	if bytes.HasPrefix(text, []byte("#!")) {
		end := bytes.IndexByte(text, '\n') + 1
		if end == 0 {
			return text
		}
		first, text, at.line = text[:end:end], text[end:], 2
	}
	at.bytes = len(prefix)
	f.mu.Lock()
	f.shifted[rel] = at
	f.mu.Unlock()
	return append(append(first, prefix...), text...)
}

// address declares the variables of a file.
func (f *files) address(rel string) string {
	url := "__droverSelf"
	if rel != f.entry {
		name, _ := json.Marshal(rel) // of a text, it cannot fail
		url = `/* @__PURE__ */ __droverAt(` + string(name) + `)`
	}
	return "var " + urlName + " = " + url + ", " + fileName + " = /* @__PURE__ */ __droverPath(" + urlName + "), " +
		dirName + ` = /* @__PURE__ */ __droverPath(new URL(".", ` + urlName + `)).replace(/(.)[\\/]$/, "$1"); `
}

// column is where a message belongs to in what its author has written.
func (f *files) column(l *api.Location) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at, ok := f.shifted[filepath.ToSlash(l.File)]; ok && at.line == l.Line {
		return max(0, l.Column-at.bytes)
	}
	return l.Column
}
