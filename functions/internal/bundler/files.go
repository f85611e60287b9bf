package bundler

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

// files gives the bundler the files of a program, and no others.
type files struct {
	dir, entry string

	mu      sync.Mutex
	shifted map[string]shift // by path, relative to dir
}

var errOutside = errors.New("this file is not in the archive")

func (f *files) setup(b api.PluginBuild) {
	b.OnResolve(api.OnResolveOptions{Filter: `^(/|\.\.?(/|$))`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		name := a.Path
		if !filepath.IsAbs(name) {
			name = filepath.Join(a.ResolveDir, filepath.FromSlash(name))
		}
		if !inside(f.dir, name) {
			return api.OnResolveResult{}, errOutside
		}
		return api.OnResolveResult{}, nil // as it does by itself
	})
	b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "file"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		text, err := f.load(a.Path)
		if err != nil {
			return api.OnLoadResult{}, err
		}
		contents := string(text)
		return api.OnLoadResult{Contents: &contents, Loader: api.LoaderDefault, ResolveDir: filepath.Dir(a.Path)}, nil
	})
}

// inside reports whether a path is a directory or below it, both absolute and clean.
func inside(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}

// load returns a file of the program as the bundler gets it.
func (f *files) load(name string) ([]byte, error) {
	real, err := filepath.EvalSymlinks(name)
	if err != nil || !inside(f.dir, real) {
		return nil, errOutside
	}
	info, err := os.Lstat(real)
	if err != nil || !info.Mode().IsRegular() {
		return nil, fs.ErrInvalid
	}
	text, err := os.ReadFile(real)
	if err != nil {
		return nil, err
	}
	switch ext := filepath.Ext(real); {
	case slices.Contains(scripts, ext):
		return f.addressed(real, withoutMaps(text, `\x3d`)), nil
	case ext == ".css":
		return withoutMaps(text, `\3d `), nil
	}
	return text, nil
}

// scripts are the extensions of modules.
var scripts = []string{".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"}

// withoutMaps takes from comments what says where a source map is: the bundler would
// read any file that stands there. In strings it means what it meant: equals is how
// the sign is written otherwise.
func withoutMaps(text []byte, equals string) []byte {
	for _, mark := range []string{"# sourceMappingURL", "@ sourceMappingURL"} {
		text = bytes.ReplaceAll(text, []byte(mark+"="), []byte(mark+equals))
	}
	return text
}
