package publish

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const rcFile = ".npmrc"

// rcSettings are those of a program that installers may be given: where packages come
// from, and how they lie together. The others name programs, files of the host and
// what the host decides.
var rcSettings = []string{
	"registry", "always-auth", "legacy-peer-deps", "strict-peer-deps", "prefer-dedupe", "install-strategy", "engine-strict",
	"auto-install-peers", "strict-peer-dependencies", "dedupe-peer-dependents", "resolution-mode", "shamefully-hoist", "hoist-pattern[]", "public-hoist-pattern[]",
}

var (
	rcRegistry = regexp.MustCompile(`^(?:@[^:/\s]+:)?registry$`)
	rcAccess   = regexp.MustCompile(`^//[^\s=]+:(?:_authToken|_auth|username|_password|email|always-auth)$`)
)

// readRC returns the settings of a program without those that it cannot have. The
// file in its directory says the same from then on.
func readRC(dir string, log Log) ([]byte, error) {
	text, err := optional(dir, rcFile, maxSettings)
	if text == nil || err != nil {
		return nil, err
	}
	kept := filterRC(text, log)
	return kept, os.WriteFile(filepath.Join(dir, rcFile), kept, 0o644)
}

// filterRC keeps the lines that say what they say: installers put variables of their
// environment, in which the host has its proxies and their passwords, in the place of
// their names, which a backslash can hide.
func filterRC(text []byte, log Log) (kept []byte) {
	text = bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\r"), []byte("\n"))
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if why := whyNot(line); why != "" {
			log(fmt.Sprintf("Left out line %d of %s: %s", i+1, rcFile, why))
			continue
		}
		kept = append(append(kept, line...), '\n')
	}
	return kept
}

// whyNot says why a line is left out; empty where it is not.
func whyNot(line string) string {
	name, value, _ := strings.Cut(line, "=")
	name, value = strings.TrimSpace(name), strings.Trim(strings.TrimSpace(value), `"'`)
	switch {
	case strings.Contains(line, "${"):
		return "variables of the environment are not filled in"
	case strings.ContainsAny(line, "\\\x00"):
		return "it has a backslash"
	case rcRegistry.MatchString(name):
		if !strings.HasPrefix(value, "https://") && !strings.HasPrefix(value, "http://") {
			return "it names no registry"
		}
	case !rcAccess.MatchString(name) && !slices.Contains(rcSettings, name):
		return "a program cannot have this setting"
	}
	return ""
}

// fillsIn reports whether a file in YAML may name variables of the environment, also
// by a way to write them otherwise.
func fillsIn(text []byte) bool {
	return bytes.ContainsAny(text, "$\\") || bytes.Contains(text, []byte("!!binary"))
}
