package actors

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
)

// packFiles makes an archive of the files of a version.
func packFiles(files []SourceFile) ([]byte, error) {
	var b bytes.Buffer
	err := pack(&b, func(w *tar.Writer) error {
		for _, f := range files {
			if f.Folder {
				continue
			}
			content := []byte(f.Content)
			if f.Base64 {
				var err error
				if content, err = base64.StdEncoding.DecodeString(f.Content); err != nil {
					return err
				}
			}
			if err := w.WriteHeader(&tar.Header{Name: f.Name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(content))}); err != nil {
				return err
			}
			if _, err := w.Write(content); err != nil {
				return err
			}
		}
		return nil
	})
	return b.Bytes(), err
}

// pack writes a tar file in gzip.
func pack(to io.Writer, fill func(w *tar.Writer) error) error {
	zipped := gzip.NewWriter(to)
	w := tar.NewWriter(zipped)
	if err := fill(w); err != nil {
		return err
	}
	return errors.Join(w.Close(), zipped.Close())
}

// leftAtHome are what a directory of a developer has that is not built.
var leftAtHome = []string{".git", "node_modules"}

// packDir makes an archive of a directory while it is read. Closing it ends that.
// Error kind Invalid for what is no directory.
func packDir(dir string) (io.ReadCloser, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, errtypes.Field("Dir", "must be a directory").WithCause(err)
	}
	r, w := io.Pipe()
	go func() { w.CloseWithError(pack(w, func(w *tar.Writer) error { return addDir(w, dir) })) }()
	return r, nil
}

// addDir adds the files of a directory. Links and the like are left out.
func addDir(w *tar.Writer, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			for _, home := range leftAtHome {
				if name == home {
					return fs.SkipDir
				}
			}
			return nil
		case !e.Type().IsRegular():
			return nil
		}
		return addFile(w, root, name)
	})
}

func addFile(w *tar.Writer, root *os.Root, name string) error {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	h := &tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: int64(info.Mode().Perm()), Size: info.Size()}
	if err := w.WriteHeader(h); err != nil {
		return err
	}
	_, err = io.CopyN(w, f, info.Size()) // as large as it was when it was looked at
	return err
}
