package tools

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/drover-go/drover/runs/browser"
)

// File is a stored file that a run may use.
type File struct {
	// Name is without a path; several may have the same. Untrusted where the file
	// was downloaded.
	Name string
	// Type is the MIME type; empty where it is not known.
	Type string
	// Size in bytes.
	Size int64
	// Downloaded says that the session has downloaded it. Else it was given.
	Downloaded bool
	// Open returns the content, to be closed.
	Open func(ctx context.Context) (io.ReadCloser, error)
}

// namedFile is a file under the one name that it has towards a model.
type namedFile struct {
	File
	name string
}

// files are those that the run may use, each with a name of its own: what was
// given to it and to its session, and what the session has downloaded.
func (s *Set) files(ctx context.Context, session browser.Session) (all []namedFile, err error) {
	var stored []File
	if s.opts.Files != nil {
		if stored, err = s.opts.Files(ctx, session.ID()); err != nil {
			return nil, err
		}
	}
	for _, o := range session.Offered() {
		stored = append(stored, offeredFile(o))
	}
	taken := map[string]bool{}
	for _, f := range stored {
		name := s.fileName(f.Name)
		for n := 2; taken[name]; n++ {
			ext := path.Ext(f.Name)
			name = s.fileName(fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(f.Name, ext), n, ext))
		}
		taken[name] = true
		all = append(all, namedFile{f, name})
	}
	return all, nil
}

// maxFileName bounds a name that is shown, in bytes.
const maxFileName = 300

func (s *Set) fileName(name string) string {
	return cmp.Or(cut(oneLine(s.clean(name)), maxFileName), "file")
}

func offeredFile(o browser.Offered) File {
	f := File{Name: o.Name, Open: func(context.Context) (io.ReadCloser, error) { return os.Open(o.Path) }}
	if info, err := os.Stat(o.Path); err == nil {
		f.Size = info.Size()
	}
	return f
}

// fileNamed finds a file; the error lists those that there are, as far as they
// belong.
func (s *Set) fileNamed(all []namedFile, name string, belongs func(namedFile) bool) (namedFile, error) {
	var names []string
	for _, f := range all {
		if f.name == strings.TrimSpace(name) {
			return f, nil
		}
		if belongs(f) && len(names) < maxListed {
			names = append(names, fmt.Sprintf("%q", f.name))
		}
	}
	return namedFile{}, badInput("there is no file %q; there are %s", s.fileName(name), cmp.Or(strings.Join(names, ", "), "none"))
}

// maxListed bounds the names in an error.
const maxListed = 50

func anyFile(namedFile) bool { return true }
