package actors

import (
	"encoding/base64"
	"net/url"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
)

// SourceType is where the source of a version is.
type SourceType string

// The types of sources: in the version itself, or in an archive that is fetched
// when it is built.
const (
	SourceFiles SourceType = "SOURCE_FILES"
	Tarball     SourceType = "TARBALL"
)

// Version is a version of an Actor's source.
type Version struct {
	// Number is such as "0.1": two numbers from 0 to 99.
	Number     string
	SourceType SourceType
	// BuildTag is what its builds are called when they succeed. Default "latest".
	BuildTag string
	// Files are the source of the type SOURCE_FILES.
	Files []SourceFile
	// TarballURL is where the archive of the type TARBALL is: tar, tar in gzip, or
	// zip. http or https.
	TarballURL string
	// EnvVars are the environment of its runs, and of its builds where EnvVarsAtBuild
	// says so.
	EnvVars        []EnvVar
	EnvVarsAtBuild bool
}

// SourceFile is a file or a folder of a version's source.
type SourceFile struct {
	// Name is its path below the root, with slashes.
	Name string
	// Folder has no content.
	Folder bool
	// Content is text, or base64 where Base64 says so.
	Content string
	Base64  bool
}

// EnvVar is a variable of an environment.
type EnvVar struct {
	// Name is letters of ASCII, digits and underscores, and begins with no digit.
	Name string
	// Value is left out where it is secret, but for what runs the Actor.
	Value string
	// Secret has the value sealed, and redacted in logs.
	Secret bool
}

const (
	maxFiles   = 1000
	maxEnvVars = 100
	maxEnvName = 100
	maxEnvSize = 32 << 10
)

var (
	versionForm = regexp.MustCompile(`^([0-9]|[1-9][0-9])\.([0-9]|[1-9][0-9])$`)
	envNameForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

func (v Version) withDefaults() Version {
	if v.SourceType == "" {
		v.SourceType = SourceFiles
	}
	if v.BuildTag == "" {
		v.BuildTag = "latest"
	}
	return v
}

// Validate returns an Invalid error that names the field at fault.
func (v Version) Validate() error {
	if !versionForm.MatchString(v.Number) {
		return errtypes.Field("versionNumber", "must be two numbers from 0 to 99 with a dot between, such as 0.1")
	}
	if v.BuildTag != "" && !tagForm.MatchString(v.BuildTag) {
		return errtypes.Field("buildTag", "must be at most 30 letters, digits, dots, dashes and underscores")
	}
	if err := v.validateSource(); err != nil {
		return err
	}
	return validateEnvVars(v.EnvVars)
}

func (v Version) validateSource() error {
	switch v.SourceType {
	case "", SourceFiles:
		return validateFiles(v.Files)
	case Tarball:
		u, err := url.Parse(v.TarballURL)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return errtypes.Field("tarballUrl", "must be an http or https URL")
		}
		return nil
	}
	return errtypes.Field("sourceType", "must be SOURCE_FILES or TARBALL: sources of other types, such as GIT_REPO and GITHUB_GIST, are not fetched here; push the files, or give the URL of an archive of them")
}

func validateFiles(files []SourceFile) error {
	if len(files) > maxFiles {
		return errtypes.Field("sourceFiles", "must be at most %d", maxFiles)
	}
	seen := map[string]bool{}
	for i, f := range files {
		switch name := path.Clean(f.Name); {
		case !localName(f.Name):
			return errtypes.Field("sourceFiles", "name %d must be a path below the root, with slashes", i)
		case seen[name]:
			return errtypes.Field("sourceFiles", "%q is there twice", name)
		case !utf8.ValidString(f.Content):
			return errtypes.Field("sourceFiles", "%q must be valid UTF-8, or base64", name)
		default:
			seen[name] = true
		}
		if f.Base64 {
			if _, err := base64.StdEncoding.DecodeString(f.Content); err != nil {
				return errtypes.Field("sourceFiles", "%q is not valid base64", f.Name)
			}
		}
	}
	return nil
}

// localName reports whether a name stays below the root, on every system.
func localName(name string) bool {
	const longest = 1000
	if name == "" || len(name) > longest || !utf8.ValidString(name) || strings.ContainsAny(name, "\\\x00:") || strings.HasPrefix(name, "/") {
		return false
	}
	clean := path.Clean(name)
	return clean != "." && clean != ".." && !strings.HasPrefix(clean, "../")
}

func validateEnvVars(all []EnvVar) error {
	if len(all) > maxEnvVars {
		return errtypes.Field("envVars", "must be at most %d", maxEnvVars)
	}
	seen := map[string]bool{}
	for _, e := range all {
		switch {
		case len(e.Name) > maxEnvName || !envNameForm.MatchString(e.Name):
			return errtypes.Field("envVars", "a name must be 1 to %d letters of ASCII, digits and underscores, and begin with no digit", maxEnvName)
		case seen[e.Name]:
			return errtypes.Field("envVars", "%s is there twice", e.Name)
		case len(e.Value) > maxEnvSize || !utf8.ValidString(e.Value) || strings.ContainsRune(e.Value, 0):
			return errtypes.Field("envVars", "the value of %s must be at most %d bytes of valid UTF-8 without zero bytes", e.Name, maxEnvSize)
		}
		seen[e.Name] = true
	}
	return nil
}
