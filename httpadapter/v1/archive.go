package v1

import (
	"archive/zip"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/drover-go/drover/internal/filename"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/storage/downloads"
)

// archive is all files of a session as an answer, in one zip.
type archive struct {
	all  []downloads.Download
	from downloads.Service
}

// Stream sends the archive as it is made. Its files are stored as they are, so
// that its length is known before: clients of v1 cannot do with chunks.
func (a *archive) Stream(x *api.Exchange) {
	length, err := a.length()
	if err != nil {
		x.Fail(err)
		return
	}
	x.W.Header().Set("Content-Type", "application/zip")
	x.W.Header().Set("Content-Length", strconv.FormatInt(length, 10))
	w := x.Content("downloads.zip")
	w.WriteHeader(http.StatusOK)
	if x.R.Method != http.MethodHead {
		x.Record.Err = a.write(w, func(d downloads.Download) (io.ReadCloser, error) {
			content, _, err := a.from.Open(x.R.Context(), d.ID)
			return content, err
		})
	}
	w.End()
}

// length writes the archive to nowhere, with nothing in its files but their
// sizes.
func (a *archive) length() (int64, error) {
	var n counter
	err := a.write(&n, func(d downloads.Download) (io.ReadCloser, error) {
		return io.NopCloser(io.LimitReader(anything{}, d.Size)), nil
	})
	return int64(n), err
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

type anything struct{}

func (anything) Read(p []byte) (int, error) { return len(p), nil }

func (a *archive) write(to io.Writer, open func(downloads.Download) (io.ReadCloser, error)) error {
	z := zip.NewWriter(to)
	names := archiveNames(a.all)
	for i, d := range a.all {
		if err := addFile(z, names[i], d, open); err != nil {
			return err
		}
	}
	return z.Close()
}

func addFile(z *zip.Writer, name string, d downloads.Download, open func(downloads.Download) (io.ReadCloser, error)) error {
	content, err := open(d)
	if err != nil {
		return err
	}
	defer content.Close()
	w, err := z.CreateRaw(fileHeader(name, d))
	if err != nil {
		return err
	}
	_, err = io.Copy(w, content)
	return err
}

// fileHeader says all before the content, whose sum is known, so that readers
// need not look for it behind. Only a size beyond the fields for it comes
// behind.
func fileHeader(name string, d downloads.Download) *zip.FileHeader {
	const version, sizeBehind, nameIsUTF8 = 20, 0x8, 0x800
	h := &zip.FileHeader{
		Name: name, Method: zip.Store, CreatorVersion: version, ReaderVersion: version, Flags: nameIsUTF8,
		CRC32: d.CRC32, CompressedSize64: uint64(d.Size), UncompressedSize64: uint64(d.Size),
	}
	if d.Size >= math.MaxUint32 {
		h.Flags |= sizeBehind
	}
	//lint:ignore SA1019 CreateRaw writes these fields and does not look at Modified
	h.ModifiedDate, h.ModifiedTime = dosTime(d.CreatedAt)
	return h
}

// dosTime is a time as archives have it: local to nowhere, to two seconds.
func dosTime(t time.Time) (date, clock uint16) {
	t = t.UTC()
	date = uint16(t.Day() + int(t.Month())<<5 + (t.Year()-1980)<<9)
	clock = uint16(t.Second()/2 + t.Minute()<<5 + t.Hour()<<11)
	return date, clock
}

// archiveNames puts the time of each file into its name, as clients expect, and
// keeps names apart that would be one on any disk.
func archiveNames(all []downloads.Download) []string {
	names, next := make([]string, len(all)), map[string]int{}
	for i, d := range all {
		suffix := fmt.Sprintf("-%d", d.CreatedAt.UnixMilli())
		names[i] = filename.WithSuffix(d.Filename, suffix)
		first := strings.ToLower(names[i])
		for next[strings.ToLower(names[i])] > 0 {
			next[first]++
			names[i] = filename.WithSuffix(d.Filename, fmt.Sprintf("%s-%d", suffix, next[first]))
		}
		next[strings.ToLower(names[i])]++
	}
	return names
}
