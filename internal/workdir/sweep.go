package workdir

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// Sweep removes the directories in temp whose name begins with the prefix and
// whose owner has died. Before each, end is called with its path, to end what
// still uses it; it may be nil. What cannot be removed is logged and left to
// the next start.
func Sweep(temp, prefix string, log *slog.Logger, end func(path string)) {
	paths, err := filepath.Glob(filepath.Join(globEscape(temp), prefix+"*"))
	if err != nil {
		log.Warn("workdir: leftovers cannot be looked for", "dir", temp, "error", err)
		return
	}
	for _, path := range paths {
		sweepOne(path, log, end)
	}
}

func sweepOne(path string, log *slog.Logger, end func(string)) {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() || !ownedByUs(info) {
		return // a link or another user's: not ours to follow or remove
	}
	lock, err := own(path)
	if err != nil {
		return // its owner lives
	}
	defer lock.Close()
	if end != nil {
		end(path)
	}
	if err := removeOwned(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Warn("workdir: a leftover directory cannot be removed", "dir", path, "error", err)
		return
	}
	log.Info("workdir: removed what a dead process had left", "dir", path)
}

// globEscape quotes the characters of a directory's name that Glob would read
// as a pattern.
func globEscape(dir string) string {
	var out []rune
	for _, c := range dir {
		if c == '*' || c == '?' || c == '[' || (c == '\\' && filepath.Separator != '\\') {
			out = append(out, '\\')
		}
		out = append(out, c)
	}
	return string(out)
}
