package process

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
)

// preferences are what no flag can say, by group. A PDF is a file to download,
// as it is for whoever drives a browser from afar: the viewer is a picture to a
// program, and the file is what is wanted. One within a page is not loaded until
// somebody presses the button that stands in its place. They hold in the
// contexts of sessions, too.
var preferences = map[string]map[string]any{"plugins": {"always_open_pdf_externally": true}}

// writePreferences writes them, and more, into a profile before a browser uses
// it, beside those that are there. What is there and cannot be read is left to
// the browser, which makes it anew.
func writePreferences(profile string, more ...map[string]map[string]any) error {
	path := filepath.Join(profile, "Default", "Preferences")
	there, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if there == nil {
		there = []byte("{}")
	}
	all, err := withPreferences(there, more)
	if err != nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, all, 0o600)
}

// withPreferences sets them in the JSON of a browser, and leaves the rest as it
// is.
func withPreferences(there []byte, more []map[string]map[string]any) ([]byte, error) {
	var all map[string]any
	if err := decodeExact(there, &all); err != nil || all == nil {
		return nil, cmp.Or(err, errors.New("no object"))
	}
	for _, groups := range append([]map[string]map[string]any{preferences}, more...) {
		setPreferences(all, groups)
	}
	return json.Marshal(all)
}

// setPreferences sets those of each group, and leaves its others.
func setPreferences(all map[string]any, groups map[string]map[string]any) {
	for name, set := range groups {
		group, _ := all[name].(map[string]any)
		if group == nil {
			group = map[string]any{}
		}
		maps.Copy(group, set)
		all[name] = group
	}
}

// decodeExact keeps numbers as they are written: some of a browser's are longer
// than what a float holds.
func decodeExact(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}
