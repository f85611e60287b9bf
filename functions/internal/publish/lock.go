package publish

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// maxLock are the most bytes of a lock file that is looked into. Those of a thousand
// packages have some hundred thousand.
const maxLock = 16 << 20

// shareable reports whether what a program depends on can be installed apart from it:
// no file of the archive is among that, as far as it can be told.
func shareable(dir string, manifest []byte, how installer) bool {
	if usesFiles(manifest) {
		return false
	}
	if how.lock == pnpmLock {
		return !pnpmFiles.Match(how.content) && !isThere(dir, pnpmWorkspace) && !isThere(dir, ".pnpmfile.cjs")
	}
	packages, ok := locked(how.content)
	for name, p := range packages {
		from, _ := p["resolved"].(string)
		if p["link"] == true || strings.HasPrefix(from, "file:") || name != "" && !strings.HasPrefix(name, "node_modules/") {
			return false
		}
	}
	return ok
}

func isThere(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

// pnpmFiles is how a lock file of pnpm's names files of the archive; what else looks so
// is installed where it lies, too.
var pnpmFiles = regexp.MustCompile(`\b(?:link|file|portal|workspace|patchedDependencies|pnpmfileChecksum):`)

// usesFiles reports whether a manifest names directories or files as packages, or
// cannot be read.
func usesFiles(manifest []byte) bool {
	var m map[string]any
	if json.Unmarshal(manifest, &m) != nil || m["workspaces"] != nil {
		return true
	}
	if pnpm, _ := m["pnpm"].(map[string]any); pnpm["patchedDependencies"] != nil {
		return true
	}
	for _, kind := range []string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies"} {
		all, _ := m[kind].(map[string]any)
		for _, spec := range all {
			if text, _ := spec.(string); fileSpec.MatchString(strings.TrimSpace(text)) {
				return true
			}
		}
	}
	return false
}

// fileSpec is what a package is named by that lies in a file or a directory.
var fileSpec = regexp.MustCompile(`^(?:file:|link:|workspace:|portal:|\.|/|~/|[A-Za-z]:[\\/])`)

// locked are the packages of a lock file of npm's, by their places; false for one
// that says it in another way, as that of npm 6 does, or that is too large. Names are
// compared as npm does, to the letter.
func locked(content []byte) (packages map[string]map[string]any, ok bool) {
	var lock map[string]json.RawMessage
	if len(content) > maxLock || json.Unmarshal(content, &lock) != nil || json.Unmarshal(lock["packages"], &packages) != nil {
		return nil, false
	}
	return packages, len(packages) > 0
}

// fixed reports whether a lock file says of each package what it has to be, to the
// byte: then it is that, wherever it comes from.
func fixed(how installer) bool {
	if how.lock == pnpmLock {
		for line := range strings.Lines(string(how.content)) {
			if strings.Contains(line, "resolution:") && !pnpmFixed.MatchString(line) {
				return false
			}
		}
		return true
	}
	packages, ok := locked(how.content)
	for name, p := range packages {
		from, _ := p["resolved"].(string)
		sum, _ := p["integrity"].(string)
		if name != "" && (!isSum(sum) || from != "" && !strings.HasSuffix(from, ".tgz")) {
			return false
		}
	}
	return ok
}

// pnpmFixed is how pnpm writes down a package with its sum and nothing else.
var pnpmFixed = regexp.MustCompile(`^\s+resolution: \{integrity: sha512-[A-Za-z0-9+/]{86}==\}\s*$`)

// isSum reports whether a text is one SHA-512, which nobody can make another file for.
func isSum(text string) bool {
	sum, ok := strings.CutPrefix(text, "sha512-")
	raw, err := base64.StdEncoding.Strict().DecodeString(sum)
	return ok && err == nil && len(raw) == 64
}

// generated reads the lock file that npm has written into a directory, which was
// another user's: links are none.
func generated(dir string) ([]byte, error) {
	text, err := regular(dir, npmLock, maxLock)
	if err != nil || text == nil {
		return nil, err
	}
	if int64(len(text)) > maxLock {
		return nil, failed(NoManifests, "installing: the lock file has more than %d bytes", maxLock)
	}
	return text, nil
}

// regular reads a file of a directory that was another user's, up to a byte more than
// most. Nil is that there is none.
func regular(dir, name string, most int64) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Lstat(name)
	if os.IsNotExist(err) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, errtypes.New(errtypes.Unavailable, "%s cannot be read", name).WithCause(err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}
