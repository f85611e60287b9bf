package chrome_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPruningKeepsWhatPagesHaveStored(t *testing.T) {
	t.Parallel()
	kept := []string{
		"Default/Cookies", "Default/Cookies-journal", "Default/IndexedDB/http_a_0.indexeddb.leveldb/LOG", "Default/Local Storage/leveldb/000003.log",
		"Default/Network/Cookies", "Default/Preferences", "Default/Service Worker/CacheStorage/x/Cache/data", "Default/Service Worker/Database/000003.log",
		"Default/Session Storage/000003.log", "Default/Storage/ext/tmp.tmp", "Default/Web Data", "Default/WebStorage/1/CacheStorage/x/data",
		"Local State", "Profile 1/Cookies", "what nobody knows",
	}
	gone := []string{
		".org.chromium.Chromium.abc", "BrowserMetrics/x.pma", "BrowserMetrics-spare.pma", "Crashpad/reports/x", "DevToolsActivePort", "GrShaderCache/data",
		"Safe Browsing/lists", "ShaderCache/data", "SingletonLock", "SingletonSocket", "a.tmp", "component_crx_cache/x", "optimization_guide_model_store/x",
		"Default/Cache/Cache_Data/data", "Default/Code Cache/js/x", "Default/DawnWebGPUCache/data", "Default/GPUCache/data", "Default/Sessions/Tabs_1",
		"Default/a.TMP", "Default/LOCK", "Profile 1/Cache/data",
	}
	dir := t.TempDir()
	for _, name := range append(slices.Clone(kept), gone...) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(name), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := sharedProvider(t).PruneProfile(dir); err != nil {
		t.Fatal(err)
	}
	var left []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			name, _ := filepath.Rel(dir, path)
			left = append(left, filepath.ToSlash(name))
		}
		return err
	})
	slices.Sort(kept)
	slices.Sort(left)
	if diff := cmp.Diff(kept, left); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}
