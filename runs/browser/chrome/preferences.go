package chrome

import (
	"os"
	"path/filepath"
)

// preferences are what no flag can say. A PDF is a file to download, as it is
// for whoever drives a browser from afar: the viewer is a picture to a program,
// and the file is what is wanted. One within a page is not loaded until somebody presses the button
// that stands in its place. They hold in the contexts of sessions, too.
const preferences = `{"plugins":{"always_open_pdf_externally":true}}`

// writePreferences writes them into a profile that is about to be made.
func writePreferences(profile string) error {
	dir := filepath.Join(profile, "Default")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "Preferences"), []byte(preferences), 0o600)
}
