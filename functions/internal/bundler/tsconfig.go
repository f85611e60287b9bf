package bundler

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// tsconfig reads settings of TypeScript. The bundler could do that itself, and would
// read whatever file "extends" names.
type tsconfig struct {
	dir      string
	warnings []string
	read     int // files
}

// none are the settings of a program without any: given to the bundler, it looks for
// no file.
const none = "{}"

// maxConfigs is how many files may extend each other.
const maxConfigs = 20

// maxConfig are the most bytes of such a file.
const maxConfig = 1 << 20

// readTSConfig returns the settings that hold for a directory of a program, as JSON:
// those of the next file above it, with those that it extends in the archive. Packages
// are not installed yet.
func readTSConfig(dir, of string) (settings string, warnings []string) {
	c := &tsconfig{dir: dir}
	for at := of; ; at = path.Dir(at) {
		for _, name := range []string{"tsconfig.json", "jsconfig.json"} {
			file := path.Join(at, name)
			if info, err := os.Lstat(c.path(file)); err != nil || !info.Mode().IsRegular() {
				continue
			}
			text, err := json.Marshal(map[string]any{"compilerOptions": c.options(file, at)})
			if err != nil {
				return none, append(c.warnings, file+": "+err.Error())
			}
			return string(text), c.warnings
		}
		if at == "." {
			return none, nil
		}
	}
}

func (c *tsconfig) path(name string) string { return filepath.Join(c.dir, filepath.FromSlash(name)) }

func (c *tsconfig) warn(format string, args ...any) {
	c.warnings = append(c.warnings, fmt.Sprintf(format, args...))
}

// options returns the compiler's options of a file, over those that it extends, with
// absolute paths. home is the directory of the first file.
func (c *tsconfig) options(file, home string) map[string]any {
	if c.read++; c.read > maxConfigs {
		c.warn("%s is left out: more than %d files extend each other", file, maxConfigs)
		return nil
	}
	said, err := c.parse(file)
	if err != nil {
		c.warn("%s is left out: %v", file, err)
		return nil
	}
	all := map[string]any{}
	for _, base := range bases(said["extends"]) {
		if found, ok := c.find(path.Dir(file), base); ok {
			maps.Copy(all, c.options(found, home))
		} else {
			c.warn(`%s: "extends" names what is no file of the archive, and is left out`, file)
		}
	}
	own, _ := said["compilerOptions"].(map[string]any)
	c.resolve(own, path.Dir(file), home)
	maps.Copy(all, own)
	return all
}

func (c *tsconfig) parse(file string) (said map[string]any, err error) {
	info, err := os.Lstat(c.path(file))
	switch {
	case err != nil || !info.Mode().IsRegular():
		return nil, fs.ErrInvalid
	case info.Size() > maxConfig:
		return nil, fmt.Errorf("it has more than %d bytes", maxConfig)
	}
	text, err := os.ReadFile(c.path(file))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(plainJSON(text), &said); err != nil {
		return nil, errors.New("it is no JSON")
	}
	return said, nil
}

// bases are the files that a file extends, the last one first in rank.
func bases(extends any) (all []string) {
	list, ok := extends.([]any)
	if !ok {
		list = []any{extends}
	}
	for _, one := range list {
		if name, ok := one.(string); ok {
			all = append(all, name)
		}
	}
	return all
}

// find returns a file that another one extends.
func (c *tsconfig) find(from, base string) (string, bool) {
	if !strings.HasPrefix(base, "./") && !strings.HasPrefix(base, "../") {
		return "", false
	}
	name := path.Join(from, base)
	for _, file := range []string{name, name + ".json"} {
		if info, err := os.Lstat(c.path(file)); filepath.IsLocal(file) && err == nil && info.Mode().IsRegular() {
			return file, true
		}
	}
	return "", false
}

// resolve makes the paths among options absolute, and removes those that lead out of
// the program.
func (c *tsconfig) resolve(options map[string]any, from, home string) {
	base := from
	if typed, ok := options["baseUrl"].(string); ok {
		at, ok := c.inside(from, home, typed)
		if ok {
			base, options["baseUrl"] = at, c.path(at)
		} else {
			delete(options, "baseUrl")
		}
	}
	paths, _ := options["paths"].(map[string]any)
	for pattern, targets := range paths {
		list, _ := targets.([]any)
		var kept []string
		for _, target := range list {
			typed, _ := target.(string)
			if at, ok := c.inside(base, home, typed); ok {
				kept = append(kept, c.path(at))
			}
		}
		if paths[pattern] = kept; kept == nil {
			delete(paths, pattern)
		}
	}
}

func (c *tsconfig) inside(from, home, typed string) (string, bool) {
	if rest, ok := strings.CutPrefix(typed, "${configDir}"); ok {
		from, typed = home, "./"+rest
	}
	at := path.Join(from, typed)
	if typed == "" || path.IsAbs(typed) || !filepath.IsLocal(at) {
		c.warn("a path of the settings of TypeScript leads out of the archive and is left out")
		return "", false
	}
	return at, true
}

// plainJSON is JSON without the comments, and the commas behind a last element, that
// settings of TypeScript may have.
func plainJSON(text []byte) []byte {
	out, comma := make([]byte, 0, len(text)), -1 // comma: where one is, with nothing but space behind it
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			end := endOfString(text, i)
			out, i, comma = append(out, text[i:end]...), end-1, -1
		case c == '/' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*'):
			i = endOfComment(text, i) - 1
		case c == ',':
			comma = len(out)
			out = append(out, c)
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			out = append(out, c)
		default:
			if (c == '}' || c == ']') && comma >= 0 {
				out[comma] = ' '
			}
			out, comma = append(out, c), -1
		}
	}
	return out
}

func endOfString(text []byte, from int) int {
	for i := from + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func endOfComment(text []byte, from int) int {
	if text[from+1] == '/' {
		if at := bytes.IndexByte(text[from:], '\n'); at >= 0 {
			return from + at
		}
		return len(text)
	}
	if at := bytes.Index(text[from+2:], []byte("*/")); at >= 0 {
		return from + 2 + at + 2
	}
	return len(text)
}
