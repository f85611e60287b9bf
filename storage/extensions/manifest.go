package extensions

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	manifestName = "manifest.json"
	// maxManifest is the longest manifest in bytes.
	maxManifest = 1 << 20
	// maxName is the longest name, in characters.
	maxName = 500
	// maxKey is the longest key in bytes.
	maxKey = 4096
)

// manifest is one that has been checked.
type manifest struct {
	name, version string
	// all is the whole of it. It is a map since the browser tells upper from
	// lower case.
	all map[string]any
}

func readManifest(f *zip.File) ([]byte, error) {
	if f.UncompressedSize64 > maxManifest {
		return nil, invalid("has a manifest.json of more than %d bytes", maxManifest)
	}
	var b bytes.Buffer
	err := copyEntry(context.Background(), &b, f)
	return b.Bytes(), err
}

// noManifest says where the manifest is if it is not where it has to be.
func noManifest(all []*zip.File) error {
	for _, f := range all {
		if path.Base(f.Name) == manifestName && !ignored(f.Name) {
			return invalid("has no manifest.json at its root, but %s: what is in that folder has to be at the root", quoted(f.Name))
		}
	}
	return invalid("has no manifest.json at its root")
}

// parseManifest checks what the browser would refuse, and what Drover does.
func parseManifest(text []byte) (m manifest, err error) {
	text = withoutComments(bytes.TrimPrefix(text, []byte("\ufeff")))
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&m.all); err != nil || m.all == nil {
		return m, invalid("has a manifest.json that is not a JSON object").WithCause(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return m, invalid("has a manifest.json with something behind its JSON object")
	}
	for _, check := range []func() error{m.checkFormat, m.readName, m.readVersion, m.checkKind, m.checkPermissions, m.checkKey} {
		if err := check(); err != nil {
			return m, err
		}
	}
	m.name, _ = m.all["name"].(string)
	m.version, _ = m.all["version"].(string)
	return m, nil
}

func (m manifest) checkFormat() error {
	n, ok := m.all["manifest_version"].(json.Number)
	switch {
	case !ok:
		return invalid("has a manifest.json without a manifest_version, which must be 3")
	case n == "2" || n == "1":
		return invalid("has a manifest.json of manifest_version %s, which browsers have ceased to load; it must be 3", n)
	case n != "3":
		return invalid("has a manifest.json whose manifest_version is not 3")
	}
	return nil
}

func (m manifest) readName() error {
	s, ok := m.all["name"].(string)
	if !ok || strings.TrimSpace(s) == "" || utf8.RuneCountInString(s) > maxName {
		return invalid("has a manifest.json without a name of 1 to %d characters", maxName)
	}
	return nil
}

func (m manifest) readVersion() error {
	s, _ := m.all["version"].(string)
	parts := strings.Split(s, ".")
	good := len(parts) <= 4 && (parts[0] == "0" || !strings.HasPrefix(parts[0], "0"))
	for _, p := range parts {
		_, err := strconv.ParseUint(p, 10, 16)
		good = good && err == nil
	}
	if !good {
		return invalid("has a manifest.json without a version of 1 to 4 numbers from 0 to 65535 with dots between them")
	}
	return nil
}

// checkKind refuses what is not an extension of its own: apps, and what the
// browser would fetch parts of.
func (m manifest) checkKind() error {
	for _, key := range []string{"app", "import", "export", "theme"} {
		if _, there := m.all[key]; there {
			return invalid("has a manifest.json with the key %q, which only extensions without it can be loaded", key)
		}
	}
	return nil
}

// checkKey wants the key, by which the browser names the extension, as the
// browser wants it.
func (m manifest) checkKey() error {
	there, ok := m.all["key"]
	if !ok {
		return nil
	}
	text, _ := there.(string)
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(key) == 0 || len(key) > maxKey {
		return invalid("has a manifest.json whose key is not base64 of 1 to %d bytes", maxKey)
	}
	return nil
}

// checkLocale wants the texts of the default language where there is one, and
// one where there are texts.
func (m manifest) checkLocale(n *names) error {
	value, ok := m.all["default_locale"]
	_, texts := n.seen["_locales"]
	if !ok && !texts {
		return nil
	}
	locale, _ := value.(string)
	if locale == "" || !n.has("_locales/"+locale+"/messages.json") {
		return invalid("has _locales or a default_locale, and not the _locales/…/messages.json that default_locale names")
	}
	return nil
}

// written is the manifest as the browser reads it: what was checked and nothing
// else, with a key, since one without is known by where it lies: that given, if
// it has none of its own.
func (m manifest) written(key []byte) ([]byte, error) {
	all := map[string]any{}
	for key, value := range m.all {
		all[key] = value
	}
	if text, ok := all["key"].(string); ok {
		key, _ = base64.StdEncoding.DecodeString(text)
	}
	all["key"] = base64.StdEncoding.EncodeToString(key)
	return json.Marshal(all)
}

// keyOf stands for the key of an extension that has none, so that it is another
// one with each upload. The browser takes its
// hash and uses it for nothing else.
func keyOf(id string) []byte {
	sum := sha512.Sum512([]byte("drover extension " + id))
	return sum[:]
}

// withoutComments puts a blank in place of each comment, which browsers allow
// in a manifest.
func withoutComments(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		end := i + 1
		switch {
		case text[i] == '"':
			end = stringEnd(text, i)
		case bytes.HasPrefix(text[i:], []byte("//")):
			i = indexFrom(text, i, "\n")
			continue
		case bytes.HasPrefix(text[i:], []byte("/*")):
			i = min(indexFrom(text, i+2, "*/")+2, len(text))
			out = append(out, ' ')
			continue
		}
		out = append(out, text[i:end]...)
		i = end
	}
	return out
}

// stringEnd is where the JSON string that begins at i has ended.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// indexFrom is where what comes next at or behind i, or the end.
func indexFrom(text []byte, i int, what string) int {
	if at := bytes.Index(text[i:], []byte(what)); at >= 0 {
		return i + at
	}
	return len(text)
}
