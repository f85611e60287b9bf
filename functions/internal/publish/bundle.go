package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// bundleSuffix is what the name of a bundle ends in. It lies beside the entry point,
// so that what the program reads relative to its own address is where it was.
const bundleSuffix = ".drover.mjs"

// bundle writes the entry point with all files of the archive that it imports as one
// module; packages stay where they are installed. It returns the path in dir.
func bundle(dir, entry string, log Log) (string, error) {
	log("Bundling " + entry)
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	out := path.Join(path.Dir(entry), strings.TrimSuffix(path.Base(entry), path.Ext(entry))+bundleSuffix)
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(dir, filepath.FromSlash(entry))}, Outfile: filepath.Join(dir, filepath.FromSlash(out)),
		AbsWorkingDir: dir, Bundle: true, AllowOverwrite: true,
		Platform: api.PlatformNode, Target: api.ES2022, Format: api.FormatESModule, Packages: api.PackagesExternal,
		Sourcemap: api.SourceMapInline, LogLevel: api.LogLevelSilent,
		// Modules of CommonJS may call require, which a module does not have.
		Banner:  map[string]string{"js": `import { createRequire as droverRequire } from "node:module"; const require = droverRequire(import.meta.url);`},
		Plugins: []api.Plugin{within(dir)},
	})
	for _, m := range result.Warnings {
		log("Warning: " + place(m))
	}
	if len(result.Errors) == 0 { // written here, so that a full disk is not the program's fault
		return out, os.WriteFile(filepath.Join(dir, filepath.FromSlash(out)), result.OutputFiles[0].Contents, 0o644)
	}
	for _, m := range result.Errors {
		log("Error: " + place(m))
	}
	return "", failed(NoManifests, "bundling: %s", place(result.Errors[0]))
}

// place is a message with where it belongs to.
func place(m api.Message) string {
	if m.Location == nil {
		return m.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", m.Location.File, m.Location.Line, m.Location.Column, m.Text)
}

var errOutside = errors.New("this file is not in the archive")

// within lets a bundle have files below dir only: whatever an import says, no file of
// the host gets into it.
func within(dir string) api.Plugin {
	return api.Plugin{Name: "within", Setup: func(b api.PluginBuild) {
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "file"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			real, err := filepath.EvalSymlinks(a.Path)
			if err != nil || !inside(dir, real) {
				return api.OnLoadResult{}, errOutside
			}
			info, err := os.Stat(real)
			if err != nil || !info.Mode().IsRegular() {
				return api.OnLoadResult{}, fs.ErrInvalid
			}
			return api.OnLoadResult{}, nil // as it does by itself
		})
	}}
}
