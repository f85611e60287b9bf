package seal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// File is where master keys are kept when the host gives none: a line each, the
// one that seals first, in a file that only its owner can read.
type File string

// Keys returns the keys in the file, which is made with one if it is not there.
// Several processes that make it at once agree on one. A file that others than
// its owner can read is refused.
func (f File) Keys() (_ []Key, err error) {
	defer errtypes.Wrap(&err, "seal.File.Keys")
	keys, err := f.read()
	if !errors.Is(err, fs.ErrNotExist) {
		return keys, err
	}
	if err := f.make(NewKey()); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return f.read()
}

// Load returns the keys in the file; [fs.ErrNotExist] where it is not there. A
// file that others than its owner can read is refused.
func (f File) Load() (_ []Key, err error) {
	defer errtypes.Wrap(&err, "seal.File.Load")
	return f.read()
}

func (f File) read() ([]Key, error) {
	file, err := os.Open(string(f))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := f.private(file); err != nil {
		return nil, err
	}
	var keys []Key
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		k, err := ParseKey(text)
		if err != nil {
			return nil, f.faulty(fmt.Sprintf("line %d %v", n, err))
		}
		keys = append(keys, k)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		return nil, f.faulty("it holds no key")
	}
	return keys, nil
}

func (f File) faulty(why string) error {
	return errtypes.New(errtypes.Unavailable, "the file %s with the master key cannot be used: %s", filepath.Base(string(f)), why)
}

// private refuses a key that others could have read.
func (f File) private(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if open := othersMay(info); open {
		return f.faulty(fmt.Sprintf("its mode is %v, and others than its owner must not read it (chmod 600)", info.Mode().Perm()))
	}
	return nil
}

// make makes the file, whole or not at all; [fs.ErrExist] if it is there.
func (f File) make(keys ...Key) error {
	name, err := f.unfinished(keys)
	if err != nil {
		return err
	}
	defer os.Remove(name)
	err = os.Link(name, string(f))
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return f.makeUnlinked(keys) // a file system without links, as some shared folders are
}

// makeUnlinked makes the file where it stands: who reads it just then is told
// that it holds no key.
func (f File) makeUnlinked(keys []Key) error {
	file, err := os.OpenFile(string(f), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(fileText(keys))
	return errors.Join(err, file.Sync(), file.Close())
}

func fileText(keys []Key) []byte {
	var text bytes.Buffer
	text.WriteString("# The master key of this data. Without it contexts and certificates cannot be read: keep a copy elsewhere.\n")
	for _, k := range keys {
		fmt.Fprintln(&text, k.Text())
	}
	return text.Bytes()
}

// Replace writes other keys into the file: the old ones or the new ones are
// there, never neither, also when the power is lost. It is for one process at a
// time.
func (f File) Replace(keys ...Key) (err error) {
	defer errtypes.Wrap(&err, "seal.File.Replace")
	name, err := f.unfinished(keys)
	if err != nil {
		return err
	}
	if err := os.Rename(name, string(f)); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return errors.Join(syncDir(filepath.Dir(string(f))), f.dropUnfinished())
}

// dropUnfinished removes what processes have left that died while they wrote
// keys: nobody needs it, and there may be keys in it that were given up.
func (f File) dropUnfinished() error {
	dir := filepath.Dir(string(f))
	files, err := os.ReadDir(dir)
	for _, file := range files {
		if strings.HasPrefix(file.Name(), f.unfinishedName()) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, file.Name())))
		}
	}
	return err
}

// unfinishedName is what the names of files begin with that are being written.
func (f File) unfinishedName() string { return "." + filepath.Base(string(f)) + "-" }

// unfinished writes the keys into a file beside the one that is meant.
func (f File) unfinished(keys []Key) (name string, err error) {
	file, err := os.CreateTemp(filepath.Dir(string(f)), f.unfinishedName()+"*") // with mode 0600
	if err != nil {
		return "", err
	}
	_, err = file.Write(fileText(keys))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}
