// Package filename makes names that a page, a server or a client suggests safe
// to store, to show, to send in a header and to write to a disk of any system.
package filename

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/shorten"
)

const (
	// MaxLen is the longest name in bytes: what common file systems hold.
	MaxLen = 255
	// maxExt is the longest extension that a cut keeps, with its dot.
	maxExt = 32
	// fallback stands for a name of which nothing is left.
	fallback = "download"
)

// Clean returns a name without anything that could mislead or do harm: what is
// before the last path separator, control characters, invisible ones and those
// that turn the direction of writing, characters that Windows forbids, dots and
// spaces at either end, the names of Windows' devices, invalid UTF-8. It is 1
// to [MaxLen] bytes long. To clean a clean name changes nothing.
func Clean(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(safe, strings.ToValidUTF8(name, "_"))
	name = trim(name)
	if name == "" {
		return fallback
	}
	if isDevice(name) {
		name = "_" + name
	}
	return fit(name, "")
}

// safe maps a character to what stands for it in a name; -1 drops it.
func safe(r rune) rune {
	switch {
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
		return -1
	case strings.ContainsRune(`<>:"|?*`, r):
		return '_'
	case unicode.IsSpace(r):
		return ' '
	}
	return r
}

func trim(name string) string { return strings.Trim(name, ". ") }

// isDevice reports whether Windows would open a device by that name. What
// follows the first dot, and spaces before it, do not count there.
func isDevice(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	port, isPort := strings.CutPrefix(stem, "COM")
	if !isPort {
		port, isPort = strings.CutPrefix(stem, "LPT")
	}
	return isPort && utf8.RuneCountInString(port) == 1 && strings.Contains("0123456789¹²³", port)
}

// WithSuffix puts a suffix before the extension of a clean name, which stays
// within [MaxLen]. The suffix must be short.
func WithSuffix(name, suffix string) string { return fit(name, suffix) }

// fit puts the suffix before the extension and cuts what stands before both.
func fit(name, suffix string) string {
	ext := path.Ext(name)
	if len(ext) > maxExt || len(ext) == len(name) {
		ext = ""
	}
	stem := strings.TrimSuffix(name, ext)
	if most := MaxLen - len(suffix) - len(ext); len(stem) > most {
		stem = cut(stem, most)
	}
	return stem + suffix + ext
}

// cut shortens s to at most n bytes, between characters, so that it ends in
// neither a dot nor a space.
func cut(s string, n int) string { return strings.TrimRight(shorten.Prefix(s, n), ". ") }
