package extensions

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"path"
	"strings"
)

const (
	// maxMessages is how long the texts of a language may be in bytes, and
	// maxLocales those of all.
	maxMessages, maxLocales = 1 << 20, 16 << 20
)

// checkMessages wants the texts of every language to be such as browsers read:
// they end when they read a list.
func (c contents) checkMessages() error {
	left := uint64(maxLocales)
	for _, f := range c.files {
		if ok, _ := path.Match("_locales/*/messages.json", f.Name); !ok {
			continue
		}
		if f.UncompressedSize64 > min(left, maxMessages) {
			return invalid("has more than %d bytes in %s, or %d in all such files", maxMessages, quoted(f.Name), maxLocales)
		}
		left -= f.UncompressedSize64
		if err := checkMessages(f); err != nil {
			return err
		}
	}
	return nil
}

func checkMessages(f *zip.File) error {
	var b bytes.Buffer
	if err := copyEntry(context.Background(), &b, f); err != nil {
		return err
	}
	var all map[string]map[string]any
	text := withoutComments(bytes.TrimPrefix(b.Bytes(), []byte("\ufeff")))
	if err := json.Unmarshal(text, &all); err != nil || all == nil {
		return invalid("has %s, which is not a JSON object of objects", quoted(f.Name)).WithCause(err)
	}
	for key, one := range all {
		if _, ok := one["message"].(string); !ok {
			return invalid("has %s, whose %s has no text in \"message\"", quoted(f.Name), quoted(strings.TrimSpace(key)))
		}
	}
	return nil
}
