package publish

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// registry gives out packages of one file each, by name. Each has one version.
type registry struct {
	*httptest.Server
	mu       sync.Mutex
	packages map[string]pack
	asked    []string
}

type pack struct{ version, text string }

func newRegistry(t *testing.T, packages map[string]pack) *registry {
	t.Helper()
	r := &registry{packages: packages}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *registry) put(name string, p pack) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.packages[name] = p
}

// paths are those that were asked for.
func (r *registry) paths() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.asked, "\n")
}

func (r *registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, req.URL.Path)
	name, _, tarball := strings.Cut(strings.TrimPrefix(req.URL.Path, "/"), "/-/")
	p, ok := r.packages[name]
	switch {
	case !ok:
		http.NotFound(w, req)
	case tarball:
		w.Write(p.tarball(name))
	default:
		json.NewEncoder(w).Encode(map[string]any{"name": name, "dist-tags": map[string]string{"latest": p.version}, "versions": map[string]any{
			p.version: map[string]any{"name": name, "version": p.version, "dist": map[string]string{"tarball": r.URL + "/" + name + "/-/it.tgz", "integrity": p.integrity(name)}},
		}})
	}
}

func (p pack) tarball(name string) []byte {
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	for _, f := range [][2]string{{"package.json", `{"name":"` + name + `","version":"` + p.version + `"}`}, {"index.js", p.text}} {
		w.WriteHeader(&tar.Header{Name: "package/" + f[0], Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(f[1]))})
		io.WriteString(w, f[1])
	}
	w.Close()
	zipped.Close()
	return b.Bytes()
}

func (p pack) integrity(name string) string {
	sum := sha512.Sum512(p.tarball(name))
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}
