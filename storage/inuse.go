package storage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// InUse reports whether a process has the database of a data directory open. A
// directory that is not there is not in use. Error kind Unavailable.
func InUse(dir string) (_ bool, err error) {
	defer errtypes.Wrap(&err, "storage.InUse")
	files, err := os.ReadDir(filepath.Join(dir, "instances"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, errtypes.New(errtypes.Unavailable, "the data directory cannot be read").WithCause(err)
	}
	db := &DB{opts: Options{Dir: dir}, instance: &marker{}}
	for _, f := range files {
		if id, ok := strings.CutSuffix(f.Name(), ".lock"); ok && db.alive(id) {
			return true, nil
		}
	}
	return false, nil
}
